import { median } from './pairing.ts';
import type { Line } from './row.ts';

/** A line of the table: one measure, of all processes that measured it. */
export interface MergedLine extends Omit<Line, 'peer' | 'ratio' | 'spread'> {
  /** Medians of the processes. */
  ours: number;
  peer: number | undefined;
  ratio: number | undefined;
  /**
   * Smallest and largest of the processes: of the figure that the goal is for, else of the ratio, else of ours. Of a single
   * process the ratios of its rounds.
   */
  spread: readonly [number, number] | undefined;
  /** Processes that measured it. */
  runs: number;
}

/** What the spread of a line is about. */
export const spreadOf = ({ goal, ratio }: Line | MergedLine): 'ratio' | 'ours' =>
  goal?.of ?? (ratio === undefined ? 'ours' : 'ratio');

/** One line for each measure, in the order of the first process that has it. */
export function mergeRuns(runs: readonly (readonly Line[])[]): MergedLine[] {
  const measured = new Map<string, Line[]>();
  for (const line of runs.flat()) measured.set(line.measure, [...(measured.get(line.measure) ?? []), line]);
  return [...measured.values()].map(mergeLines);
}

function mergeLines(lines: readonly Line[]): MergedLine {
  const figures = (figure: 'ours' | 'peer' | 'ratio') => lines.flatMap((line) => line[figure] ?? []);
  const middle = (values: readonly number[]) => (values.length > 0 ? median(values) : undefined);
  const [first] = lines as [Line]; // a measure is there because a line has it
  const spread = figures(spreadOf(first));
  const ofRounds = spreadOf(first) === 'ratio' ? first.spread : undefined;
  return {
    ...first,
    ours: median(figures('ours')),
    peer: middle(figures('peer')),
    ratio: middle(figures('ratio')),
    spread: lines.length > 1 ? [Math.min(...spread), Math.max(...spread)] : ofRounds,
    runs: lines.length,
  };
}
