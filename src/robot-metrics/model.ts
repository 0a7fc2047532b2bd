import type { HealthSnapshot } from '../../generated/frames.d.ts';
import { highest, usedPercent } from '../kernel/measured-values.ts';

/** One value of each series that a robot has, in the order in which they are stored: names are added at the end. */
export const seriesNames = ['battery', 'cpu', 'memory', 'disk', 'temperature', 'delay'] as const;
export type SeriesName = (typeof seriesNames)[number];

/** Percent, °C and, for `delay`, ms. Undefined: not measured. */
export type Measurements = Record<SeriesName, number | undefined>;

/** Service time between two samples of a robot, and between two rollups. */
export const sampleMs = 30_000;
export const bucketMs = 300_000;
/** A row of samples, and a row of rollups, covers this much time. */
export const blockMs = 600_000;
export const spanMs = 14_400_000;
export const samplesPerBlock = blockMs / sampleMs;
export const bucketsPerSpan = spanMs / bucketMs;

export const dayMs = 86_400_000;
/** Samples and rollups of this age and younger can be read. */
export const rawRetentionDays = 1;
export const rollupRetentionDays = 30;

/** Lowest and highest value of a series that is kept, and the smallest difference. A value beyond is moved to the limit. */
export const bounds: Readonly<Record<SeriesName, { low: number; high: number; step: number }>> = {
  battery: { low: 0, high: 100, step: 0.1 },
  cpu: { low: 0, high: 100, step: 0.1 },
  memory: { low: 0, high: 100, step: 0.1 },
  disk: { low: 0, high: 100, step: 0.1 },
  temperature: { low: -100, high: 300, step: 0.1 },
  delay: { low: 0, high: 30_000, step: 1 },
};

/** Measures a snapshot. A robot may send any numbers: each is finite and within its bounds afterwards. */
export function measure({ battery, cpu, memory, disk, temperature, link }: HealthSnapshot): Measurements {
  return {
    battery: within('battery', battery?.percent),
    cpu: within('cpu', cpu?.percent),
    memory: within('memory', usedPercent(memory?.total_bytes, memory?.available_bytes)),
    disk: within('disk', highest(disk?.map((each) => usedPercent(each.total_bytes, each.free_bytes)))),
    temperature: within('temperature', highest(temperature?.map(({ celsius }) => celsius))),
    delay: within('delay', link?.rtt_ms),
  };
}

function within(name: SeriesName, value: number | undefined): number | undefined {
  if (value === undefined || Number.isNaN(value)) return undefined;
  const { low, high, step } = bounds[name];
  const limited = Math.min(high, Math.max(low, value));
  return step === 1 ? Math.round(limited) : Math.round(limited * 10) / 10;
}

/** Values of the six series at equal distances; undefined: not measured. */
export type Row = (number | undefined)[];

/** Samples of one robot, from `startedAtMs` on, one every `sampleMs`: a row per series. */
export interface Block {
  startedAtMs: number;
  rows: readonly Row[];
}
