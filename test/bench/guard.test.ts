import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { guardedRows } from './guard/guard.ts';
import { baselineLines, mostNoise, noiseOf, verdictsOf, type BaselineLine } from './guard/rules.ts';
import { projectPath } from './harness/child.ts';
import { atLeastLine, limitLine, ratioLine, type Row } from './harness/row.ts';
import { rows } from './rows/index.ts';

const row: Row = { id: 'C1', work: 'a thing', against: 'another', run: async () => [] };
const state = { version: '0.1.0', measured: '2026-11-28 19:50' };
/** What processes measured, by their ratios: a time, which should be small, and a rate, which should be large. */
const timesOf = (ratios: readonly number[]) => ratios.map((ratio) => [ratioLine('ms', [{ ours: ratio, peer: 1 }], 2)]);
const ratesOf = (ratios: readonly number[]) =>
  ratios.map((ratio) => [atLeastLine('/s', [{ ours: ratio, peer: 1 }], 0.5)]);

/** Ratios of `cli --help` on a quiet machine. */
const quiet = [1.26, 1.28, 1.29, 1.27, 1.28, 1.3];
/** The same beside other work. */
const busy = [1.05, 1.28, 1.61, 1.12, 1.4, 1.9];
const times = (factor: number) => quiet.slice(0, 3).map((ratio) => ratio * factor);
const baseline = baselineLines({ row, runs: timesOf(quiet) }, state);

test('a loss of 15 % is detected, for times and for rates', () => {
  expect(verdictsOf(baseline, { row, runs: timesOf(times(1.15)) })).toMatchObject([{ measure: 'ms', isWorse: true }]);
  const rates = baselineLines({ row, runs: ratesOf(quiet) }, state);
  const [slower] = verdictsOf(rates, { row, runs: ratesOf(times(1 / 1.15)) });
  expect(slower?.isWorse).toBe(true);
  expect(slower?.loss).toBeCloseTo(0.15, 1);
});

test('a gain, and a loss that is as large as the noise, are no loss', () => {
  for (const factor of [0.7, 1, 1 + (baseline[0]?.noise ?? 0)])
    expect(verdictsOf(baseline, { row, runs: timesOf(times(factor)) })).toMatchObject([{ isWorse: false }]);
});

test('the limit of a line is the detected loss minus its noise', () => {
  const line = { ...(baseline[0] as BaselineLine), ratio: 1, noise: 0.07 };
  const isWorse = (ratio: number) => verdictsOf([line], { row, runs: timesOf([ratio]) })[0]?.isWorse;
  expect([isWorse(1.079), isWorse(1.081)]).toEqual([false, true]);
});

test('noise is by how much two halves of the processes of one build differ, for nine of ten divisions', () => {
  expect(noiseOf([1, 1, 1, 1])).toBe(0);
  expect(noiseOf([1, 1.1])).toBeCloseTo(0.1);
  expect(noiseOf(quiet)).toBeLessThan(0.02);
  expect(noiseOf([1])).toBe(Infinity);
});

test('a line with noise that could hide the loss is not guarded, and never worse', () => {
  const [line] = baselineLines({ row, runs: timesOf(busy) }, state);
  expect(line?.noise).toBeGreaterThan(mostNoise);
  expect(line?.isGuarded).toBe(false);
  expect(verdictsOf([line as BaselineLine], { row, runs: timesOf([9, 9, 9]) })).toMatchObject([{ isWorse: false }]);
});

test('the baseline has the lines that have a peer and a goal', () => {
  const one = [
    ratioLine('ms', [{ ours: 2, peer: 1 }], 2),
    ratioLine('p99', [{ ours: 2, peer: 1 }]),
    limitLine('MB', 5, 9),
  ];
  expect(baselineLines({ row, runs: [one, one] }, state)).toEqual([
    {
      row: 'C1',
      measure: 'ms',
      wanted: 'at most',
      ratio: 2,
      noise: 0,
      processes: 2,
      isGuarded: true,
      ...state,
    },
  ]);
});

test('a guarded line that a row no longer measures counts as worse', () => {
  expect(verdictsOf(baseline, { row, runs: [[limitLine('MB', 5)]] })).toMatchObject([
    { now: undefined, loss: undefined, isWorse: true },
  ]);
});

test('the guard has ten rows of the bench, and the baseline has no other ones', async () => {
  expect(new Set(guardedRows).size).toBe(10);
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(guardedRows));
  const lines = JSON.parse(await readFile(projectPath('test/bench/guard/baseline.json'), 'utf8')) as BaselineLine[];
  expect(guardedRows).toEqual(expect.arrayContaining([...new Set(lines.map((line) => line.row))]));
  for (const { noise, isGuarded } of lines) expect(isGuarded).toBe(noise <= mostNoise);
});
