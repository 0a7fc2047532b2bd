import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eachInSlices } from '../../src/kernel/slices.ts';

test('work on many items lets others have their turn, and sees each item once and in order', async () => {
  const items = Array.from({ length: 320 }, (_each, index) => index * 2);
  const seen: [number, number][] = [];
  let turns = 0;
  const done = new AbortController();
  const others = (async () => {
    for (; !done.signal.aborted; turns += 1) await turn();
  })();
  await eachInSlices(items, (item, index) => {
    seen.push([item, index]);
    for (const until = performance.now() + 0.2; performance.now() < until;); // 64 ms in all
  });
  done.abort();
  await others;
  expect(seen).toEqual(items.map((item, index) => [item, index]));
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('an error ends the work', async () => {
  const seen: number[] = [];
  const work = eachInSlices([1, 2, 3], (item) => {
    seen.push(item);
    if (item === 2) throw new Error('broken');
  });
  await expect(work).rejects.toThrow('broken');
  expect(seen).toEqual([1, 2]);
});
