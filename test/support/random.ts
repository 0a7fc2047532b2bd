/** Numbers determined by a seed (mulberry32), so that a failing run can be repeated. */
export interface Random {
  /** From 0 up to, but not including, `below`. */
  below(below: number): number;
  /** True with this probability, 0 to 1. */
  chance(share: number): boolean;
  /** @throws for an empty list */
  pick<T>(list: readonly T[]): T;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new Error('nothing to pick from');
      return list[below(list.length)] as T; // below the length
    },
  };
}
