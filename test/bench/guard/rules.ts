import type { Goal } from '../harness/goal.ts';
import type { Measured } from '../harness/measuring.ts';
import { median, quantile } from '../harness/pairing.ts';

/** The loss that the guard detects. */
export const detectedLoss = 0.15;

/** Above it a line is not guarded: its noise could hide the loss, or look like one. */
export const mostNoise = detectedLoss / 2;

/** A line of the baseline. */
export interface BaselineLine {
  row: string;
  measure: string;
  /** What its goal says of the ratio. */
  wanted: Goal['is'];
  ratio: number;
  /** 0.05: two sets of processes of the same build differ by 5 %. */
  noise: number;
  /** Processes of both sets. */
  processes: number;
  isGuarded: boolean;
  /** Of the product. */
  version: string;
  /** UTC, to the minute. */
  measured: string;
}

/** A line of the baseline beside what was measured now. */
export interface Verdict extends BaselineLine {
  now: number | undefined;
  /** 0.2: 20 % worse; negative if it is better. */
  loss: number | undefined;
  isWorse: boolean;
}

/**
 * A/A: by how much the medians of two sets of processes of the same build differ, for nine of ten ways to divide the ratios into two
 * equal sets.
 */
export function noiseOf(ratios: readonly number[]): number {
  const half = Math.floor(ratios.length / 2);
  if (half === 0) return Infinity;
  const differences = subsets(ratios, half).map(({ inside, outside }) => {
    const [one, other] = [median(inside), median(outside)];
    return Math.max(one, other) / Math.min(one, other) - 1;
  });
  return quantile(differences, 0.9);
}

interface Division {
  inside: number[];
  outside: number[];
}

/** All ways to take `count` of the values. */
function subsets([first, ...rest]: readonly number[], count: number): Division[] {
  if (first === undefined) return count === 0 ? [{ inside: [], outside: [] }] : [];
  const taken = count > 0 ? subsets(rest, count - 1) : [];
  return [
    ...taken.map(({ inside, outside }) => ({ inside: [first, ...inside], outside })),
    ...subsets(rest, count).map(({ inside, outside }) => ({ inside, outside: [first, ...outside] })),
  ];
}

/** Lines that can be in the guard: with a peer in the same run, and a goal that says which way is worse. */
export function baselineLines(
  { row, runs }: Pick<Measured, 'row' | 'runs'>,
  state: Pick<BaselineLine, 'version' | 'measured'>,
): BaselineLine[] {
  const lines = (runs[0] ?? []).flatMap(({ measure, goal, ratio }) =>
    goal && ratio !== undefined ? [{ measure, goal }] : [],
  );
  return lines.map(({ measure, goal }) => {
    const ratios = ratiosOf(runs, measure);
    const noise = noiseOf(ratios);
    return {
      row: row.id,
      measure,
      wanted: goal.is,
      ratio: rounded(median(ratios)),
      noise: rounded(noise),
      processes: ratios.length,
      isGuarded: noise <= mostNoise,
      ...state,
    };
  });
}

/**
 * Compares a row with its lines in the baseline. The limit of a line is the detected loss minus its noise: a loss that noise makes look
 * smaller is still seen, and noise alone stays below the limit. A guarded line that is missing now counts as worse.
 */
export function verdictsOf(lines: readonly BaselineLine[], { row, runs }: Pick<Measured, 'row' | 'runs'>): Verdict[] {
  return lines
    .filter((line) => line.row === row.id)
    .map((line) => {
      const ratios = ratiosOf(runs, line.measure);
      if (ratios.length === 0) return { ...line, now: undefined, loss: undefined, isWorse: line.isGuarded };
      const now = median(ratios);
      const loss = (line.wanted === 'at most' ? now / line.ratio : line.ratio / now) - 1;
      return { ...line, now, loss, isWorse: line.isGuarded && loss > detectedLoss - line.noise };
    });
}

const ratiosOf = (runs: Measured['runs'], measure: string): number[] =>
  runs.flatMap((lines) => lines.find((line) => line.measure === measure)?.ratio ?? []);

const rounded = (value: number): number => Number(value.toFixed(4));
