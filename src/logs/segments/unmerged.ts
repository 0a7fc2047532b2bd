import type { Knex } from 'knex';
import { readEitherWay } from './damage.ts';

/** The time of the database, and when the oldest segment was received that is not merged; Infinity if all are. */
export async function findUnmerged(db: Knex): Promise<{ nowMs: number; oldestMs: number }> {
  const read = await db.transaction((trx) =>
    // By the index, what is merged is not looked at: it may be on a page that Postgres cannot read.
    readEitherWay(trx, (each) =>
      each.raw<{ rows: [{ now: Date; oldest: Date | null }] }>(
        `select clock_timestamp() as now, min(s.received_at) as oldest from log_orgs o cross join lateral (
           select min(received_at) as received_at from log_segments where org_id = o.org_id and id > o.merged_id
         ) s`,
      ),
    ),
  );
  if (!read) throw new Error('the database cannot read which segments of log records are merged');
  const [{ now, oldest }] = read.rows;
  return { nowMs: now.getTime(), oldestMs: oldest?.getTime() ?? Infinity };
}
