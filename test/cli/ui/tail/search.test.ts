import { expect, test } from 'vitest';
import { tailLines } from '../../../../cli/ui/tail/paint.ts';
import { matchesIn, searchOf } from '../../../../cli/ui/tail/search.ts';
import { linesAt, type TailWindow } from '../../../../cli/ui/tail/window.ts';
import { createTheme } from '../../../../cli/ui/theme.ts';
import { logLines } from '../../../support/fake-ui.ts';

const stateOf = (lines: ReturnType<typeof logLines>) => ({
  lines,
  total: lines.length,
  openCount: 1,
  failures: new Map(),
});
const window: TailWindow = {
  paused: undefined,
  end: undefined,
  level: undefined,
  isWrapped: false,
  hasTime: false,
  match: undefined,
};
const ten = stateOf(logLines(1, 10));
const found = (filter: string, state = ten) => matchesIn(state, undefined, searchOf(filter));
const seen = (filter: string, state = ten) => linesAt(state, undefined, searchOf(filter)).map(({ number }) => number);

test.each([
  ['line 1', [1, 10]],
  ['LINE (2|3)$', [2, 3]],
  ['^journal line \\d$', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['line 1$ fleet:pickers', [1]],
  ['line !0$', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['!line', []],
  ['nothing', []],
])('%j is found in lines %j', (filter, numbers) => {
  expect(found(filter)).toEqual(numbers);
});

test('! hides lines, of several words in quotes, and a lone ! hides none', () => {
  expect(seen('!"line [2-9]"')).toEqual([1, 10]);
  expect(seen('!1 !2')).toEqual([3, 4, 5, 6, 7, 8, 9]);
  expect(seen('!')).toHaveLength(10);
});

test('what is no regular expression is searched as it is written, and that is told', () => {
  const state = stateOf([...logLines(1, 1, { text: ' at f(x' }), ...logLines(2, 1)]);
  expect(found('f(x', state)).toEqual([1]);
  expect(searchOf('f(x')?.fault()).toBe('f(x is not a regular expression: searched as text');
  expect(searchOf('f\\(x')?.fault()).toBeUndefined();
});

const many = stateOf(logLines(1, 10_000, { text: ` ${'a'.repeat(60)}b` }));

test.each(['(a+)+$', '(a|a)*c', '!(a+)+$', '.*.*.*.*.*.*=x'])(
  'the expression %s holds nothing up in 10,000 lines: it is given up, and that is told',
  (filter) => {
    const search = searchOf(filter);
    const beganMs = performance.now();
    for (let frame = 0; frame < 20; frame += 1) {
      matchesIn(many, undefined, search);
      linesAt(many, undefined, search);
    }
    expect(performance.now() - beganMs).toBeLessThan(2_000);
    expect(search?.fault()).toMatch('takes too long');
    expect(linesAt(many, undefined, search)).toHaveLength(10_000);
  },
);

test('an expression that people mean is found in 10,000 lines, and lines that were examined are not examined again', () => {
  expect(found('line \\d*7 a+b$', many)).toHaveLength(1_000);
  expect(searchOf('line \\d*7 a+b$')?.fault()).toBeUndefined();
});

test('marks that take too long on what is visible of a line are left out', () => {
  const state = stateOf(logLines(1, 3, { text: ` ${'a'.repeat(200)}!` }));
  const theme = createTheme({ isAscii: false, colours: 'none' });
  const look = { theme, hasColours: false, columns: 60, rows: 3, names: new Map<string, string>() };
  const beganMs = performance.now();
  const lines = tailLines(state, window, { ...look, search: searchOf('(a+)+!') });
  expect(performance.now() - beganMs).toBeLessThan(1_000);
  expect(lines).toHaveLength(3);
  expect(tailLines(state, window, { ...look, search: searchOf('line') }).join('')).toContain('\u001b[7mline\u001b[27m');
});
