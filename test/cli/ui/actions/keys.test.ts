import { expect, test } from 'vitest';
import { isKeyName, keystrokeOf } from '../../../../cli/ui/actions/keys.ts';

const escape = '\u001b';

test.each([
  ['j', 'j'],
  ['W', 'W'],
  [' ', 'space'],
  ['\r', 'enter'],
  ['\t', 'tab'],
  ['\u007f', 'backspace'],
  ['\u0000', 'ctrl-space'],
  ['\u0003', 'ctrl-c'],
  ['\u0004', 'ctrl-d'],
  [escape, 'esc'],
  [`${escape}[A`, 'up'],
  [`${escape}OB`, 'down'],
  [`${escape}[1;5C`, 'ctrl-right'],
  [`${escape}[H`, 'home'],
  [`${escape}[4~`, 'end'],
  [`${escape}[5~`, 'pgup'],
  [`${escape}[3~`, 'delete'],
  [`${escape}[Z`, 'shift-tab'],
  [`${escape}[1;3D`, 'alt-left'],
  ['日', '日'],
  ['👩‍🔧', '👩‍🔧'],
])('%j is a key', (piece, name) => {
  expect(keystrokeOf(piece)).toEqual({ key: name });
});

test('a sequence that has no name is no key: Alt-x, Ctrl-F1, at which Ink throws, and the focus of the window', () => {
  expect(keystrokeOf(`${escape}x`)).toBeUndefined();
  expect(keystrokeOf(`${escape}[1;5P`)).toBeUndefined();
  expect(keystrokeOf(`${escape}[I`)).toBeUndefined();
  expect(keystrokeOf('')).toBeUndefined();
});

test('a text that was pasted is no keys', () => {
  expect(keystrokeOf('quit')).toEqual({ text: 'quit' });
});

test('names of ui.toml are those that keys can have', () => {
  expect(
    ['j', 'W', 'ctrl-d', 'space', 'ctrl-space', 'alt-left', 'shift-tab', 'ctrl-alt-shift-up', '-', 'ctrl--'].filter(
      (name) => !isKeyName(name),
    ),
  ).toEqual([]);
  expect(['', 'control-d', 'jj', 'escape', 'alt-x', 'ctrl-alt-x', 'shift-x', 'alt-enter'].filter(isKeyName)).toEqual(
    [],
  );
});
