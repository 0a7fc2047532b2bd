import type { Knex } from 'knex';

/** Entries of links that a robot's timeline takes in an hour: an agent that connects in a loop must not fill it. */
export const maxEntriesPerHour = 60;
const batchRobots = 1_000;

/** An hour is over only when what it left out was told, by `noteLeftOut`. */
const isNewHour = `(l.left_out = 0 and coalesce(l.told_since <= now() - interval '1 hour', true))`;

/**
 * Assignments of an update of robot_links `l` that counts so many entries of a link, an SQL expression. They belong on the timeline where
 * `left_out` is 0 afterwards.
 */
export const counting = (entries: string): string => `
  told_since = case when ${isNewHour} then now() else l.told_since end,
  told = case when ${isNewHour} then ${entries} when l.told < ${maxEntriesPerHour} then l.told + ${entries} else l.told end,
  left_out = case when ${isNewHour} or l.told < ${maxEntriesPerHour} then 0 else l.left_out + ${entries} end`;

/** Tells of each robot whose hour is over how many entries were left out, and in which state it ended. Gives how many robots there were. */
export async function noteLeftOut(db: Knex): Promise<number> {
  let robots = 0;
  for (let batch = batchRobots; batch === batchRobots; robots += batch) {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `with over as (
         select org_id, robot_id, left_out, told_since from robot_links
          where left_out > 0 and told_since <= now() - interval '1 hour' limit :batchRobots for update skip locked
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
