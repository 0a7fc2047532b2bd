import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import type { DeploymentService } from '../deployments/api/service.ts';
import { listReply } from '../platform/http/reply/list.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { Config, ConfigService } from './service.ts';

export const configHandlers = (configs: (db: Knex) => ConfigService, deployments: (db: Knex) => DeploymentService) =>
  ({
    listConfigs: ({ caller, db, query }) => {
      const { namespace, key, deleted: isDeleted } = query;
      return listReply(query, (page) => configs(db).list(caller.orgId, { namespace, key, isDeleted }, page));
    },

    async setConfig({ caller, db, body }) {
      const entry = await configs(db).set(caller.orgId, body);
      return {
        status: 200,
        body: { data: toWire(entry, body.value) },
        audit: { ...about(caller.orgId, entry), after: factsOf(entry) },
      };
    },

    async deleteConfig({ caller, db, params, query }) {
      // First: it locks the entry, so that no deployment of it is created meanwhile.
      const entry = await configs(db).delete(caller.orgId, params.id);
      const { cancelled, announce } = await deployments(db).endOfConfig(caller.orgId, entry, {
        cancels: query.cancel_deployments === true,
      });
      return {
        status: 200,
        body: { data: toWire(entry, JSON.parse(entry.value)) },
        audit: {
          ...about(caller.orgId, entry),
          before: factsOf(entry),
          ...(cancelled > 0 && { after: { cancelled_deployments: cancelled } }),
        },
        announce,
      };
    },

    listConfigRevisions: ({ caller, db, query }) =>
      listReply(query, (page) => configs(db).listRevisions(caller.orgId, query.config_id, page)),
  }) satisfies Pick<Handlers, 'listConfigs' | 'setConfig' | 'deleteConfig' | 'listConfigRevisions'>;

const about = (orgId: string, { id }: Config) => ({ orgId, objectKind: 'config', objectId: id });

/** Without the value: it may be large, and stays readable as a revision. */
const factsOf = ({ namespace, key, revision }: Config) => ({ namespace, key, revision });

const toWire = (
  { id, namespace, key, revision, createdAt, updatedAt }: Config,
  value: unknown,
): components['schemas']['Config'] => ({
  id,
  namespace,
  key,
  value,
  revision,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
