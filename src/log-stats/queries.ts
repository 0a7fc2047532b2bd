import type { Knex } from 'knex';
import { plainArray } from '../platform/db/arrays.ts';
import { columnOf, figures, slots, spanMinutes, type Figure } from './columns.ts';
import { partsWith } from './pending.ts';
import { longIntervals, otherSources, slotMs, stepMsOf, type Grid, type Point, type Step } from './model.ts';

/** Whose records; all must hold. */
export interface Scope {
  orgId: string;
  robotId?: string | undefined;
  fleetIds?: readonly string[] | undefined; // undefined: all
  source?: string | undefined;
}

type CountTable = 'log_stats' | 'log_stats_by_fleet';
type Row = { at: Date } & Record<Figure, number>;

const sums = figures.map((figure) => `coalesce(sum(${figure}), 0)::bigint as ${figure}`);

/** The counts of an interval, in a row of its hour or day. */
const figuresOf: Record<Step, (figure: Figure) => string> = {
  '10m': (figure) => `in_slot.${figure}`,
  '1h': (figure) => slots.map((slot) => `coalesce(${columnOf(figure, slot)}, 0)`).join(' + '),
  '1d': (figure) => columnOf(figure, 0),
};
/** The slots of the row of an hour, as rows. */
const bySlot = `cross join lateral (values ${slots
  .map((slot) => `(${slot}, ${figures.map((figure) => columnOf(figure, slot)).join(', ')})`)
  .join(', ')}) as in_slot (slot, ${figures.join(', ')})`;

/** Reads counts. `db` must be a transaction with one snapshot, so that the series of a response fit together. */
export function logStatQueries(db: Knex, { orgId, robotId, fleetIds, source }: Scope) {
  /** The counts of a robot, or those of fleets: a row for each interval and source, or several. */
  const countsIn = (grid: Grid): Knex.QueryBuilder =>
    robotId === undefined ? countsOf('log_stats_by_fleet', grid) : countsOf('log_stats', grid, [robotId]);

  function countsOf(table: CountTable, grid: Grid, robotIds?: readonly string[]): Knex.QueryBuilder {
    const [stored, pending] = [storedIn(table, grid), pendingIn(table, grid)];
    if (robotIds) void pending.whereIn('part', partsWith(robotIds));
    for (const query of [stored, pending]) {
      if (robotIds) void query.whereRaw('robot_id = any(?::uuid[])', [plainArray(robotIds)]);
      if (fleetIds) void query.whereRaw('fleet_id = any(?::uuid[])', [plainArray(fleetIds)]);
      if (source !== undefined) void query.where({ source });
    }
    return db.queryBuilder().from(db.queryBuilder().unionAll([stored, pending], true).as('counts'));
  }

  const namesIn = (table: CountTable) => ['source', ...(table === 'log_stats' ? ['robot_id'] : [])];

  /** The rows of hours and days. */
  function storedIn(table: CountTable, { step, startMs, endMs }: Grid): Knex.QueryBuilder {
    const isSlots = step === '10m';
    const spanMs = stepMsOf(isSlots ? '1h' : step);
    const [start, end] = [new Date(startMs), new Date(endMs)];
    const at = isSlots ? `at + in_slot.slot * interval '${slotMs} ms'` : 'at';
    const query = db(table)
      .select(...namesIn(table), db.raw(`${at} as at`))
      .select(figures.map((figure) => db.raw(`${figuresOf[step](figure)} as ${figure}`)))
      .where({ org_id: orgId, span_minutes: step === '1d' ? spanMinutes.day : spanMinutes.hour })
      .where('at', '>=', new Date(Math.floor(startMs / spanMs) * spanMs))
      .where('at', '<', end);
    if (isSlots)
      void query
        .joinRaw(bySlot)
        .whereRaw('in_slot.lines is not null')
        .whereRaw(`${at} >= ? and ${at} < ?`, [start, end]);
    return query;
  }

  /** What is not in them yet. */
  function pendingIn(table: CountTable, { step, startMs, endMs }: Grid): Knex.QueryBuilder {
    const [start, end] = [new Date(startMs), new Date(endMs)];
    return db('log_stats_pending_entries')
      .select(
        ...namesIn(table),
        db.raw(`date_bin(?::interval, slot_at, 'epoch') as at`, `${stepMsOf(step)} ms`),
        ...figures,
      )
      .where({ org_id: orgId, is_by_fleet: table === 'log_stats_by_fleet' })
      .where('last_slot_at', '>=', start)
      .where('first_slot_at', '<', end)
      .where('slot_at', '>=', start)
      .where('slot_at', '<', end);
  }

  const summed = (counts: Knex.QueryBuilder, ...by: string[]): Knex.QueryBuilder =>
    counts
      .select(by)
      .select(sums.map((sum) => db.raw(sum)))
      .groupBy(by)
      .orderBy('at');

  return {
    /** The sums of each interval that has records. */
    async points(grid: Grid): Promise<Point[]> {
      const rows = (await summed(countsIn(grid), 'at')) as Row[];
      return rows.map(toPoint);
    },

    /** The sources with the most records, of those that are counted by name. */
    async topSources(grid: Grid, limit: number): Promise<string[]> {
      const rows = (await countsIn(grid)
        .whereNot('source', otherSources)
        .select('source')
        .groupBy('source')
        .orderByRaw('sum(lines) desc, source')
        .limit(limit)) as { source: string }[];
      return rows.map((row) => row.source);
    },

    /** The robots with the most records. Read in long intervals, of which there are few. */
    async topRobots(grid: Grid, limit: number): Promise<string[]> {
      if (robotId !== undefined) return [robotId];
      const parts = longIntervals(grid.startMs, grid.endMs).map((part) =>
        countsOf('log_stats', part).select('robot_id', 'lines'),
      );
      if (parts.length === 0) return [];
      const rows = await db
        .select<{ robot_id: string }[]>('robot_id')
        .from(db.queryBuilder().unionAll(parts, true).as('parts'))
        .groupBy('robot_id')
        .orderByRaw('sum(lines) desc, robot_id')
        .limit(limit);
      return rows.map((row) => row.robot_id);
    },

    /** The points of each of these sources that has some. */
    async pointsBySource(grid: Grid, sources: readonly string[]): Promise<Map<string, Point[]>> {
      const rows = (await summed(countsIn(grid).whereIn('source', sources), 'at', 'source')) as (Row & {
        source: string;
      })[];
      return grouped(rows, (row) => row.source);
    },

    /** The points of each of these robots that has some. */
    async pointsByRobot(grid: Grid, robotIds: readonly string[]): Promise<Map<string, Point[]>> {
      const rows = (await summed(countsOf('log_stats', grid, robotIds), 'at', 'robot_id')) as (Row & {
        robot_id: string;
      })[];
      return grouped(rows, (row) => row.robot_id);
    },

    /** The fleets with records in the days of the range, deleted ones too: a few rows of each day. */
    async fleetsWithin({ startMs, endMs }: Grid): Promise<string[]> {
      const end = new Date(endMs);
      const stored = db('log_stats_by_fleet')
        .select('fleet_id')
        .where({ org_id: orgId, span_minutes: spanMinutes.day })
        .where('at', '>=', new Date(Math.floor(startMs / stepMsOf('1d')) * stepMsOf('1d')))
        .where('at', '<', end);
      const pending = db('log_stats_pending_entries')
        .select('fleet_id')
        .where({ org_id: orgId, is_by_fleet: true })
        .where('last_slot_at', '>=', new Date(startMs))
        .where('first_slot_at', '<', end);
      const rows = (await stored.union(pending)) as { fleet_id: string }[];
      return rows.map((row) => row.fleet_id);
    },
  };
}

function grouped<R extends Row>(rows: readonly R[], keyOf: (row: R) => string): Map<string, Point[]> {
  const groups = new Map<string, Point[]>();
  for (const row of rows) {
    const known = groups.get(keyOf(row));
    if (known) known.push(toPoint(row));
    else groups.set(keyOf(row), [toPoint(row)]);
  }
  return groups;
}

const toPoint = ({ at, lines, bytes, debug, warn, error, fatal }: Row): Point => ({
  atMs: at.getTime(),
  lines,
  bytes,
  levels: { debug, info: lines - debug - warn - error - fatal, warn, error, fatal },
});
