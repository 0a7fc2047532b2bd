import { expect, test } from 'vitest';
import { assignWaves } from '../../../../src/deployments/engine/rollouts/assign-waves.ts';

const robots = (count: number, labels: (index: number) => Record<string, string> = () => ({})) =>
  Array.from({ length: count }, (_each, index) => ({ id: String(index), labels: labels(index) }));

/** The number of robots in each wave, from the first. */
const sizes = (waves: number[]) =>
  Array.from({ length: Math.max(...waves) }, (_each, index) => waves.filter((wave) => wave === index + 1).length);

test('waves take their share of all robots, rounded up, and the others form the last wave', () => {
  expect(sizes(assignWaves(robots(24), [{ percent: 5 }, { percent: 25 }]))).toEqual([2, 6, 16]);
  expect(sizes(assignWaves(robots(30), [{ percent: 10 }]))).toEqual([3, 27]);
  expect(sizes(assignWaves(robots(1_000), [{ percent: 0.7 }]))).toEqual([7, 993]);
});

test('a percentage of one robot is that robot, and of none nobody', () => {
  expect(assignWaves(robots(1), [{ percent: 1 }, { percent: 50 }])).toEqual([1]);
  expect(assignWaves([], [{ percent: 1 }])).toEqual([]);
});

test('a wave with labels takes only robots that have all of them, up to its size', () => {
  const some = robots(10, (index) => ({ tier: index < 4 ? 'canary' : 'usual', floor: String(index % 2) }));
  expect(sizes(assignWaves(some, [{ selector: 'tier=canary' }]))).toEqual([4, 6]);
  expect(sizes(assignWaves(some, [{ selector: 'tier=canary', count: 3 }, { percent: 50 }]))).toEqual([3, 5, 2]);
  expect(sizes(assignWaves(some, [{ selector: 'tier=canary,floor=1' }, { count: 1 }]))).toEqual([2, 1, 7]);
});

test('labels that robots inherit from nothing match nobody', () => {
  expect(assignWaves(robots(2), [{ selector: 'constructor=x' }, { count: 1 }])).toEqual([2, 3]);
});

test('waves that take all robots leave no last wave', () => {
  expect(sizes(assignWaves(robots(10), [{ percent: 50 }, { percent: 50 }]))).toEqual([5, 5]);
  expect(sizes(assignWaves(robots(3), [{ count: 5 }, { count: 5 }]))).toEqual([3]);
});

test('robots are taken in the order in which they are given', () => {
  expect(assignWaves(robots(4), [{ count: 1 }, { count: 2 }])).toEqual([1, 2, 2, 3]);
});
