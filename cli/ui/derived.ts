import type { Freshness, Snapshot } from './data/freshness.ts';
import type { Readable } from './data/store.ts';

/**
 * The resource that `find` returns at each read. The data evicts an idle resource, and then has another one for the same
 * words: what is kept longer must not hold the first.
 */
export const foundAnew = <S>(find: () => Readable<S>): Readable<S> => ({
  get: () => find().get(),
  subscribe: (listener) => find().subscribe(listener),
});

/** A value derived from a state; recomputed only when the state changes. */
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

/** The same for the value of a resource, if it has one. */
export function derivedValue<S, T>(source: Readable<Snapshot<S>>, make: (value: S) => T): Readable<Snapshot<T>> {
  const values = derived(source, ({ value }) => value);
  const made = derived(values, (value) => (value === undefined ? undefined : make(value)));
  return derived(source, ({ freshness }) => ({ freshness, value: made.get() }));
}

/** A value derived from two resources, once both are loaded or one has failed. Its age is that of the older one. */
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
        // Times and poll intervals of both advance without notification while their values stay the same.
        if (freshness.kind === 'live') Object.assign(freshness, worse(a.freshness, b.freshness));
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

/** If one of two is unavailable, the other alone is incomplete. */
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
