import type { Knex } from 'knex';
import { badRequest } from '../kernel/errors.ts';
import { bucketsOn, samplesOn, type Grid } from './history.ts';
import {
  bucketMs,
  dayMs,
  rawRetentionDays,
  rollupRetentionDays,
  sampleMs,
  seriesNames,
  type Row,
  type SeriesName,
} from './model.ts';
import type { Buckets } from './packing.ts';
import { metricStore } from './store.ts';

export { createRecorder } from './recorder.ts';
export { metricUpkeep } from './upkeep.ts';

/** `raw`: samples of 30 s. `5m`: lowest, mean and highest value of five minutes, or of a multiple in a long range. */
type Resolution = 'raw' | '5m';

interface MetricQuery {
  since: Date | undefined; // default: a day before `until`
  until: Date | undefined; // default: now
  resolution: Resolution | undefined; // default: `raw` for at most two hours of the last day, else `5m`
  series: readonly SeriesName[]; // in the order of the response
}

/** Values at equal distances. A series without any value in the range is left out. */
export interface MetricHistory extends Grid {
  resolution: Resolution;
  series: { name: SeriesName; values: Row; min: Row | undefined; max: Row | undefined }[];
}

/** Values of one series in one response: a day of samples, or 30 days in intervals of 15 minutes. */
export const maxPoints = 2_880;
const usualRangeMs = dayMs;
const longestAutoRawMs = 2 * 3_600_000;

export type MetricService = ReturnType<typeof metricService>;

export function metricService(db: Knex, nowMs: () => number = Date.now) {
  const store = metricStore(db);
  return {
    listNow: store.listNow,

    /** The history of a robot of the org. @throws bad_request if the range is empty */
    async read(orgId: string, robotId: string, query: MetricQuery): Promise<MetricHistory> {
      const now = nowMs();
      const asked = rangeOf(query, now);
      const resolution = query.resolution ?? usualResolution(asked, now);
      const grid = gridOf(asked, resolution, now);
      const [from, to] = [new Date(grid.startMs), new Date(grid.startMs + grid.length * grid.intervalMs)];
      const blocks = await store.readBlocks(orgId, robotId, from, to);
      if (resolution === 'raw') return historyOf(resolution, grid, query.series, { avg: samplesOn(grid, blocks) });
      const rollups = await store.readRollups(orgId, robotId, from, to);
      return historyOf(resolution, grid, query.series, bucketsOn(grid, rollups, blocks));
    },
  };
}

interface Range {
  sinceMs: number;
  untilMs: number;
}

function rangeOf({ since, until }: MetricQuery, now: number): Range {
  const untilMs = Math.min(until?.getTime() ?? now, now);
  const sinceMs = since?.getTime() ?? untilMs - usualRangeMs;
  if (since && until && since >= until) throw badRequest('query.since: must be before `until`');
  return { sinceMs, untilMs };
}

const usualResolution = ({ sinceMs, untilMs }: Range, now: number): Resolution =>
  untilMs - sinceMs <= longestAutoRawMs && sinceMs >= now - rawRetentionDays * dayMs ? 'raw' : '5m';

/** The part of the range that is kept, in intervals that are few enough. */
function gridOf({ sinceMs, untilMs }: Range, resolution: Resolution, now: number): Grid {
  const [stepMs, days] = resolution === 'raw' ? [sampleMs, rawRetentionDays] : [bucketMs, rollupRetentionDays];
  const firstMs = Math.max(sinceMs, now - days * dayMs);
  const intervalMs = stepMs * Math.max(1, Math.ceil((untilMs - firstMs) / stepMs / maxPoints));
  const endMs = Math.ceil(untilMs / intervalMs) * intervalMs;
  // Of the oldest interval only a part would be kept.
  const wantedMs = (sinceMs < firstMs ? Math.ceil : Math.floor)(firstMs / intervalMs) * intervalMs;
  const startMs = Math.max(wantedMs, endMs - maxPoints * intervalMs);
  return { startMs, intervalMs, length: Math.max(0, (endMs - startMs) / intervalMs) };
}

function historyOf(
  resolution: Resolution,
  grid: Grid,
  wanted: readonly SeriesName[],
  { avg, min, max }: Pick<Buckets, 'avg'> & Partial<Buckets>,
): MetricHistory {
  const series = wanted.flatMap((name) => {
    const index = seriesNames.indexOf(name);
    const values = avg[index] ?? [];
    if (!values.some((value) => value !== undefined)) return [];
    return [{ name, values, min: min?.[index], max: max?.[index] }];
  });
  return { resolution, ...grid, series };
}
