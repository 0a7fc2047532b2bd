import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortInSlices } from '../../src/kernel/sliced-sort.ts';

const byKey = ([a]: readonly [number, number], [b]: readonly [number, number]) => a - b;

test('items are sorted as at once, and those with the same key keep their order', async () => {
  const keys = fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 3_000, size: 'max' });
  await fc.assert(
    fc.asyncProperty(keys, async (list) => {
      const items = list.map((key, place) => [key, place] as const);
      expect(await sortInSlices(items, byKey)).toEqual([...items].sort(byKey));
    }),
    { numRuns: 50 },
  );
});

test('others have their turn while many items are sorted', async () => {
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 0);
  const items = Array.from({ length: 200_000 }, (_each, index) => (index * 7_919) % 200_003);
  await sortInSlices(items, (a, b) => a - b).finally(() => clearInterval(ticking));
  expect(turns).toBeGreaterThan(3);
});
