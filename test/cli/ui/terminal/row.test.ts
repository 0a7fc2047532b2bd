import { expect, test } from 'vitest';
import { drawnRow } from '../../../../cli/ui/terminal/row.ts';

test('a line ends what it began, and what was behind it', () => {
  expect(drawnRow('\u001b[31mred\u001b[39m', 3, 80, false)).toBe('\u001b[3;1H\u001b[31mred\u001b[39m\u001b[0m\u001b[K');
});

test('nothing comes behind a line that fills its row: terminals differ in what they take away then', () => {
  expect(drawnRow('abc', 1, 3, false)).toBe('\u001b[1;1Habc\u001b[0m');
  expect(drawnRow('●─…', 1, 3, false)).toBe('\u001b[1;1H●─…\u001b[0m');
});

test('behind a sign whose width is not sure the column is said anew, in a row that is empty before', () => {
  expect(drawnRow('\u001b[1mロボ\u001b[22m x', 2, 80, false)).toBe(
    '\u001b[2;1H\u001b[0m\u001b[K\u001b[1mロ\u001b[3Gボ\u001b[5G\u001b[22m x\u001b[0m',
  );
  expect(drawnRow('a👩‍🔧b', 1, 80, false)).toContain('a👩‍🔧\u001b[4Gb');
});

test('ASCII takes the place of what it has no sign for, in as many cells', () => {
  expect(drawnRow('3 × 4 · 日本…', 1, 80, true)).toContain('3 x 4 . ????~');
});
