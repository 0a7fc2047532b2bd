import type { Knex } from 'knex';
import { plainArray, textArray } from '../platform/db/arrays.ts';
import { columnOf, columns, figures, slots, spanMinutes } from './columns.ts';
import { maxNamedSources, otherSources, type SlotCounts } from './model.ts';

const added = columns.map((name) => `${name} = coalesce(s.${name} + excluded.${name}, s.${name}, excluded.${name})`);
const sumsBySlot = slots.flatMap((slot) =>
  figures.map((figure) => `sum(${figure}) filter (where slot = ${slot})::bigint as ${columnOf(figure, slot)}`),
);
const sumsOfRobots = columns.map((name) => `sum(${name})::bigint as ${name}`);

/**
 * Adds counts to the rows of their hour and day, of robots and of fleets. A source that a robot did not have on that day
 * goes to the other sources if the robot has its number of names. Transactions lock rows in the same order: those of
 * robots first, each kind by its key.
 */
const addStatement = `
  with known as (
    select c.*, day, names, is_known, sum(lines) over (partition by org_id, robot_id, fleet_id, day, source) as lines_of_day
      from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[], ?::timestamptz[],
                  ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
        as c (org_id, robot_id, fleet_id, source, slot_at, ${figures.join(', ')})
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

/** How far the records of an org are counted. */
interface CountedTo {
  orgId: string;
  at: Date;
}

export function logStatStore(db: Knex) {
  return {
    /** A transaction adds once, with all of its counts: so transactions do not lock each other out. */
    async add(counts: readonly SlotCounts[]): Promise<void> {
      if (counts.length === 0) return;
      const numbers = (figure: (each: SlotCounts) => number) => plainArray(counts.map(figure));
      const levelNumbers = (level: 'debug' | 'warn' | 'error' | 'fatal') =>
        plainArray(counts.map(({ levels }) => levels[level] || 'NULL'));
      await db.raw(addStatement, [
        plainArray(counts.map(({ orgId }) => orgId)),
        plainArray(counts.map(({ robotId }) => robotId)),
        plainArray(counts.map(({ fleetId }) => fleetId)),
        textArray(counts.map(({ source }) => source)),
        plainArray(counts.map(({ slotAtMs }) => new Date(slotAtMs).toISOString())),
        numbers(({ lines }) => lines),
        numbers(({ bytes }) => bytes),
        ...(['debug', 'warn', 'error', 'fatal'] as const).map(levelNumbers),
      ]);
    },

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
