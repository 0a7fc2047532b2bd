import type { Knex } from 'knex';
import { newId } from '../kernel/ids.ts';
import { definedOnly } from '../platform/db/columns.ts';
import { insertRow } from '../platform/db/insert.ts';
import { jsonRows, type JsonRows } from '../platform/db/json-rows.ts';
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

/** Rows that are numbered at a time. */
const sealBatch = 5_000;

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

    /** Numbers what is committed and has no number yet. One at a time for each org, whatever the replica. */
    async seal(orgId: string): Promise<void> {
      const waiting: unknown = await db('audit').select('id').where({ org_id: orgId }).whereNull('seq').first();
      if (waiting === undefined) return;
      for (let sealed = sealBatch; sealed === sealBatch;)
        sealed = await db.transaction<number>(async (trx) => {
          await trx.raw("set local lock_timeout = '9s'"); // others that seal this org go first; the statement limit ends it
          await trx.raw("select pg_advisory_xact_lock(hashtextextended('audit ' || ?, 0))", [orgId]);
          const result = await trx.raw<{ rowCount: number }>(
            `with waiting as (
               select id, row_number() over (order by at, id) as n
                 from audit where org_id = :orgId and seq is null order by at, id limit :sealBatch
             ), last as (select coalesce(max(seq), 0) as seq from audit where org_id = :orgId)
             update audit set seq = last.seq + waiting.n from waiting, last
              where audit.org_id = :orgId and audit.id = waiting.id`,
            { orgId, sealBatch },
          );
          return result.rowCount;
        });
    },

    /** Some of the orgs that have entries without a number. */
    async waitingOrgs(): Promise<string[]> {
      return db('audit').distinct('org_id').whereNull('seq').limit(1_000).pluck<string[]>('org_id');
    },

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
