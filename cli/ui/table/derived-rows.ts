import type { Snapshot } from '../data/freshness.ts';
import type { Readable } from '../data/store.ts';
import type { Ui } from '../ui.ts';

/** One object per run of the interface. */
export function perUi<T extends object>(make: (ui: Ui) => T): (ui: Ui) => T {
  const made = new WeakMap<Ui, T>();
  return (ui) => {
    const one = made.get(ui) ?? make(ui);
    made.set(ui, one);
    return one;
  };
}

/** Rows derived from a list and other data; recomputed only when one of these changes. */
export function derivedRows<T, R>(
  main: Readable<Snapshot<T>>,
  others: readonly Readable<Snapshot<unknown>>[],
  make: (value: T) => readonly R[],
): Readable<Snapshot<readonly R[]>> {
  let inputs: readonly unknown[] = [];
  let last: Snapshot<readonly R[]> = { value: undefined, freshness: { kind: 'loading' } };
  function get(): Snapshot<readonly R[]> {
    const { value, freshness } = main.get();
    const now = [value, ...others.map((other) => other.get().value)];
    const isSame = now.every((input, index) => input === inputs[index]);
    if (isSame && freshness === last.freshness) return last;
    last = { value: isSame ? last.value : value === undefined ? undefined : make(value), freshness };
    inputs = now;
    return last;
  }
  return {
    get,
    subscribe(listener) {
      const ends = [main, ...others].map((one) => one.subscribe(listener));
      return () => ends.forEach((end) => end());
    },
  };
}
