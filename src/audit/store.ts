import type { Knex } from 'knex';
import { newId } from '../kernel/ids.ts';
import { definedOnly } from '../platform/db/columns.ts';
import type { Actor, AuditEntry, AuditNote, AuditQuery } from './model.ts';

interface Row {
  org_id: string;
  id: string;
  seq: number;
  at: Date;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  token_id: string | null;
  request_id: string | null;
  operation: string;
  object_kind: string;
  object_id: string;
  before: object | null;
  after: object | null;
}

const columns: (keyof Row)[] = [
  'seq',
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
];

/** Rows that are numbered at a time. */
const sealBatch = 5_000;

export function auditStore(db: Knex) {
  return {
    /** The statement that writes one entry, without its number: a number taken here could be committed after a higher one, and a reader would never see it. */
    record(orgId: string, note: AuditNote): Knex.QueryBuilder {
      return db('audit').insert({
        org_id: orgId,
        id: newId(),
        actor_kind: note.actor.kind,
        actor_id: note.actor.id ?? null,
        token_id: note.actor.tokenId ?? null,
        request_id: note.requestId ?? null,
        operation: note.operation,
        object_kind: note.objectKind,
        object_id: note.objectId,
        before: note.before === undefined ? null : JSON.stringify(note.before),
        after: note.after === undefined ? null : JSON.stringify(note.after),
      });
    },

    /** Numbers what is committed and has no number yet. One at a time for each org, whatever the replica. */
    async seal(orgId: string): Promise<void> {
      const waiting = await db<Row>('audit').select('id').where({ org_id: orgId }).whereNull('seq').first();
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
    async list(orgId: string, { after, limit, operation, actorId, objectId }: AuditQuery): Promise<AuditEntry[]> {
      const query = db<Row>('audit')
        .select(columns)
        .where(definedOnly({ org_id: orgId, operation, actor_id: actorId, object_id: objectId }))
        .whereNotNull('seq')
        .limit(limit);
      const rows =
        after === undefined
          ? (await query.orderBy('seq', 'desc')).reverse()
          : await query.where('seq', '>', after).orderBy('seq');
      return rows.map(fromRow);
    },
  };
}

const fromRow = (row: Row): AuditEntry => ({
  seq: row.seq,
  at: row.at,
  actor: { kind: row.actor_kind, id: row.actor_id ?? undefined, tokenId: row.token_id ?? undefined },
  requestId: row.request_id ?? undefined,
  operation: row.operation,
  objectKind: row.object_kind,
  objectId: row.object_id,
  before: row.before ?? undefined,
  after: row.after ?? undefined,
});
