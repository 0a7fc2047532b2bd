import type { ReferenceCount } from './reference-count.ts';

/** A resource of one robot or deployment is evicted after this idle time. */
const forgetAfterMs = 60_000;

type Kept = Pick<ReferenceCount, 'idleSinceMs'>;

/** Caches objects by words: the same words give the same object. */
export function cacheByKey<K extends Kept>(now: () => number) {
  const kept = new Map<string, K>();

  /** Evicts idle objects. Called when one is added, as only that needs memory. */
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
      if (known) return known as T; // the first word determines the type
      sweep();
      const made = make();
      kept.set(key, made);
      return made;
    },
    all: () => kept.values(),
  };
}
