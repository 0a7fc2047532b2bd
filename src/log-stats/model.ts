import { levels, type Level } from '../kernel/log-levels.ts';

const minuteMs = 60_000;

/** Lengths of intervals, the shortest first; each divides the next. All begin at multiples of them since 1970, in UTC. */
const stepMinutes = { '10m': 10, '1h': 60, '1d': 1_440 } as const;
export type Step = keyof typeof stepMinutes;
export const steps = Object.keys(stepMinutes) as Step[];
export const stepMsOf = (step: Step): number => stepMinutes[step] * minuteMs;

/** The shortest interval. */
export const slotMs = stepMsOf('10m');

/** Sources of a robot in a fleet that are counted by name on a day. A robot can invent any number of them. */
export const maxNamedSources = 32;
/** The name under which records of further sources are counted. No source has it: the name of a source is not empty. */
export const otherSources = '';

/** Records by level, and the bytes of their text. */
export interface Counts {
  lines: number;
  bytes: number;
  levels: Record<Level, number>;
}

export const noCounts = (): Counts => ({
  lines: 0,
  bytes: 0,
  levels: { debug: 0, info: 0, warn: 0, error: 0, fatal: 0 },
});

export function addCounts(to: Counts, each: Counts, sign: 1 | -1): void {
  to.lines += sign * each.lines;
  to.bytes += sign * each.bytes;
  for (const level of levels) to.levels[level] += sign * each.levels[level];
}

/** Records that a robot sent as part of a fleet from one source, and that were received within one slot. */
export interface SlotCounts extends Counts {
  robotId: string;
  fleetId: string;
  source: string;
  slotAtMs: number;
}

/** Records of one interval. */
export interface Point extends Counts {
  atMs: number;
}

/** The counts of a range, and of those of its intervals that have records, in order. */
export interface Series extends Counts {
  points: readonly Point[];
}

/** Intervals of one length. */
export interface Grid {
  step: Step;
  startMs: number;
  endMs: number;
}

/** Splits a range into intervals that are as long as possible. Its bounds are multiples of `slotMs`. */
export function longIntervals(startMs: number, endMs: number, from: readonly Step[] = steps): Grid[] {
  const step = from.at(-1);
  if (step === undefined || startMs >= endMs) return [];
  const ms = stepMsOf(step);
  const shorter = from.slice(0, -1);
  const [firstMs, lastMs] = [Math.ceil(startMs / ms) * ms, Math.floor(endMs / ms) * ms];
  if (firstMs >= lastMs) return longIntervals(startMs, endMs, shorter);
  return [
    ...longIntervals(startMs, firstMs, shorter),
    { step, startMs: firstMs, endMs: lastMs },
    ...longIntervals(lastMs, endMs, shorter),
  ];
}
