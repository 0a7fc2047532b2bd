import { readFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { projectPath } from '../../bench/harness/child.ts';
import { figuresOf, lossText, seenText } from './figures.ts';
import { emptyHistory, type Call } from './history.ts';
import { lineOf, updatePage } from './page.ts';
import { replicaFaults } from './replica-faults.ts';
import type { FaultResult } from './run.ts';

const call = (startMs: number, status: number): Call => ({
  kind: 'site',
  key: 'a',
  startMs,
  endMs: startMs + 100,
  status,
  outcome: status === 201 ? 'ok' : 'unknown',
});
const calls = [call(0, 0), call(1_000, 201), call(2_000, 503), call(2_050, 201), call(3_000, 0), call(3_500, 201)];

test('a disturbance lasts from the first failed call to the first success after the last one', () => {
  const figures = figuresOf({ ...emptyHistory(), calls }, 500);
  expect(figures).toMatchObject({
    disturbedMs: 1_600,
    slowestMs: 100,
    failed: { 'site 503': 1, 'site no response': 1 },
  });
  expect(seenText(figures)).toBe('3 × 2xx, 1 × 503, 1 × no response');
  expect(figuresOf({ ...emptyHistory(), calls: [call(0, 201)] }, 0).disturbedMs).toBe(0);
});

test('a token that is refused after its revocation disturbs no caller', () => {
  const refused: Call = { ...call(1_000, 401), kind: 'use', outcome: 'refused' };
  expect(figuresOf({ ...emptyHistory(), calls: [refused] }, 0)).toMatchObject({ seen: {}, disturbedMs: 0 });
});

test('broken promises are counted by kind', () => {
  const loss = { promise: 'loss', text: 'a' } as const;
  expect([lossText([]), lossText([loss, { promise: 'audit', text: 'b' }, loss])]).toEqual([
    'none',
    '2 × loss, 1 × audit',
  ]);
});

test('a fault that ran replaces its line on the page of the project, as Prettier leaves it, and the others stay', async () => {
  const path = projectPath('docs/reference/reliability.md');
  const old = await readFile(path, 'utf8');
  const names = replicaFaults.map(({ name }) => name);
  const size = { seed: 7, robots: 60, streams: 4, pace: 1 };
  const update = (page: string, fault: FaultResult['fault'], seed: number) => {
    const result = {
      fault,
      figures: figuresOf({ ...emptyHistory(), calls }, 500),
      violations: [],
      history: emptyHistory(),
    };
    return updatePage(page, lineOf(result, { ...size, seed }, new Date('2026-11-29T02:00:00Z')), names);
  };
  const [first, second] = replicaFaults;
  if (!first || !second) throw new Error('there are fewer than two faults');
  const once = update(update(old, second, 1), first, 2);
  const again = update(once, second, 3);
  const linesWith = (page: string, name: string) => page.split('\n').filter((line) => line.startsWith(`| ${name} `));
  expect(linesWith(again, first.name)).toEqual(linesWith(once, first.name));
  expect(linesWith(again, second.name)).toEqual([
    expect.stringMatching(/ 1\.6 of \d+ s +\| 0\.1 s +\| none .* 2026-11-29 .* 3 +\|$/),
  ]);
  expect(again).toBe(await format(again, { ...(await resolveConfig(path)), filepath: path }));
});
