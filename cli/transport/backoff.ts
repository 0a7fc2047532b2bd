/** Ceilings of 2, 4, 8, 16, 30, 30 … s, each times 0.5–1.0: from 1 s to 30 s, and spread also at the cap. */
export function* backoffMs(random: () => number = Math.random): Generator<number, never> {
  for (let ceiling = 2_000; ; ceiling = Math.min(ceiling * 2, 30_000)) yield ceiling * (0.5 + random() / 2);
}
