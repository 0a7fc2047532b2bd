import type { ReferenceCount } from './reference-count.ts';

/** Something of one robot or one deployment is forgotten when nobody wanted it for so long. */
const forgetAfterMs = 60_000;

type Kept = Pick<ReferenceCount, 'idleSinceMs'>;

/** Keeps what was made for some words, so that the same words give the same again. */
export function cacheByKey<K extends Kept>(now: () => number) {
  const kept = new Map<string, K>();

  /** Memory is needed by what is made anew: that is when what nobody wants goes. */
  function sweep(): void {
    for (const [key, thing] of kept) {
      const idleSinceMs = thing.idleSinceMs();
      if (idleSinceMs !== undefined && now() - idleSinceMs > forgetAfterMs) kept.delete(key);
    }
  }

  return {
    by<T extends K>(words: readonly string[], make: () => T): T {
      const key = JSON.stringify(words);
      const known = kept.get(key);
      if (known) return known as T; // the first of the words says what it is
      sweep();
      const made = make();
      kept.set(key, made);
      return made;
    },
    all: () => kept.values(),
  };
}
