import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import type { Handlers } from '../platform/http/operation.ts';
import type { AuditEntry } from './model.ts';
import type { AuditService } from './service.ts';

export const auditHandlers = (audit: (db: Knex) => AuditService) =>
  ({
    async listAuditEntries({ caller, db, query }) {
      const { after, limit, operation, actor_id: actorId, object_id: objectId } = query;
      const entries = await audit(db).list(caller.orgId, { after, limit, operation, actorId, objectId });
      return { status: 200, body: { items: entries.map(toWire) } };
    },
  }) satisfies Pick<Handlers, 'listAuditEntries'>;

const toWire = ({
  seq,
  at,
  actor,
  requestId,
  operation,
  objectKind,
  objectId,
  before,
  after,
}: AuditEntry): components['schemas']['AuditEntry'] => ({
  seq,
  at: at.toISOString(),
  actor_kind: actor.kind,
  ...(actor.id === undefined ? {} : { actor_id: actor.id }),
  ...(actor.tokenId === undefined ? {} : { token_id: actor.tokenId }),
  ...(requestId === undefined ? {} : { request_id: requestId }),
  operation,
  object_kind: objectKind,
  object_id: objectId,
  ...(before === undefined ? {} : { before: before as Record<string, unknown> }),
  ...(after === undefined ? {} : { after: after as Record<string, unknown> }),
});
