import type { Knex } from 'knex';
import { listReply } from '../platform/http/reply/list.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { ConfigService } from './service.ts';

export const configHandlers = (configs: (db: Knex) => ConfigService) =>
  ({
    listConfigs: ({ caller, db, query }) =>
      listReply(query, (page) => configs(db).list(caller.orgId, { namespace: query.namespace, key: query.key }, page)),

    async setConfig({ caller, db, body }) {
      const entry = await configs(db).set(caller.orgId, body);
      const { id, namespace, key, revision } = entry;
      const times = { created_at: entry.createdAt.toISOString(), updated_at: entry.updatedAt.toISOString() };
      return {
        status: 200,
        body: { data: { id, namespace, key, value: body.value, revision, ...times } },
        // Without the value: it may be large, and stays readable as a revision.
        audit: { orgId: caller.orgId, objectKind: 'config', objectId: id, after: { namespace, key, revision } },
      };
    },

    listConfigRevisions: ({ caller, db, query }) =>
      listReply(query, (page) => configs(db).listRevisions(caller.orgId, query.config_id, page)),
  }) satisfies Pick<Handlers, 'listConfigs' | 'setConfig' | 'listConfigRevisions'>;
