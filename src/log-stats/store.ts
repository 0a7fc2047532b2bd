import type { Knex } from 'knex';
import { plainArray } from '../platform/db/arrays.ts';

/** How far the records of an org are counted. */
interface CountedTo {
  orgId: string;
  at: Date;
}

/** What a replica is storing may have been received so long ago: its statement may take 10 s. */
const storingFor = '1 minute';

/**
 * Every record is counted that was received before the oldest segment which is not merged: if there is none, all but those
 * that are being stored. A standby is as old as what it replayed last. While records are stored as chunks, they are not
 * counted.
 */
const countedToStatement = `
  select greatest(p.counted_to, case when log_segments_are_used() then least(
           (select min(s.received_at) from log_segments s
             where s.org_id = p.org_id and s.id > coalesce((select merged_id from log_orgs o where o.org_id = p.org_id), 0)),
           least(now(), case when pg_is_in_recovery() then pg_last_xact_replay_timestamp() end) - interval '${storingFor}'
         ) end) as counted_to
    from log_stats_progress p where p.org_id = ?`;

export function logStatStore(db: Knex) {
  return {
    /** Never moves back. */
    async setCountedTo(orgs: readonly CountedTo[]): Promise<void> {
      await db.raw(
        `insert into log_stats_progress as p (org_id, counted_to)
         select * from unnest(?::uuid[], ?::timestamptz[]) as t (org_id, counted_to) order by org_id
         on conflict (org_id) do update set counted_to = greatest(p.counted_to, excluded.counted_to)`,
        [plainArray(orgs.map(({ orgId }) => orgId)), plainArray(orgs.map(({ at }) => at.toISOString()))],
      );
    },

    async countedTo(orgId: string): Promise<Date | undefined> {
      const { rows } = await db.raw<{ rows: { counted_to: Date }[] }>(countedToStatement, [orgId]);
      return rows[0]?.counted_to;
    },
  };
}
