import type { Knex } from 'knex';
import { badRequest } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { fleetService } from '../fleets/service.ts';
import { addCounts, noCounts, type Grid, type Point, type Series } from './model.ts';
import { oldestDayMs } from './partitions.ts';
import { pendingStore } from './pending.ts';
import { logStatQueries, type Scope } from './queries.ts';
import { gridOf, type RangeQuery } from './range.ts';
import { rollUp } from './roll-up.ts';
import { logStatStore } from './store.ts';

export { createLogCounter } from './counter.ts';
export { logStatPartitions } from './partitions.ts';

export type LogStatService = ReturnType<typeof logStatService>;

/** Whose records; all must hold. */
interface StatFilter {
  robotId?: string | undefined;
  fleetId?: string | undefined;
  siteId?: string | undefined;
  source?: string | undefined;
}

export interface NamedSeries extends Series {
  robotId?: string;
  source?: string;
}

export interface LogStats extends Grid {
  countedTo: Date | undefined;
  total: Series;
  series: NamedSeries[]; // the one with the most records first
  rest: Series | undefined; // of `total`, what is in no series
}

const maxSeries = 50;
const maxReadMs = 5_000;

interface Limits {
  nowMs?: () => number;
  readMs?: number; // for each statement
}

export function logStatService(db: Knex, { nowMs = Date.now, readMs = maxReadMs }: Limits = {}) {
  const { setCountedTo } = logStatStore(db);
  const { add } = pendingStore(db);

  /** Every row is read at one moment, so the series add up. @throws bad_request if it takes too long */
  async function snapshot<Result>(read: (trx: Knex) => Promise<Result>): Promise<Result> {
    try {
      return await db.transaction(
        async (trx) => {
          // A bitmap reads each page once. An index scan, which the planner prefers while a day has no statistics, reads
          // one for each row.
          await trx.raw(
            `select set_config('statement_timeout', ?, true), set_config('enable_indexscan', 'off', true)`,
            [String(readMs)],
          );
          return read(trx);
        },
        { isolationLevel: 'repeatable read', readOnly: true },
      );
    } catch (error) {
      if ((error as { code?: unknown }).code !== '57014') throw error;
      throw badRequest(
        `query: the counts of this range take longer than ${readMs / 1_000} s to read; use a longer step, a shorter range, or one fleet or robot`,
      );
    }
  }

  /** Undefined: IDs that the org cannot have. */
  async function scopeOf(trx: Knex, orgId: string, filter: StatFilter): Promise<Scope | undefined> {
    const { robotId, fleetId, siteId, source } = filter;
    if ([robotId, fleetId, siteId].some((id) => id !== undefined && !isId(id))) return undefined;
    const scope = { orgId, robotId, source };
    if (siteId === undefined) return { ...scope, fleetIds: fleetId === undefined ? undefined : [fleetId] };
    const ids = await fleetService(trx).idsOfSite(orgId, siteId);
    return { ...scope, fleetIds: fleetId === undefined ? ids : ids.filter((id) => id === fleetId) };
  }

  return {
    /** Adds counts. For the transaction that stores what was counted. */
    add,
    /** All records that were received before are counted. */
    setCountedTo,
    /** Adds pending counts to the rows of their hours and days: those that are old or many, or all. */
    rollUp: (which: { isAllDue: boolean; signal?: AbortSignal }) => rollUp(db, which),

    /** @throws bad_request */
    async read(
      orgId: string,
      filter: StatFilter,
      { by, ...range }: RangeQuery & { by: 'none' | 'robot' | 'source' },
    ): Promise<LogStats> {
      return snapshot(async (trx) => {
        const now = nowMs();
        const kept = { nowMs: now, oldestMs: (await oldestDayMs(trx)) ?? now, isSplit: by !== 'none' };
        const grid = gridOf(range, kept);
        const countedTo = await logStatStore(trx).countedTo(orgId);
        const scope = await scopeOf(trx, orgId, filter);
        if (!scope) return { ...grid, countedTo, total: seriesOf([]), series: [], rest: undefined };
        const queries = logStatQueries(trx, await withFleets(trx, scope, grid));
        const total = seriesOf(await queries.points(grid));
        if (by === 'none') return { ...grid, countedTo, total, series: [], rest: undefined };
        const points =
          by === 'robot'
            ? await queries.pointsByRobot(grid, await queries.topRobots(grid, maxSeries))
            : await queries.pointsBySource(grid, await queries.topSources(grid, maxSeries));
        const series = [...points].map(([name, each]) => ({
          ...(by === 'robot' ? { robotId: name } : { source: name }),
          ...seriesOf(each),
        }));
        series.sort((a, b) => b.lines - a.lines);
        return { ...grid, countedTo, total, series, rest: restOf(total, series) };
      });
    },
  };
}

/** Names the fleets, as the indexes begin with them. */
async function withFleets(trx: Knex, scope: Scope, grid: Grid): Promise<Scope> {
  if (scope.fleetIds || scope.robotId !== undefined) return scope;
  return { ...scope, fleetIds: await logStatQueries(trx, scope).fleetsWithin(grid) };
}

function seriesOf(points: readonly Point[]): Series {
  const total = noCounts();
  for (const point of points) addCounts(total, point, 1);
  return { ...total, points };
}

function restOf(total: Series, series: readonly Series[]): Series | undefined {
  const rest = new Map(total.points.map((point) => [point.atMs, { ...point, levels: { ...point.levels } }]));
  for (const { points } of series)
    for (const point of points) {
      const left = rest.get(point.atMs);
      if (left) addCounts(left, point, -1);
    }
  const points = [...rest.values()].filter(({ lines }) => lines > 0);
  return points.length === 0 ? undefined : seriesOf(points);
}
