import type { Knex } from 'knex';
import { newId } from '../kernel/ids.ts';
import { definedOnly } from '../platform/db/columns.ts';
import { insertRow } from '../platform/db/insert.ts';
import { jsonRows, type JsonRows } from '../platform/db/json-rows.ts';
import { sealAllNumbers, sealNumbers } from '../platform/db/numbered.ts';
import type { AuditNote, AuditQuery } from './model.ts';

/** What an entry is made of; in the log they go out under their own names. */
const columns = [
  'seq', // from 1, without gaps; nothing appears behind a number that was given
  'at',
  'actor_kind',
  'actor_id',
  'token_id',
  'request_id',
  'operation',
  'object_kind',
  'object_id',
  'before',
  'after',
] as const;
export type EntryColumn = (typeof columns)[number];

const numbered = { name: 'audit', series: 'org_id' };

export function auditStore(db: Knex) {
  return {
    /** The statement that writes one entry, without its number: a number taken here could be committed after a higher one, and a reader would never see it. */
    record: (orgId: string, note: AuditNote): Knex.Raw =>
      insertRow<Record<string, unknown>>(db, 'audit', {
        org_id: orgId,
        id: newId(),
        actor_kind: note.actor.kind,
        actor_id: note.actor.id,
        token_id: note.actor.tokenId,
        request_id: note.requestId,
        operation: note.operation,
        object_kind: note.objectKind,
        object_id: note.objectId,
        before: note.before && JSON.stringify(note.before),
        after: note.after && JSON.stringify(note.after),
      }),

    seal: (orgId: string) => sealNumbers(db, numbered, orgId),
    sealAll: () => sealAllNumbers(db, numbered),

    /** Numbered entries, oldest first: those after `after`, else the latest. */
    async list(
      orgId: string,
      { after, limit, operation, actorId, objectId }: AuditQuery,
    ): Promise<JsonRows<EntryColumn>> {
      const query = db('audit')
        .select(columns)
        .where(definedOnly({ org_id: orgId, operation, actor_id: actorId, object_id: objectId }))
        .whereNotNull('seq')
        .limit(limit);
      const wanted =
        after === undefined
          ? db.select('*').from(query.orderBy('seq', 'desc').as('latest')).orderBy('seq')
          : query.where('seq', '>', after).orderBy('seq');
      return jsonRows(db, wanted.toSQL().toNative());
    },
  };
}
