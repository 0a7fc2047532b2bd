import type { TailState } from '../data/data.ts';
import { linesAt, type Level, type NumberedLine } from './window.ts';

const fieldWord = /^!?(fleet|site|robot):\S/;

/** What the view's filter searches in the lines: all of it but the words that choose robots. Undefined: nothing. */
export function searchOf(filter: string): RegExp | undefined {
  const text = filter
    .split(/\s+/)
    .filter((word) => word !== '' && !fieldWord.test(word))
    .join(' ');
  return text === '' ? undefined : new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
}

/** Words of the filter that choose robots, as in `fleet:pickers`. */
export const fieldWords = (filter: string): readonly string[] =>
  filter.split(/\s+/).filter((word) => fieldWord.test(word));

/** The text of a line that is searched and shown. */
export const textOf = ({ line }: Pick<NumberedLine, 'line'>) =>
  line.kind === 'note' ? line.text : `${line.record.source} ${line.record.message}`;

/** Numbers of the lines with that text, oldest first. */
export function matchesIn(state: TailState, level: Level | undefined, search: RegExp | undefined): readonly number[] {
  if (!search) return [];
  return linesAt(state, level)
    .filter((line) => textOf(line).search(search) !== -1)
    .map(({ number }) => number);
}

/** The next match from the current one; starts with the newest, and wraps around. */
export function matchBeside(matches: readonly number[], at: number | undefined, step: 1 | -1): number | undefined {
  if (at === undefined) return matches.at(-1);
  return step === 1
    ? (matches.find((number) => number > at) ?? matches[0])
    : (matches.findLast((number) => number < at) ?? matches.at(-1));
}
