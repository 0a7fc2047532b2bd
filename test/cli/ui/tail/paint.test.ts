import stringWidth from 'string-width';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { TailLine, TailState } from '../../../../cli/ui/data/data.ts';
import { tailLines, type TailLook } from '../../../../cli/ui/tail/paint.ts';
import { searchOf } from '../../../../cli/ui/tail/search.ts';
import type { TailWindow } from '../../../../cli/ui/tail/window.ts';
import { createTheme } from '../../../../cli/ui/theme.ts';
import { logLines } from '../../../support/fake-ui.ts';

const window: TailWindow = {
  paused: undefined,
  end: undefined,
  level: undefined,
  isWrapped: false,
  hasTime: false,
  match: undefined,
};
const look: TailLook = {
  theme: createTheme({ isAscii: false, colours: 'few' }),
  hasColours: true,
  columns: 60,
  rows: 5,
  names: new Map([['id-amr-007', 'amr-007']]),
  search: undefined,
};
const stateOf = (lines: readonly TailLine[]): TailState => ({
  lines,
  total: lines.length,
  openCount: 1,
  failures: new Map(),
});
const plain = (lines: readonly string[]) => lines.map((line) => stripVTControlCharacters(line).trimEnd());

test('what a robot writes can neither colour nor move anything, and no line is wider than the screen', () => {
  const texts = [
    ' \u001b[31mred\u001b[2J\r',
    ` ${'日本語'.repeat(40)}`,
    ` ${'x'.repeat(90_000)}`,
    ' \u202etrojan',
    ' tab\tand\nline',
  ];
  const lines = tailLines(stateOf(texts.flatMap((text, index) => logLines(index, 1, { text }))), window, look);
  expect(lines).toHaveLength(5);
  for (const line of plain(lines)) expect(stringWidth(line)).toBeLessThanOrEqual(60);
  expect(lines.join('').replaceAll(/\u001b\[[\d;]*m/g, '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(plain(lines)[0]).toContain('␛[31mred␛[2J␍');
});

test('a line that is wrapped takes several rows, and the newest one is seen whole', () => {
  const lines = tailLines(
    stateOf([...logLines(1, 4), ...logLines(5, 1, { text: ` ${'y'.repeat(90)}` })]),
    { ...window, isWrapped: true },
    look,
  );
  expect(plain(lines)).toEqual([
    ' info  line 2',
    ' info  line 3',
    ' info  line 4',
    expect.stringMatching(/^ info {2}line 5 y+$/),
    expect.stringMatching(/^ {7}y+$/),
  ]);
});

test('of a line that is higher than the screen the beginning is seen', () => {
  const lines = tailLines(
    stateOf(logLines(1, 1, { text: ` ${'z'.repeat(900)}` })),
    { ...window, isWrapped: true },
    look,
  );
  expect(lines).toHaveLength(5);
  expect(plain(lines)[0]).toMatch(/^ info {2}line 1 z+$/);
});

test('of several robots each line says whose it is, with and without colours; a lost record is told in words', () => {
  const names = new Map([
    ['id-amr-007', 'amr-007'],
    ['id-2', 'a-robot-with-a-very-long-name'],
  ]);
  const gap: TailLine = { kind: 'note', robotId: 'id-2', at: 'never', text: '9 records lost', isGap: true };
  const state = stateOf([...logLines(1, 1), ...logLines(2, 1, { robotId: 'id-2' }), gap]);
  const lines = plain(tailLines(state, { ...window, hasTime: true }, { ...look, names }));
  expect(lines[0]).toMatch(/^ (\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\.\d{3} amr-007 {6}info {2}line 1$/);
  expect(lines.slice(1)).toEqual([
    expect.stringContaining(' a-robot-wit… info  line 2'),
    ' --:--:--.--- a-robot-wit… -- 9 records lost --',
  ]);
  const painted = tailLines(state, window, {
    ...look,
    names,
    hasColours: false,
    theme: createTheme({ isAscii: true, colours: 'none' }),
  });
  expect(painted.join('')).not.toMatch(/\u001b\[[34]\d/);
});

test('what is searched is marked, and the line that the search is at has a sign of its own', () => {
  const lines = tailLines(stateOf(logLines(1, 2)), { ...window, match: 2 }, { ...look, search: searchOf('LINE') });
  expect(lines[0]).toContain('\u001b[7mline\u001b[27m');
  expect(plain(lines)[1]).toMatch(/^▸/);
});
