import type { BenchDatabase } from './database.ts';
import type { Goal } from './goal.ts';
import { summarise, type Round } from './pairing.ts';

/** One figure that one process measured for a row. */
export interface Line {
  /** What was counted, with its unit: `CPU us/request`. */
  measure: string;
  ours: number;
  /** The figure of the peer or floor in the same run; undefined where the goal is a plain limit. */
  peer?: number;
  /** Median of the per-round ratios ours / peer. */
  ratio?: number;
  /** Smallest and largest per-round ratio: how far the median can be trusted. */
  spread?: readonly [number, number];
  /** What must hold; a line without one is shown for reading beside the others. */
  goal?: Goal;
}

/** What a row may use; everything it starts is its own to stop. */
export interface RowContext {
  /** Rounds to measure: `--rounds`, else this process's share of the row's own number, a third of that under `--quick`. */
  rounds(usual: number): number;
  /** Requests of one round: the row's own number, a quarter of it under `--quick`. */
  requests(usual: number): number;
  /** A database on the Postgres of this process, with our schema unless `migrated: false`. The first call starts it. */
  database(name: string, options?: { migrated: boolean }): Promise<BenchDatabase>;
  /** Progress for the person who waits, on stderr. */
  note(text: string): void;
}

export interface Row {
  /** As in the goals: H1, R1, C2. */
  id: string;
  work: string;
  against: string;
  /** 1 where one process is enough, for a reason that the row gives; otherwise as many as `--processes` says. */
  processes?: 1;
  run(context: RowContext): Promise<Line[]>;
}

/** A figure held against a peer measured in the same rounds; `atMost` is the goal for the ratio, none if left out. */
export const ratioLine = (measure: string, rounds: readonly Round<number>[], atMost?: number): Line => ({
  measure,
  ...summarise(rounds),
  ...goalOf('ratio', 'at most', atMost),
});

/** The same for a figure that should be large; `atLeast` is the goal for the ratio, none if left out. */
export const atLeastLine = (measure: string, rounds: readonly Round<number>[], atLeast?: number): Line => ({
  measure,
  ...summarise(rounds),
  ...goalOf('ratio', 'at least', atLeast),
});

/** A figure with a plain limit in its own unit, or none. */
export const limitLine = (measure: string, ours: number, atMost?: number): Line => ({
  measure,
  ours,
  ...goalOf('ours', 'at most', atMost),
});

/** The same for a figure that should be large. */
export const leastLine = (measure: string, ours: number, atLeast: number): Line => ({
  measure,
  ours,
  ...goalOf('ours', 'at least', atLeast),
});

const goalOf = (of: Goal['of'], is: Goal['is'], bound: number | undefined): { goal?: Goal } =>
  bound === undefined ? {} : { goal: { of, is, bound } };
