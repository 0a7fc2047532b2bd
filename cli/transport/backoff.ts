/** Upper limits of doubling waits: for the first wait, and for all later ones. */
export interface Ceilings {
  firstMs: number;
  lastMs: number;
}

/** For links, streams and everything that is retried until it succeeds: from 1 s to 30 s. */
const lasting: Ceilings = { firstMs: 2_000, lastMs: 30_000 };

/**
 * The wait after this many failures, times 0.5 to 1.0. This spreads callers that failed together, also at the last
 * ceiling.
 */
export const waitAfter = (
  failures: number,
  { firstMs, lastMs }: Ceilings,
  random: () => number = Math.random,
): number => Math.min(firstMs * 2 ** (failures - 1), lastMs) * (0.5 + random() / 2);

/** Ceilings of 2, 4, 8, 16, 30, 30 … s. */
export function* backoffMs(random: () => number = Math.random): Generator<number, never> {
  for (let failures = 1; ; failures += 1) yield waitAfter(failures, lasting, random);
}
