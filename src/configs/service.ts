import type { Knex } from 'knex';
import { badRequest, notFound } from '../kernel/errors.ts';
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

    /** @throws not_found */
    async get(orgId: string, id: string): Promise<Config> {
      const config = await configs.find(orgId, id);
      if (!config) throw notFound('config');
      return config;
    },
  };
}
