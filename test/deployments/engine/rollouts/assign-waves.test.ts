import { expect, test } from 'vitest';
import { assignWaves } from '../../../../src/deployments/engine/rollouts/assign-waves.ts';

/** `matches`: those of one robot, for each wave. */
const robots = (count: number, matches: (index: number) => boolean[] = () => Array<boolean>(20).fill(true)) =>
  Array.from({ length: count }, (_each, index) => ({ matches: matches(index) }));

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

test('a wave takes only robots that match its selector, up to its size', () => {
  const some = robots(10, (index) => [index < 4, true]);
  expect(sizes(assignWaves(some, [{}]))).toEqual([4, 6]);
  expect(sizes(assignWaves(some, [{ count: 3 }, { percent: 50 }]))).toEqual([3, 5, 2]);
});

test('a robot that does not match the first wave may be in the second', () => {
  expect(
    assignWaves(
      robots(3, (index) => [index === 2, true]),
      [{}, { count: 1 }],
    ),
  ).toEqual([2, 3, 1]);
});

test('waves that take all robots leave no last wave', () => {
  expect(sizes(assignWaves(robots(10), [{ percent: 50 }, { percent: 50 }]))).toEqual([5, 5]);
  expect(sizes(assignWaves(robots(3), [{ count: 5 }, { count: 5 }]))).toEqual([3]);
});

test('robots are taken in the order in which they are given', () => {
  expect(assignWaves(robots(4), [{ count: 1 }, { count: 2 }])).toEqual([1, 2, 2, 3]);
});
