import { expect, test, vi } from 'vitest';
import { keySplitter } from '../../../../cli/ui/terminal/key-splitter.ts';

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

test('the rest of a paste that was cut is no keys, up to its end', () => {
  const long = 'x'.repeat(1024 * 1024);
  expect(keysOf(`\u001b[200~${long}`, 'q\ry\u001b[20', '1~j')).toEqual([long, 'j']);
  expect(keysOf(`\u001b[200~${long}\u001b[2`, '01~j')).toEqual([long, 'j']);
});

test('a paste whose end is late is cut, and nothing of it is waited for after ten seconds of silence', () => {
  vi.useFakeTimers();
  try {
    const keys: string[] = [];
    const splitter = keySplitter((some) => void keys.push(...some));
    splitter.feed('\u001b[200~one');
    vi.advanceTimersByTime(1_000);
    splitter.feed('q');
    vi.advanceTimersByTime(9_000);
    splitter.feed('q');
    expect(keys).toEqual(['one']);
    vi.advanceTimersByTime(10_000);
    splitter.feed('j');
    expect(keys).toEqual(['one', 'j']);
  } finally {
    vi.useRealTimers();
  }
});

test('answers of the terminal are no keys, and what the mouse did is one piece', () => {
  expect(keysOf('\u001b[?1;2c\u001b[<0;10;5Mj\u001b]11;rgb:0000/0000/0000\u0007\u001bP>|xterm\u001b\\k')).toEqual([
    '\u001b[<0;10;5M',
    'j',
    'k',
  ]);
});
