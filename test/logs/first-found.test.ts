import { expect, it } from 'vitest';
import { readLines } from '../../src/logs/body.ts';
import { firstFound } from '../../src/logs/first-found.ts';
import { comparePositions } from '../../src/logs/model.ts';
import type { Found } from '../../src/logs/reading.ts';

const foundAt = (receivedAtMs: number): Found => ({ receivedAtMs, robotId: 'r', seq: 1, line: '{}', chunkSeq: 1 });
const newest = (a: Found, b: Found) => comparePositions(b, a);
const timesOf = (found: readonly Found[]) => found.map(({ receivedAtMs }) => receivedAtMs);

it('keeps the first records of an order, and one more', () => {
  const first = firstFound(3, newest);
  const shuffled = Array.from({ length: 1_000 }, (_each, index) => (index * 617) % 1_000);
  for (const ms of shuffled) first.add(foundAt(ms));
  expect(timesOf(first.sorted())).toEqual([999, 998, 997, 996]);
});

it('says beyond which time nothing is kept, once it has as many as it keeps', () => {
  const first = firstFound(2, newest);
  for (const ms of [5, 1, 3]) first.add(foundAt(ms));
  expect(first.lastMs).toBeUndefined(); // until they are sorted
  expect(timesOf(first.sorted())).toEqual([5, 3, 1]);
  expect(first.lastMs).toBe(1);
  first.add(foundAt(2));
  expect(timesOf(first.sorted())).toEqual([5, 3, 2]);
  expect(first.lastMs).toBe(2);
});

it('reads only the lines of the wanted times, each with its place among the records', () => {
  const text = '{"a":1}\n20\n{"a":2}\n{"a":3}\n30\n{"a":4}\n20\n{"a":5}\n';
  const read = readLines({ receivedAtMs: 10, text }, (ms) => ms === 20);
  expect([...read]).toEqual([
    { receivedAtMs: 20, index: 1, line: '{"a":2}' },
    { receivedAtMs: 20, index: 2, line: '{"a":3}' },
    { receivedAtMs: 20, index: 4, line: '{"a":5}' },
  ]);
});
