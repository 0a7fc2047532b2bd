import type { Knex } from 'knex';
import { listText } from '../platform/http/reply/list.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { AuditService } from './service.ts';

export const auditHandlers = (audit: (db: Knex) => AuditService) =>
  ({
    async listAuditEntries({ caller, db, query }) {
      const { after, limit, operation, actor_id: actorId, object_id: objectId } = query;
      const entries = await audit(db).list(caller.orgId, { after, limit, operation, actorId, objectId });
      return { status: 200, body: listText(entries) };
    },
  }) satisfies Pick<Handlers, 'listAuditEntries'>;
