import { readFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { projectPath } from './harness/child.ts';
import { mergeRuns } from './harness/merging.ts';
import { minuteOf, sizeOf, updatePage, type Measurement } from './harness/page.ts';
import { limitLine, ratioLine, type Line, type Row } from './harness/row.ts';
import { rows } from './rows/index.ts';

const page = `# Performance

Text before it.

<!-- bench -->

| row | measure    | ours | peer | ratio | spread | runs | goal | met | measured         |
| --- | ---------- | ---- | ---- | ----- | ------ | ---- | ---- | --- | ---------------- |
| H1  | an old one | 7.00 |      |       |        | 3    |      |     | 2026-11-01 08:00 |
| H1  | a second   | 8.00 |      |       |        | 3    |      |     | 2026-11-01 08:00 |
| C2  | ms         | 9.00 |      |       |        |      |      |     | 2026-10-01       |

| measured         | each process | Node    | Postgres | cores |
| ---------------- | ------------ | ------- | -------- | ----- |
| 2026-11-01 08:00 | full         | 20.19.0 | 18.3     | 4     |

<!-- end of bench -->

Text after it.
`;
const measurement: Measurement = { at: '2026-11-28 19:50', size: 'quick', node: '20.20.2', postgres: '18.4', cores: 2 };
const outcome = (id: string, lines: Line[]) => {
  const row: Row = { id, work: 'a thing', against: 'another', run: async () => lines };
  return { row, lines: mergeRuns([lines, lines]) };
};
const order = ['H1', 'E1', 'C2'];

test('a row that was measured replaces all its lines on the page, in the order of the rows, and the others stay', () => {
  const lines = [ratioLine('CPU us/request', [{ ours: 30, peer: 20 }], 1.1)];
  const updated = updatePage(page, [outcome('E1', [limitLine('MB', 5)]), outcome('H1', lines)], measurement, order);
  expect(updated).toBe(`# Performance

Text before it.

<!-- bench -->

| row | measure        | ours | peer | ratio | spread      | runs | goal     | met    | measured         |
| --- | -------------- | ---- | ---- | ----- | ----------- | ---- | -------- | ------ | ---------------- |
| H1  | CPU us/request | 30.0 | 20.0 | 1.50x | 1.50x-1.50x | 2    | <= 1.10x | MISSED | 2026-11-28 19:50 |
| E1  | MB             | 5.00 |      |       | 5.00-5.00   | 2    |          |        | 2026-11-28 19:50 |
| C2  | ms             | 9.00 |      |       |             |      |          |        | 2026-10-01       |

| measured         | each process | Node    | Postgres | cores |
| ---------------- | ------------ | ------- | -------- | ----- |
| 2026-11-28 19:50 | quick        | 20.20.2 | 18.4     | 2     |

<!-- end of bench -->

Text after it.
`);
});

test('a measurement stays on the page while a line names it', () => {
  const updated = updatePage(page, [outcome('E1', [limitLine('MB', 5)])], measurement, order);
  expect(updated).toContain('| 2026-11-01 08:00 | full         | 20.19.0 | 18.3     | 4     |');
  expect(updated).toContain('| 2026-11-28 19:50 | quick        | 20.20.2 | 18.4     | 2     |');
});

test('a row that failed keeps its lines on the page', () => {
  expect(updatePage(page, [{ ...outcome('H1', []), failure: 'it broke' }], measurement, order)).toBe(page);
});

test('a page without its markers is refused', () => {
  expect(() => updatePage('# Performance', [], measurement, order)).toThrow('no "<!-- bench -->"');
});

test('the page of the project is written as Prettier leaves it, and nothing else of it changes', async () => {
  const path = projectPath('docs/reference/performance.md');
  const old = await readFile(path, 'utf8');
  const ids = rows.map(({ id }) => id);
  expect(updatePage(old, [], measurement, ids)).toBe(old);
  const updated = updatePage(old, [outcome('H1', [limitLine('MB of a measure', 12_345)])], measurement, ids);
  expect(updated).not.toBe(old);
  expect(updated).toBe(await format(updated, { ...(await resolveConfig(path)), filepath: path }));
});

test('a measurement says in UTC when it was, and how much each process did', () => {
  expect(minuteOf(new Date('2026-11-28T20:50:31+01:00'))).toBe('2026-11-28 19:50');
  const sizes = [
    { isQuick: false, rounds: undefined },
    { isQuick: true, rounds: 1 },
  ].map(sizeOf);
  expect(sizes).toEqual(['full', 'quick, rounds: 1']);
});
