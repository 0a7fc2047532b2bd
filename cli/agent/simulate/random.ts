import { createHash } from 'node:crypto';

export type Random = () => number;

/** Numbers from 0 to 1 that are the same for the same seed on every machine. Not for secrets. */
export function seeded(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE();
  // Mulberry32.
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const between = (random: Random, low: number, high: number) => low + random() * (high - low);

/** `texts` must not be empty. */
export const oneOf = <T>(random: Random, texts: readonly T[]): T => texts[Math.floor(random() * texts.length)] as T;

/** A whole number whose mean is `mean`: 2.3 gives 2, and 3 in three of ten calls. */
export const around = (random: Random, mean: number) => Math.floor(mean + random());

/** Random intervals between independent events, `mean` apart on average. */
export const untilNext = (random: Random, mean: number) => -Math.log(1 - random()) * mean;
