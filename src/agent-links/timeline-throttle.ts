import type { Knex } from 'knex';
import { latestMark } from '../platform/db/latest-mark.ts';

/** Link entries on a robot's timeline per hour: an agent that reconnects in a loop must not fill it. */
export const maxEntriesPerHour = 60;
const batchRobots = 1_000;

const isOver = `not between now() - interval '1 hour' and ${latestMark}`;
/** An hour ends only after `writeOmittedCounts` has stated what it left out. */
const isNewHour = `(l.left_out = 0 and coalesce(l.told_since ${isOver}, true))`;

/**
 * Assignments of an update of robot_links `l` that counts link entries; `entries` is an SQL expression. The entries
 * belong on the timeline if `left_out` is 0 afterwards.
 */
export const countEntriesSql = (entries: string): string => `
  told_since = case when ${isNewHour} then now() else l.told_since end,
  told = case when ${isNewHour} then ${entries} when l.told < ${maxEntriesPerHour} then l.told + ${entries} else l.told end,
  left_out = case when ${isNewHour} or l.told < ${maxEntriesPerHour} then 0 else l.left_out + ${entries} end`;

/**
 * Adds an entry for each robot whose hour is over: how many entries were left out, and its state at the end. Returns
 * the number of robots.
 */
export async function writeOmittedCounts(db: Knex): Promise<number> {
  let robots = 0;
  for (let batch = batchRobots; batch === batchRobots; robots += batch) {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `with over as (
         select org_id, robot_id, left_out, told_since from robot_links
          where left_out > 0 and told_since ${isOver} limit :batchRobots for update skip locked
       ), begun as (
         update robot_links l set told_since = null, told = 0, left_out = 0 from over
          where l.org_id = over.org_id and l.robot_id = over.robot_id
         returning l.org_id, l.robot_id, l.replica_id, over.left_out, over.told_since
       )
       insert into timeline_unnumbered (org_id, robot_id, id, kind, details)
       select org_id, robot_id, gen_random_uuid(), 'links_left_out', jsonb_build_object(
                'entries', left_out, 'since', told_since, 'last', case when replica_id is null then 'disconnected' else 'connected' end)
         from begun`,
      { batchRobots },
    );
    batch = rowCount;
  }
  return robots;
}
