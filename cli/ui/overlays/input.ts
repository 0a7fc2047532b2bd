import { safeCell } from '../../output/safe.ts';
import { graphemesOf, widthOf } from '../../output/text-width.ts';
import { typedBy } from '../actions/keys.ts';
import type { Segment } from '../components/line.ts';

/** A line of text being typed. */
export interface Input {
  characters: readonly string[];
  /** The cursor is before this character. */
  cursor: number;
}

export const inputOf = (text = ''): Input => {
  const characters = graphemesOf(text);
  return { characters, cursor: characters.length };
};

export const textOf = ({ characters }: Input): string => characters.join('');

/** The line after a key; undefined: the key is not for a line. */
export function afterKey(input: Input, key: string): Input | undefined {
  const { characters, cursor } = input;
  const without = (from: number, to = cursor): Input => ({
    characters: [...characters.slice(0, from), ...characters.slice(to)],
    cursor: from,
  });
  switch (key) {
    case 'left':
    case 'ctrl-b':
      return { characters, cursor: Math.max(0, cursor - 1) };
    case 'right':
    case 'ctrl-f':
      return { characters, cursor: Math.min(characters.length, cursor + 1) };
    case 'ctrl-left':
      return { characters, cursor: wordBegin(input) };
    case 'ctrl-right':
      return { characters, cursor: wordEnd(input) };
    case 'home':
    case 'ctrl-a':
      return { characters, cursor: 0 };
    case 'end':
    case 'ctrl-e':
      return { characters, cursor: characters.length };
    case 'backspace':
      return without(Math.max(0, cursor - 1));
    case 'delete':
      return without(cursor, Math.min(characters.length, cursor + 1));
    case 'ctrl-w':
      return without(wordBegin(input));
    case 'ctrl-u':
      return without(0);
    case 'ctrl-k':
      return without(cursor, characters.length);
    default: {
      const typed = typedBy(key);
      return typed === undefined ? undefined : withText(input, typed);
    }
  }
}

/** Inserts a text at the cursor. Line breaks and tabs become a space; control characters are removed. */
export function withText({ characters, cursor }: Input, text: string): Input {
  const added = text.replace(/[\r\n\t]+/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f]/g, '');
  // One grapheme may arrive in several pieces.
  const before = graphemesOf(characters.slice(0, cursor).join('') + added);
  return { characters: [...before, ...characters.slice(cursor)], cursor: before.length };
}

function wordBegin({ characters, cursor }: Input): number {
  let at = cursor;
  while (at > 0 && characters[at - 1] === ' ') at -= 1;
  while (at > 0 && characters[at - 1] !== ' ') at -= 1;
  return at;
}

function wordEnd({ characters, cursor }: Input): number {
  let at = cursor;
  while (at < characters.length && characters[at] === ' ') at += 1;
  while (at < characters.length && characters[at] !== ' ') at += 1;
  return at;
}

/** The line drawn in `width` cells, with the cursor visible; `mask` replaces each character of a secret. */
export function inputSegments({ characters, cursor }: Input, width: number, mask?: string): Segment[] {
  const shown = characters.map((character) => mask ?? safeCell(character));
  const widths = shown.map(widthOf);
  let begin = 0;
  let used = sum(widths.slice(0, cursor)) + Math.max(1, widths[cursor] ?? 1);
  for (; used > width && begin < cursor; begin += 1) used -= widths[begin] ?? 0;
  let end = Math.min(cursor + 1, shown.length);
  for (; end < shown.length && used + (widths[end] ?? 0) <= width; end += 1) used += widths[end] ?? 0;
  return [
    { text: shown.slice(begin, cursor).join('') },
    { text: shown[cursor] ?? ' ', isInverse: true },
    { text: shown.slice(cursor + 1, end).join('') },
  ];
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
