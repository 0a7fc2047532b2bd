import type { Knex } from 'knex';
import { newId } from '../kernel/ids.ts';
import { definedOnly } from '../platform/db/columns.ts';
import { insertRow } from '../platform/db/insert.ts';
import { jsonRows, type JsonRows } from '../platform/db/json-rows.ts';
import { assignNumbers } from '../platform/db/numbered.ts';
import { entryColumns, type NewAuditEntry, type AuditQuery, type EntryColumn } from './model.ts';
import { trimmedUpTo } from './trim-store.ts';

export function auditStore(db: Knex) {
  return {
    /**
     * The statement that writes one entry without a number. A number assigned here could be committed after a higher
     * one, and a reader would never see it.
     */
    record(orgId: string, note: NewAuditEntry): Knex.Raw {
      const row = {
        org_id: orgId,
        id: note.id ?? newId(),
        at: note.ageMs === undefined ? undefined : db.raw('now() - make_interval(secs => ?)', [note.ageMs / 1_000]),
        actor_kind: note.actor.kind,
        actor_id: note.actor.id,
        token_id: note.actor.tokenId,
        request_id: note.requestId,
        operation: note.operation,
        object_kind: note.objectKind,
        object_id: note.objectId,
        before: note.before && JSON.stringify(note.before),
        after: note.after && JSON.stringify(note.after),
      };
      // Only an entry with an ID of its own may be written twice.
      const repeated = note.id === undefined ? {} : { unlessKnown: ['org_id', 'id'] };
      return insertRow<Record<string, unknown>>(db, 'audit', row, repeated);
    },

    /** Assigns only numbers, for a reader that cannot wait for the hashes of many older entries. */
    async number(orgId: string): Promise<void> {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        'select 1 from audit where org_id = ? and seq is null limit 1',
        [orgId],
      );
      if (rows.length === 0) return;
      await assignNumbers(db, 'audit', orgId, async (trx, limit) => {
        const { rowCount } = await trx.raw<{ rowCount: number }>(
          `with waiting as (
             select place, row_number() over (order by at, id) as n
               from (select ctid as place, at, id from audit where org_id = :orgId and seq is null order by at, id limit :limit) as batch
           ), last as (
             select coalesce(max(seq), 0) as seq from audit where org_id = :orgId
           )
           update audit set seq = last.seq + waiting.n from waiting, last
            where audit.ctid = waiting.place`,
          { orgId, limit },
        );
        return rowCount;
      });
    },

    /** Numbered entries, oldest first: those after `after`, else the latest. */
    async list(
      orgId: string,
      { after, limit, operation, actorId, objectId }: AuditQuery,
    ): Promise<JsonRows<EntryColumn>> {
      const query = db('audit')
        .select(db.raw(`${entryColumns.join(', ')}, encode(hash, 'hex') as hash`))
        .where(definedOnly({ org_id: orgId, operation, actor_id: actorId, object_id: objectId }))
        .whereRaw(`seq > ${trimmedUpTo}`, { orgId })
        .limit(limit);
      const wanted =
        after === undefined
          ? db.select('*').from(query.orderBy('seq', 'desc').as('latest')).orderBy('seq')
          : query.where('seq', '>', after).orderBy('seq');
      return jsonRows(db, wanted.toSQL().toNative());
    },
  };
}
