import { shuffled } from './pairing.ts';
import { mergeRuns } from './merging.ts';
import type { Outcome } from './report.ts';
import type { RowAnswer } from './row-runs.ts';
import type { Line, Row } from './row.ts';

/** A row, and what its processes gave so far. */
export interface Measured {
  row: Row;
  /** Processes that are planned. */
  processes: number;
  runs: Line[][];
  failure?: string;
}

/** Measures a row in one process; it is aborted after `withinMs`, if that is given. */
export type MeasureOnce = (each: Measured, withinMs?: number) => Promise<RowAnswer>;

export const toMeasure = (row: Row, processes: number): Measured => ({ row, processes, runs: [] });

export const outcomeOf = ({ row, runs, failure }: Measured): Outcome =>
  failure === undefined ? { row, lines: mergeRuns(runs) } : { row, lines: [], failure };

/**
 * One process after the other, because two at once would measure each other. Those of all rows are in random order: what
 * the machine does for some minutes falls on several rows, not on every process of one.
 */
export async function measureAll(rows: readonly Measured[], once: MeasureOnce, signal: AbortSignal): Promise<void> {
  const missing = ({ processes, runs }: Measured) => Math.max(0, processes - runs.length);
  for (const each of shuffled(rows.flatMap((row) => Array.from({ length: missing(row) }, () => row)))) {
    if (signal.aborted) return;
    if (each.failure === undefined) take(each, await once(each));
  }
}

/** How many times its even share of the time the first process of a row gets, so that no row starves the others. */
const sharesOfFirst = 4;

/**
 * Measures each row once, and then again, the rows with the fewest runs first, while the longest run of a row fits in the time
 * that is left. Ends within `budgetMs`; a row whose first process was too slow has failed.
 */
export async function measureWithin(
  rows: readonly Measured[],
  budgetMs: number,
  once: MeasureOnce,
  signal: AbortSignal,
  now: () => number = () => performance.now(),
): Promise<void> {
  const deadline = now() + budgetMs;
  const longestMs = new Map<Measured, number>();
  const run = async (each: Measured, withinMs: number) => {
    const startedAt = now();
    const answer = await once(each, withinMs);
    const tookMs = now() - startedAt;
    longestMs.set(each, Math.max(tookMs, longestMs.get(each) ?? 0));
    if ('lines' in answer || tookMs < withinMs) take(each, answer);
    else if (each.runs.length === 0) each.failure = `took more than its ${Math.round(withinMs / 1000)} s`;
  };
  const first = shuffled(rows);
  const limitMs = (budgetMs / first.length) * sharesOfFirst;
  for (const each of first) {
    if (signal.aborted) return;
    const leftMs = deadline - now();
    if (leftMs <= 0) each.failure = 'no time was left';
    else await run(each, Math.min(leftMs, limitMs));
  }
  const next = () =>
    first
      .filter((each) => each.failure === undefined && each.runs.length < each.processes)
      .filter((each) => (longestMs.get(each) ?? 0) <= deadline - now())
      .sort((one, other) => one.runs.length - other.runs.length)[0];
  for (let each = next(); each && !signal.aborted; each = next()) await run(each, deadline - now());
}

function take(each: Measured, answer: RowAnswer): void {
  if ('lines' in answer) each.runs.push(answer.lines);
  else each.failure = answer.failure;
}
