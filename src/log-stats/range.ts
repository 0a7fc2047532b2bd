import { badRequest } from '../kernel/errors.ts';
import { stepMsOf, steps, type Grid, type Step } from './model.ts';

/** Which intervals are wanted. */
export interface RangeQuery {
  since: Date | undefined; // default: a day before `until`
  until: Date | undefined; // default: now
  step: Step | undefined; // default: the shortest with at most `usualIntervals`
}

const usualRangeMs = stepMsOf('1d');
const usualIntervals = 200;
const maxIntervals = 1_000;

/** What a range is read from. */
interface Kept {
  nowMs: number;
  oldestMs: number; // of what is kept
  isSplit: boolean; // into several series: then at most `usualIntervals`
}

/**
 * The whole intervals that the range touches, of what is kept.
 * @throws bad_request for an empty range, or too many intervals
 */
export function gridOf({ since, until, step }: RangeQuery, { nowMs, oldestMs, isSplit }: Kept): Grid {
  if (since && until && since >= until) throw badRequest('query.since: must be before `until`');
  const lastMs = Math.min(until?.getTime() ?? nowMs, nowMs);
  const firstMs = Math.max(since?.getTime() ?? lastMs - usualRangeMs, oldestMs);
  const gridWith = (each: Step): Grid => {
    const ms = stepMsOf(each);
    const startMs = Math.floor(firstMs / ms) * ms;
    return { step: each, startMs, endMs: Math.max(startMs, Math.ceil(lastMs / ms) * ms) };
  };
  const grid =
    step === undefined
      ? (steps.map(gridWith).find((each) => intervalsIn(each) <= usualIntervals) ?? gridWith('1d'))
      : gridWith(step);
  const limit = isSplit ? usualIntervals : maxIntervals;
  if (intervalsIn(grid) > limit)
    throw badRequest(
      `query.step: the range has ${intervalsIn(grid)} intervals of ${grid.step}, more than ${limit}; use a longer step or a shorter range`,
    );
  return grid;
}

const intervalsIn = ({ step, startMs, endMs }: Grid): number => (endMs - startMs) / stepMsOf(step);
