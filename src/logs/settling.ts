import type { Knex } from 'knex';
import { spanEnd, spanMs } from './model.ts';

/** Which chunks of an org merging will still change. `db` must be a transaction with one snapshot. */
export function logSettling(db: Knex, orgId: string) {
  /** No chunk received since then has records of several times. */
  async function unmergedSinceMs(): Promise<number> {
    const { rows } = await db.raw<{ rows: [{ now: Date; merged_to: Date | null }] }>(
      'select clock_timestamp() as now, (select merged_to from log_orgs where org_id = ?) as merged_to',
      [orgId],
    );
    const [{ now, merged_to: mergedTo }] = rows;
    return Math.max(spanEnd(now.getTime()) - spanMs, (mergedTo?.getTime() ?? 0) + 1);
  }

  return {
    unmergedSinceMs,

    /**
     * Whether the chunks of the span of this instant stay as they are: the span has ended, and all of it that will be
     * merged is merged. Of chunks, those will be that came before segments were stored (`merging.ts`).
     */
    async isSettled(ms: number): Promise<boolean> {
      const end = spanEnd(ms);
      if (end > (await unmergedSinceMs())) return false;
      const { rows } = await db.raw<{ rows: [{ is_due: boolean }] }>(
        `select exists (
           select from log_segments s
            where org_id = :orgId and received_at < :end
              and id > coalesce((select merged_id from log_orgs o where o.org_id = s.org_id), 0)
         ) or exists (
           select from log_counters r, (select coalesce((select since from log_format), 'epoch') as segments_since) f
            where org_id = :orgId and merged_until < least(:end, segments_since) and received_at >= merged_until
              and exists (select from log_chunks c where c.org_id = r.org_id and c.robot_id = r.robot_id
                             and c.received_at >= greatest(r.merged_until, :start) and c.received_at < least(:end, segments_since))
         ) as is_due`,
        { orgId: orgId, start: new Date(end - spanMs), end: new Date(end) },
      );
      return !rows[0].is_due;
    },
  };
}
