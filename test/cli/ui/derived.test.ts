import { expect, test } from 'vitest';
import type { Snapshot } from '../../../cli/ui/data/freshness.ts';
import { createStore } from '../../../cli/ui/data/store.ts';
import { derivedOfBoth } from '../../../cli/ui/derived.ts';

test('what comes of two lists is as old as the older one, also while the same comes again', () => {
  const one = createStore<Snapshot<string>>({ value: 'a', freshness: { kind: 'live', atMs: 10, restMs: 2_000 } });
  const other = createStore<Snapshot<string>>({ value: 'b', freshness: { kind: 'live', atMs: 20, restMs: 9_000 } });
  const both = derivedOfBoth([one, other], (a, b) => `${a}${b}`);
  const first = both.get();
  expect(first).toEqual({ value: 'ab', freshness: { kind: 'live', atMs: 10, restMs: 9_000 } });
  for (const { freshness } of [one.get(), other.get()]) Object.assign(freshness, { atMs: 30, restMs: 30_000 });
  expect(both.get()).toBe(first);
  expect(first.freshness).toEqual({ kind: 'live', atMs: 30, restMs: 30_000 });
  one.set({ value: 'a', freshness: { kind: 'loading', atMs: 30 } });
  expect(both.get()).toEqual({ value: 'ab', freshness: { kind: 'loading', atMs: 30 } });
});
