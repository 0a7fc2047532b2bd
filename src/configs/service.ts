import type { Knex } from 'knex';
import { badRequest, conflict, DomainError, notFound } from '../kernel/errors.ts';
import { defaultNamespace, maxValueBytes, reservedNamespaces, type Config } from './model.ts';
import { configStore } from './store.ts';

export type { Config };

export type ConfigService = ReturnType<typeof configService>;

export function configService(db: Knex) {
  const configs = configStore(db);
  return {
    list: configs.list,
    listRevisions: configs.listRevisions,

    /**
     * Creates the next revision, even for an equal value. Numbers are doubles, written in the shortest form that
     * restores them.
     * @throws bad_request for a reserved namespace or a value that is too large
     */
    async set(
      orgId: string,
      { namespace = defaultNamespace, key, value }: { namespace?: string | undefined; key: string; value: unknown },
    ): Promise<Config> {
      if (reservedNamespaces.includes(namespace)) throw badRequest(`body.namespace: "${namespace}" is reserved`);
      const text = JSON.stringify(value);
      if (Buffer.byteLength(text) > maxValueBytes)
        throw badRequest(`body.value: larger than ${maxValueBytes} bytes as JSON`);
      return configs.set(orgId, { namespace, key, value: text });
    },

    /**
     * A revision to deploy, the newest by default. Until the transaction ends, the entry is neither set nor deleted.
     * @throws not_found, also for an unknown revision; conflict for a deleted entry
     */
    async getRevision(orgId: string, id: string, revision?: number): Promise<Config> {
      const found = await configs.hold(orgId, id);
      if (!found) throw notFound('config');
      const { config, isDeleted } = found;
      if (isDeleted) throw conflict(`${nameOf(config)} was deleted; set it again to deploy it`);
      if (revision === undefined || revision === config.revision) return config;
      const value = await configs.findValue(orgId, id, revision);
      if (value === undefined)
        throw new DomainError(
          'not_found',
          revision < config.revision
            ? `${nameOf(config)} no longer has revision ${revision}: nothing deployed it, and it was deleted after DEPLOYMENT_RETENTION_DAYS`
            : `${nameOf(config)} has no revision ${revision}; its newest is ${config.revision}`,
        );
      return { ...config, revision, value };
    },

    /**
     * Deletes an entry, and returns it as it was. Its row is locked until the transaction ends. Its active deployments
     * remain, and are for the caller to end.
     * @throws not_found, also for a deleted entry
     */
    async delete(orgId: string, id: string): Promise<Config> {
      const config = await configs.delete(orgId, id);
      if (!config) throw notFound('config');
      return config;
    },
  };
}

/** The display name of an entry. */
export const nameOf = ({ namespace, key }: Pick<Config, 'namespace' | 'key'>): string => `${namespace}/${key}`;
