import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { randomFrom } from '../support/random.ts';
import { replaceSection } from './harness/section.ts';
import { costs, rules } from './simulation/costs.ts';
import { releaseToAll } from './simulation/releasing.ts';
import { comeBack } from './simulation/returning.ts';
import { simulationTable } from './simulation/table.ts';

const storm = (robots: number, replicas: number, seed = 1) =>
  comeBack({ robots, replicas, downSeconds: 0, random: randomFrom(seed) });

test('agents that replicas can accept at once are back after one backoff, and none waits', () => {
  const { allSeconds, longestQueue } = storm(400, 1);
  expect(allSeconds).toBeGreaterThan(1.9);
  expect(allSeconds).toBeLessThanOrEqual(2.01);
  expect(longestQueue).toBe(0);
});

test('more agents come back no faster than replicas accept them, and faster with more replicas', () => {
  const [one, four] = [storm(20_000, 1), storm(20_000, 4)];
  expect(one.allSeconds).toBeGreaterThan(20_000 / rules.admitPerSecond - 1);
  expect(one.mostSeconds).toBeLessThanOrEqual(one.allSeconds);
  expect(one.longestQueue).toBeGreaterThan(15_000);
  expect(four.allSeconds).toBeLessThan(one.allSeconds / 2);
});

test('agents count from the moment at which the service is there again', () => {
  const { allSeconds } = comeBack({ robots: 100, replicas: 1, downSeconds: 600, random: randomFrom(1) });
  expect(allSeconds).toBeGreaterThan(15);
  expect(allSeconds).toBeLessThan(31);
});

test('a release without work takes as long as its reports, and with work as long as the slowest robot', () => {
  const rollout = { robots: 10_000, replicas: 8, random: randomFrom(1) };
  const idle = releaseToAll({ ...rollout, work: [[0, 0]] });
  const least = 2 * 10_000 * costs.reportSeconds;
  expect(idle.allSeconds).toBeGreaterThan(least);
  expect(idle.allSeconds).toBeLessThan(least + 1);
  expect(idle.cores).toBeCloseTo((2 * 10_000 * costs.reportCpuSeconds) / idle.allSeconds);
  const slow = releaseToAll({ ...rollout, work: [[20, 40]] });
  expect(slow.allSeconds).toBeGreaterThan(40);
  expect(slow.allSeconds).toBeLessThan(43);
  expect(slow.longestQueue).toBeLessThan(idle.longestQueue + 1);
});

test('a simulation is the same for the same seed, and another for another', () => {
  expect(storm(5_000, 1)).toEqual(storm(5_000, 1));
  expect(storm(5_000, 1, 2)).not.toEqual(storm(5_000, 1));
});

test('the page on scale has the table that the simulation gives', async () => {
  const page = await readFile('docs/explanation/scale.md', 'utf8');
  expect(replaceSection(page, 'simulation', simulationTable)).toBe(page);
});
