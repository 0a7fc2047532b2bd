import type { Knex } from 'knex';
import { columnOf, columns, figures, slots, spanMinutes } from './columns.ts';
import { maxNamedSources, otherSources } from './model.ts';
import { logStatPartitions } from './partitions.ts';
import { pendingStore } from './pending.ts';

const added = columns.map((name) => `${name} = coalesce(s.${name} + excluded.${name}, s.${name}, excluded.${name})`);
const sums = figures.map((figure) => `sum(${figure})::bigint as ${figure}`);
const sumsBySlot = slots.flatMap((slot) =>
  figures.map((figure) => `sum(${figure}) filter (where slot = ${slot})::bigint as ${columnOf(figure, slot)}`),
);
const sumsOfRobots = columns.map((name) => `sum(${name})::bigint as ${name}`);

/** Windows that one statement moves. */
const windowsAtATime = 10;
/** Any constant. One replica at a time moves the counts of an org. */
const rollUpLock = 720_194;

/**
 * Moves the oldest pending counts of a part to the rows of their hour and day, of robots and of fleets. The counts of a
 * window and their sums by fleet have the same `added_at`, so they go together. A source that a robot did not have on that
 * day goes to the other sources if the robot has its number of names.
 */
const moveStatement = `
  with taken as (
    delete from log_stats_pending where org_id = :orgId and part = :part and added_at <= (
      select max(added_at) from (
        select distinct added_at from log_stats_pending where org_id = :orgId and part = :part order by added_at limit ${windowsAtATime}
      ) oldest
    ) returning *
  ), counted as (
    select org_id, c.robot_id, c.fleet_id, c.source, c.slot_at, ${sums.map((sum) => sum.replace('(', '(c.')).join(', ')}
      from taken t
     cross join lateral unnest(t.robot_ids, t.fleet_ids, t.sources, t.slots, ${figures.map((figure) => `t.${figure}`).join(', ')})
        as c (robot_id, fleet_id, source, slot_at, ${figures.join(', ')})
     where t.robot_ids is not null
     group by 1, 2, 3, 4, 5
  ), known as (
    select c.*, day, names, is_known, sum(lines) over (partition by org_id, robot_id, fleet_id, day, source) as lines_of_day
      from counted c
     cross join lateral (select date_bin('1 day', slot_at, 'epoch') as day) of_day
     cross join lateral (
       select count(*) filter (where s.source <> '${otherSources}') as names, coalesce(bool_or(s.source = c.source), false) as is_known
         from log_stats s
        where s.org_id = c.org_id and s.span_minutes = ${spanMinutes.day} and s.fleet_id = c.fleet_id and s.at = day and s.robot_id = c.robot_id
       offset 0
     ) stored
  ), numbered as (
    select *, dense_rank() over (partition by org_id, robot_id, fleet_id, day, is_known
                                 order by source = '${otherSources}', lines_of_day desc, source) as n
      from known
  ), named as materialized (
    select org_id, span_minutes, fleet_id, at, robot_id,
           case when is_known or names + n <= ${maxNamedSources} then source else '${otherSources}' end as name, ${sumsBySlot.join(', ')}
      from numbered cross join lateral (
        values (${spanMinutes.hour}::smallint, date_bin('1 hour', slot_at, 'epoch'), extract(minute from slot_at at time zone 'UTC')::integer / 10),
               (${spanMinutes.day}, day, 0)
      ) as spans (span_minutes, at, slot)
     group by 1, 2, 3, 4, 5, 6
  ), of_robots as (
    insert into log_stats as s (org_id, span_minutes, fleet_id, at, robot_id, source, ${columns.join(', ')})
    select * from named order by 1, 2, 3, 4, 5, 6
    on conflict (org_id, span_minutes, fleet_id, at, robot_id, source) do update set ${added.join(', ')}
    returning 1
  )
  insert into log_stats_by_fleet as s (org_id, span_minutes, fleet_id, at, source, ${columns.join(', ')})
  select org_id, span_minutes, fleet_id, at, name, ${sumsOfRobots.join(', ')}
    from named where (select count(*) from of_robots) > 0
   group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (org_id, span_minutes, fleet_id, at, source) do update set ${added.join(', ')}`;

/**
 * Adds pending counts to their hours and days: those that are old or many, or all.
 * @throws the first error, after all orgs
 */
export async function rollUp(
  db: Knex,
  { isAllDue, signal }: { isAllDue: boolean; signal?: AbortSignal },
): Promise<void> {
  const errors: unknown[] = [];
  for (const { orgId, parts, lastAddedAt } of await pendingStore(db).findDue(isAllDue)) {
    try {
      await logStatPartitions(db).make(await daysOf(db, orgId));
      for (const part of parts)
        for (let hasMore = true; hasMore;) {
          signal?.throwIfAborted();
          hasMore = await moveSome(db, { orgId, part, lastAddedAt });
        }
    } catch (error) {
      signal?.throwIfAborted();
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** Returns whether counts are left that were there at `lastAddedAt`. */
const moveSome = (db: Knex, which: { orgId: string; part: number; lastAddedAt: Date }): Promise<boolean> =>
  db.transaction(async (trx) => {
    const { rows: locks } = await trx.raw<{ rows: [{ is_mine: boolean }] }>(
      'select pg_try_advisory_xact_lock(?, hashtext(?)) as is_mine',
      [rollUpLock, which.orgId],
    );
    if (!locks[0].is_mine) return false;
    await trx.raw(moveStatement, which);
    const { rows } = await trx.raw<{ rows: [{ has_more: boolean }] }>(
      `select exists (select from log_stats_pending
                       where org_id = :orgId and part = :part and added_at <= :lastAddedAt) as has_more`,
      which,
    );
    return rows[0].has_more;
  });

/** Their first instants. The day of counts that could not be moved for long may be dropped already. */
async function daysOf(db: Knex, orgId: string): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { day: Date }[] }>(
    `select distinct date_bin('1 day', slot_at, 'epoch') as day from log_stats_pending_entries where org_id = ? and is_by_fleet`,
    [orgId],
  );
  return rows.map(({ day }) => day.getTime());
}
