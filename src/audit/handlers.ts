import type { Knex } from 'knex';
import { listText } from '../platform/http/reply/list.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { AuditAnchor } from './model.ts';
import type { AuditService } from './service.ts';

const toWire = ({ seq, hash, exportedAt, fileSha256 }: AuditAnchor) => ({
  seq,
  hash: hash.toString('hex'),
  exported_at: exportedAt.toISOString(),
  file_sha256: fileSha256,
});

export const auditHandlers = (audit: (db: Knex) => AuditService) =>
  ({
    async listAuditEntries({ caller, db, query }) {
      const { after, limit, operation, actor_id: actorId, object_id: objectId } = query;
      const entries = await audit(db).list(caller.orgId, { after, limit, operation, actorId, objectId });
      const anchor = await audit(db).anchorOf(caller.orgId);
      return { status: 200, body: listText(entries, undefined, anchor && { anchor: toWire(anchor) }) };
    },
  }) satisfies Pick<Handlers, 'listAuditEntries'>;
