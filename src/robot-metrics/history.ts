import {
  blockMs,
  bucketMs,
  sampleMs,
  samplesPerBlock,
  bucketsPerSpan,
  seriesNames,
  type Block,
  type Row,
} from './model.ts';
import { unpackBuckets, unpackSamples, type Buckets } from './packing.ts';
import type { PackedRow } from './store.ts';

/** Values of the six series at `startMs`, `startMs + intervalMs` and so on; a row per series. */
export interface Grid {
  startMs: number;
  intervalMs: number;
  length: number;
}

export const emptyRows = (length: number): Row[] =>
  seriesNames.map(() => new Array<number | undefined>(length).fill(undefined));
const emptyBuckets = (length: number): Buckets => ({
  min: emptyRows(length),
  avg: emptyRows(length),
  max: emptyRows(length),
});

const unpacked = ({ startedAt, body }: PackedRow): Block => ({
  startedAtMs: startedAt.getTime(),
  rows: unpackSamples(body, samplesPerBlock),
});

/** Samples at their times. Blocks of two replicas for the same time complement each other. */
export function samplesOn({ startMs, length }: Grid, blocks: readonly PackedRow[]): Row[] {
  const rows = emptyRows(length);
  for (const block of blocks) {
    const { startedAtMs, rows: values } = unpacked(block);
    const first = Math.round((startedAtMs - startMs) / sampleMs);
    values.forEach((row, series) =>
      row.forEach((value, at) => {
        const place = first + at;
        if (value !== undefined && place >= 0 && place < length) (rows[series] as Row)[place] = value;
      }),
    );
  }
  return rows;
}

/** Five minutes each, from `startMs` on, a multiple of five minutes. */
export function bucketsOf(startMs: number, length: number, blocks: readonly PackedRow[]): Buckets {
  const perBucket = bucketMs / sampleMs;
  const samples = samplesOn({ startMs, intervalMs: sampleMs, length: length * perBucket }, blocks);
  return merged({ min: samples, avg: samples, max: samples }, perBucket);
}

/** Buckets of `factor` times the length: lowest of the lowest, mean of the means, highest of the highest. */
export function merged({ min, avg, max }: Buckets, factor: number): Buckets {
  if (factor === 1) return { min, avg, max };
  const over = (rows: readonly Row[], fold: (values: number[]) => number) =>
    rows.map((row) => {
      const made: Row = [];
      for (let at = 0; at < row.length; at += factor) {
        const values = row.slice(at, at + factor).filter((value) => value !== undefined);
        made.push(values.length === 0 ? undefined : fold(values));
      }
      return made;
    });
  return {
    min: over(min, (values) => Math.min(...values)),
    avg: over(avg, mean),
    max: over(max, (values) => Math.max(...values)),
  };
}

const mean = (values: number[]): number =>
  Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10;

/** Rollups where there are some, else made from the samples, which are not rolled up for some hours. */
export function bucketsOn(
  { startMs, intervalMs, length }: Grid,
  rollups: readonly PackedRow[],
  blocks: readonly PackedRow[],
): Buckets {
  const factor = intervalMs / bucketMs;
  const buckets = emptyBuckets(length * factor);
  const put = (fromMs: number, from: Buckets) => {
    const first = Math.round((fromMs - startMs) / bucketMs);
    for (const kind of ['min', 'avg', 'max'] as const)
      from[kind].forEach((row, series) =>
        row.forEach((value, at) => {
          const place = first + at;
          if (value !== undefined && place >= 0 && place < length * factor)
            (buckets[kind][series] as Row)[place] = value;
        }),
      );
  };
  const startsMs = blocks.map(({ startedAt }) => startedAt.getTime());
  const firstMs = Math.min(...startsMs) - (Math.min(...startsMs) % bucketMs);
  if (blocks.length > 0)
    put(firstMs, bucketsOf(firstMs, Math.ceil((Math.max(...startsMs) + blockMs - firstMs) / bucketMs), blocks));
  for (const { startedAt, body } of rollups) put(startedAt.getTime(), unpackBuckets(body, bucketsPerSpan));
  return merged(buckets, factor);
}
