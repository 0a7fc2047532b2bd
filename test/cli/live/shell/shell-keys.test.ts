import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapes, type Typed } from '../../../../cli/live/shell/escapes.ts';
import { screenModes } from '../../../../cli/live/shell/screen-modes.ts';

const escape = '\u001b';

/** What is made of keys that come in these pieces: bytes as text, anything else by its name in angle brackets. */
function madeOf(...pieces: string[]): string {
  const keys = escapes();
  const tell = (typed: Typed) => (typed.kind === 'bytes' ? typed.bytes.toString() : `<${typed.kind}>`);
  return pieces
    .flatMap((piece) => keys.feed(Buffer.from(piece)))
    .map(tell)
    .join('');
}

test.each([
  ['~.', '<end>'],
  ['ls\r~.', 'ls\r<end>'],
  ['ls\n~?', 'ls\n<help>'],
  ['~\u001a', '<suspend>'],
  ['~~.', '~.'],
  ['~~', '~'],
  ['a~.', 'a~.'],
  ['ls ~/x', 'ls ~/x'],
  ['\r~x~.', '\r~x~.'],
  ['~\r~.', '~\r<end>'],
  ['~?~?~.', '<help><help><end>'],
  ['\r~', '\r'],
])('what is typed as %j is %j, in one piece and key by key', (typed, made) => {
  expect(madeOf(typed)).toBe(made);
  expect(madeOf(...Array.from(typed))).toBe(made);
});

test('a lost connection begins a line, so that the way out counts', () => {
  const keys = escapes();
  expect(keys.feed(Buffer.from('ab'))).toHaveLength(1);
  keys.beginLine();
  expect(keys.feed(Buffer.from('~.'))).toEqual([{ kind: 'end' }]);
});

test('bytes without a tilde after a newline pass as they are, however they are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 20 }), (pieces) => {
      const keys = escapes();
      const typed = pieces.map((piece) => Buffer.from(piece.map((byte) => (byte === 0x7e ? 0x7f : byte))));
      const passed = typed.flatMap((piece) => keys.feed(piece)).map((each) => each.kind === 'bytes' && each.bytes);
      expect(Buffer.concat(passed as Buffer[])).toEqual(Buffer.concat(typed));
    }),
  );
});

/** What undoes these pieces of output. */
function undone(...pieces: string[]): string {
  const modes = screenModes();
  for (const piece of pieces) modes.follow(Buffer.from(piece));
  return modes.undo().replaceAll(escape, '^');
}

test.each([
  ['plain text', ''],
  [`${escape}[31mred${escape}[0m`, ''],
  [`${escape}[?2004h$ ls\r\n${escape}[?2004l`, ''],
  [`${escape}[?2004h$ `, '^[?2004l^[0m'],
  [`${escape}[?1049h${escape}[?25l${escape}[?1000;1006h`, '^[?1006l^[?1000l^[?25h^[r^[?1049l^[0m'],
  [`${escape}[?1049h${escape}[?25l${escape}[?25h${escape}[?1049l`, ''],
  [`${escape}[?1h${escape}=`, '^>^[?1l^[0m'],
  [`${escape}[>4;2m${escape}[>1u`, '^[<1u^[>4m^[0m'],
  [`${escape}[>4;2m${escape}[>1u${escape}[<u${escape}[>4;m`, ''],
  [`${escape}[?1049h${escape}c`, ''],
])('after %j the terminal is made as it was by %j', (output, undo) => {
  expect(undone(output)).toBe(undo);
  expect(undone(...Array.from(output))).toBe(undo);
});

test('a program that is left and gone back to finds the modes it had set', () => {
  const modes = screenModes();
  modes.follow(Buffer.from(`${escape}[?1049h${escape}[?25l`));
  expect(modes.isAlternate).toBe(true);
  expect(modes.redo()).toBe(`${escape}[?1049h${escape}[?25l`);
});
