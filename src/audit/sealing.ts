import type { Knex } from 'knex';
import { plainArray, textArray } from '../platform/db/arrays.ts';
import { jsonRows } from '../platform/db/json-rows.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import { chainHash, chainStart } from './chain.ts';
import { entryColumns } from './model.ts';

/** Maximum entries sealed by one transaction, and maximum bytes of their details: all of it is in memory at once. */
const batchEntries = 1_000;
const batchBytes = 8 * 1024 * 1024;
/** Orgs looked up per query. */
const batchOrgs = 1_000;
/** A log entry in wire format, before it has a hash. `seq` is absent until assigned. */
type Entry = Record<string, unknown> & { seq?: number };

/**
 * Sealing assigns numbers to committed entries and then, in that order, hashes that each cover the previous entry. One
 * sealer at a time per org, across all replicas, under the lock that earlier releases used for numbering.
 */
export function sealingStore(db: Knex) {
  return {
    /** Whether an entry of the org has no hash yet. */
    async isBehind(orgId: string): Promise<boolean> {
      const found = await db.raw<{ rows: unknown[] }>(
        'select from audit where org_id = ? and hash is null limit 1',
        orgId,
      );
      return found.rows.length > 0;
    },

    /** Orgs with entries without a hash, up to a limit. Costs one index lookup per org. */
    async orgsBehind(): Promise<string[]> {
      const { rows } = await db.raw<{ rows: { org_id: string }[] }>(
        `with recursive behind as (
           (select org_id from audit where hash is null order by org_id limit 1)
           union all
           select (select org_id from audit where hash is null and org_id > behind.org_id order by org_id limit 1)
             from behind where behind.org_id is not null
         )
         select org_id from behind where org_id is not null limit ?`,
        [batchOrgs],
      );
      return rows.map(({ org_id: orgId }) => orgId);
    },

    /**
     * Seals the next entries of an org, in one transaction.
     * @param whenBusy whether to wait for another sealer of the org, or to leave the work to it.
     * @returns whether more entries remain
     */
    async sealBatch(orgId: string, whenBusy: 'wait' | 'leave'): Promise<boolean> {
      return inTransaction(db, async (trx) => {
        if (!(await hasLock(trx, orgId, whenBusy))) return { result: false, closing: [] };
        const { entries, hasMore } = await nextEntries(trx, orgId);
        const [first] = entries;
        if (!first) return { result: false, closing: [] };
        const head = await headBefore(trx, orgId, first.entry.seq);
        const sealed = chained(entries, head);
        return { result: hasMore, closing: [sealing(trx, sealed)] };
      });
    },
  };
}

/**
 * The planner's statistics do not cover recent rows, so it would read all entries of the org to find a thousand: allow
 * only indexes. For the same reason entries are updated only by their physical place (`ctid`). With the org in the
 * condition, it would read all entries of the org once for each. Places stay valid, since entries change only under the
 * lock.
 */
const settings = ['bitmapscan', 'hashjoin', 'mergejoin', 'seqscan'].map(
  (plan) => `set_config('enable_${plan}', 'off', true)`,
);

async function hasLock(trx: Knex, orgId: string, whenBusy: 'wait' | 'leave'): Promise<boolean> {
  const key = `audit ${orgId}`;
  if (whenBusy === 'leave') {
    const sql = `select ${settings.join(', ')}, pg_try_advisory_xact_lock(hashtextextended(?, 0)) as got`;
    const { rows } = await trx.raw<{ rows: { got: boolean }[] }>(sql, key);
    return rows[0]?.got === true;
  }
  // Waits for other sealers of this org: the default is 2 s.
  await trx.raw(`select ${settings.join(', ')}, set_config('lock_timeout', '9s', true)`);
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', key);
  return true;
}

/** As in the API: the sealed text is the JSON that a reader gets. */
async function nextEntries(trx: Knex, orgId: string) {
  const { objects } = await jsonRows(trx, {
    sql: `select ctid::text as place, all_waiting, ${entryColumns.join(', ')} from (
            select *, row_number() over in_order as n, count(*) over () as all_waiting,
              sum(coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)) over in_order as bytes
              from (select ctid, * from audit where org_id = $1 and hash is null order by seq, at, id limit $2) as next
            window in_order as (order by seq, at, id)
          ) as measured where n = 1 or bytes <= $3 order by n`,
    bindings: [orgId, batchEntries, batchBytes],
  });
  let waiting = 0;
  const entries = objects.map((text) => {
    const row = JSON.parse(text) as Entry & { place: string; all_waiting: number };
    const { place, all_waiting, ...entry } = row;
    waiting = all_waiting;
    return { place, entry };
  });
  return { entries, hasMore: entries.length < waiting || waiting === batchEntries };
}

/** The last sealed entry, or the one before number `seq` if that is already assigned. */
async function headBefore(trx: Knex, orgId: string, seq: number | undefined): Promise<{ seq: number; hash: Buffer }> {
  const { rows } = await trx.raw<{ rows: { seq: number; hash: Buffer | null }[] }>(
    `select seq, hash from audit where org_id = ? and ${seq === undefined ? 'seq is not null' : 'seq < ?'} order by seq desc limit 1`,
    seq === undefined ? [orgId] : [orgId, seq],
  );
  const [head] = rows;
  if (!head) return { seq: 0, hash: chainStart(orgId) };
  if (!head.hash)
    throw new Error(`entry ${head.seq} of the audit log of org ${orgId} has no hash and is not waiting for one`);
  return { seq: head.seq, hash: head.hash };
}

function chained(entries: readonly { place: string; entry: Entry }[], head: { seq: number; hash: Buffer }) {
  let { seq, hash } = head;
  return entries.map(({ place, entry }) => {
    seq = entry.seq ?? seq + 1;
    hash = chainHash(hash, { ...entry, seq });
    return { place, seq, hash: hash.toString('hex') };
  });
}

const sealing = (trx: Knex, sealed: readonly { place: string; seq: number; hash: string }[]): Knex.Raw =>
  trx.raw(
    `update audit set seq = sealed.seq, hash = decode(sealed.hash, 'hex')
       from unnest(?::tid[], ?::bigint[], ?::text[]) as sealed (place, seq, hash)
      where audit.ctid = sealed.place`,
    [
      textArray(sealed.map(({ place }) => place)),
      plainArray(sealed.map(({ seq }) => seq)),
      plainArray(sealed.map(({ hash }) => hash)),
    ],
  );
