import type { BenchDatabase } from './database.ts';
import { summarise, type Round } from './pairing.ts';

/** One measured figure of a row: a line of the table. */
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
  goal?: { text: string; met: boolean };
}

/** What a row may use; everything it starts is its own to stop. */
export interface RowContext {
  /** Rounds to measure: `--rounds`, else the row's own number, a third of it under `--quick`. */
  rounds(usual: number): number;
  /** Requests of one round: the row's own number, a quarter of it under `--quick`. */
  requests(usual: number): number;
  /** A database on the Postgres of this run, with our schema unless `migrated: false`. The first row that asks starts it. */
  database(name: string, options?: { migrated: boolean }): Promise<BenchDatabase>;
  /** Progress for the person who waits, on stderr. */
  note(text: string): void;
}

export interface Row {
  /** As in the goals: H1, R1, C2. */
  id: string;
  work: string;
  against: string;
  run(context: RowContext): Promise<Line[]>;
}

/** A figure held against a peer measured in the same rounds; `atMost` is the goal for the ratio, none if left out. */
export function ratioLine(measure: string, rounds: readonly Round<number>[], atMost?: number): Line {
  const { ours, peer, ratio, spread } = summarise(rounds);
  const line = { measure, ours, peer, ratio, spread };
  return atMost === undefined ? line : { ...line, goal: { text: `<= ${atMost.toFixed(2)}x`, met: ratio <= atMost } };
}

/** The same for a figure that should be large; `goal` is the least for the ratio, none if left out. */
export function atLeastLine(measure: string, rounds: readonly Round<number>[], goal?: number): Line {
  const { ours, peer, ratio, spread } = summarise(rounds);
  const line = { measure, ours, peer, ratio, spread };
  return goal === undefined ? line : { ...line, goal: { text: `>= ${goal.toFixed(2)}x`, met: ratio >= goal } };
}

/** A figure with a plain limit in its own unit, or none. */
export function limitLine(measure: string, ours: number, atMost?: number): Line {
  return atMost === undefined
    ? { measure, ours }
    : { measure, ours, goal: { text: `<= ${atMost}`, met: ours <= atMost } };
}
