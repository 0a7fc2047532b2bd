import type { Freshness, Snapshot } from './data/freshness.ts';
import type { Readable } from './data/store.ts';

/** What comes of a state; made again only when that is another one. */
function derived<S, T>(source: Readable<S>, make: (state: S) => T): Readable<T> {
  let last: { state: S; made: T } | undefined;
  return {
    subscribe: source.subscribe,
    get() {
      const state = source.get();
      if (!last || !Object.is(last.state, state)) last = { state, made: make(state) };
      return last.made;
    },
  };
}

/** The same of what a resource has, while that is there. */
export function derivedValue<S, T>(source: Readable<Snapshot<S>>, make: (value: S) => T): Readable<Snapshot<T>> {
  const values = derived(source, ({ value }) => value);
  const made = derived(values, (value) => (value === undefined ? undefined : make(value)));
  return derived(source, ({ freshness }) => ({ freshness, value: made.get() }));
}

/** What comes of two resources: as soon as both have come, or one cannot. It is as old as the older of them. */
export function derivedOfBoth<A, B, T>(
  [one, other]: readonly [Readable<Snapshot<A>>, Readable<Snapshot<B>>],
  make: (a: A | undefined, b: B | undefined) => T,
): Readable<Snapshot<T>> {
  let last: { a: Snapshot<A>; b: Snapshot<B>; made: Snapshot<T> } | undefined;
  return {
    subscribe(listener) {
      const ends = [one.subscribe(listener), other.subscribe(listener)];
      return () => ends.forEach((end) => end());
    },
    get() {
      const [a, b] = [one.get(), other.get()];
      if (last?.a === a && last.b === b) {
        const { freshness } = last.made;
        // The times of both move on without a word while the same comes again.
        if (freshness.kind === 'live') freshness.atMs = olderOf(a.freshness, b.freshness);
        return last.made;
      }
      const isSame = last !== undefined && last.a.value === a.value && last.b.value === b.value;
      const freshness = worse(a.freshness, b.freshness);
      const isThere = a.freshness.kind !== 'loading' && b.freshness.kind !== 'loading' && freshness.kind !== 'failed';
      const value =
        isSame && last?.made.value !== undefined ? last.made.value : isThere ? make(a.value, b.value) : undefined;
      last = { a, b, made: { freshness, value } };
      return last.made;
    },
  };
}

const olderOf = (...both: readonly Freshness[]) =>
  Math.min(...both.map((each) => ('atMs' in each ? (each.atMs ?? Infinity) : Infinity)));

/** Where one of two cannot be had, what there is of the other is not all of it. */
function worse(a: Freshness, b: Freshness): Freshness {
  const atMs = olderOf(a, b);
  if (a.kind === 'loading' || b.kind === 'loading') return { kind: 'loading', ...(Number.isFinite(atMs) && { atMs }) };
  const [failure] = [a, b].flatMap((each) => ('failure' in each ? [each.failure] : []));
  if (failure === undefined) {
    const restMs = Math.max(...[a, b].map((each) => ('restMs' in each ? (each.restMs ?? 0) : 0)));
    return { kind: 'live', atMs, ...(restMs > 0 && { restMs }) };
  }
  return Number.isFinite(atMs) ? { kind: 'stale', atMs, failure } : { kind: 'failed', failure };
}
