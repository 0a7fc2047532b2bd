import { expect, test, vi } from 'vitest';
import { keySplitter } from '../../../cli/ui/terminal/key-splitter.ts';

/** The keys of these pieces, which come at once. */
function keysOf(...pieces: readonly string[]): string[] {
  const keys: string[] = [];
  const splitter = keySplitter((some) => void keys.push(...some));
  for (const piece of pieces) splitter.feed(piece);
  splitter.reset();
  return keys;
}

test('keys that come together are keys by themselves', () => {
  expect(keysOf('jjk\u0004q')).toEqual(['j', 'j', 'k', '\u0004', 'q']);
  expect(keysOf('é🤖')).toEqual(['é', '🤖']);
  expect(keysOf('\u001b[A\u001b[B\u001bOH\u001b[5~\u001b[1;5C\u001b[Z\r')).toEqual([
    '\u001b[A',
    '\u001b[B',
    '\u001bOH',
    '\u001b[5~',
    '\u001b[1;5C',
    '\u001b[Z',
    '\r',
  ]);
});

test('a sequence that was cut on its way is one key', () => {
  expect(keysOf('\u001b', '[', '1;5', 'A', 'x')).toEqual(['\u001b[1;5A', 'x']);
});

test('Escape is a key when nothing follows, and when a letter does', async () => {
  const keys: string[] = [];
  keySplitter((some) => void keys.push(...some)).feed('\u001b');
  expect(keys).toEqual([]);
  await vi.waitFor(() => expect(keys).toEqual(['\u001b']));
  expect(keysOf('\u001bq')).toEqual(['\u001b', 'q']);
  expect(keysOf('\u001b\u001b[A')).toEqual(['\u001b', '\u001b[A']);
});

test('what is pasted is one text, and can press nothing', () => {
  expect(keysOf('a\u001b[200~two\r\nlines\u001b[201~b')).toEqual(['a', 'two\nlines', 'b']);
  expect(keysOf('\u001b[200~W\u0003\u001b[A', 'd\u001b[201~')).toEqual(['W[Ad']);
  expect(keysOf('\u001b[200~\r\u001b[201~')).toEqual([]);
});

test('answers of the terminal and mice are no keys', () => {
  expect(keysOf('\u001b[?1;2c\u001b[<0;10;5Mj\u001b]11;rgb:0000/0000/0000\u0007\u001bP>|xterm\u001b\\k')).toEqual([
    'j',
    'k',
  ]);
});
