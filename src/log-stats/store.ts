import type { Knex } from 'knex';
import { plainArray } from '../platform/db/arrays.ts';

/** How far the records of an org are counted. */
interface CountedTo {
  orgId: string;
  at: Date;
}

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
      const row = await db<{ org_id: string; counted_to: Date }>('log_stats_progress')
        .where({ org_id: orgId })
        .first('counted_to');
      return row?.counted_to;
    },
  };
}
