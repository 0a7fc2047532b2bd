import type { TailLine, TailState } from '../data/data.ts';
import { withinTime } from './guard.ts';
import { linesAt, type Level, type NumberedLine, type Search } from './window.ts';

const fieldWord = /^!?(fleet|site|robot):\S/;
/** Of a longer text, the beginning is searched. */
const mostCharacters = 4_000;
/** As many runs are ended until an expression is given up. */
const mostEnded = 3;
/** Words, of which an excluded one may be quoted. */
const word = /!"[^"]*"?|\S+/g;

let last: { filter: string; search: Search | undefined } | undefined;

/**
 * What the view's filter searches in the lines: all of it but the words that choose robots. It is a regular expression
 * without case; `!text` and `!"two words"` hide lines. Undefined: nothing. The same object for the same filter.
 */
export function searchOf(filter: string): Search | undefined {
  if (last?.filter !== filter) last = { filter, search: made(filter) };
  return last.search;
}

function made(filter: string): Search | undefined {
  const words = (filter.match(word) ?? []).filter((each) => !fieldWord.test(each));
  const isExcluding = (each: string) => each.startsWith('!');
  const text = words.filter((each) => !isExcluding(each)).join(' ');
  const excluded = words.filter(isExcluding).map((each) => each.slice(1).replaceAll('"', ''));
  const hidden = excluded.filter((each) => each !== '').map(expression);
  if (text === '' && hidden.length === 0) return undefined;
  const sought = text === '' ? undefined : expression(text);
  const wrong = [sought, ...hidden].find((each) => each?.fault !== undefined)?.fault;
  const known = new WeakMap<TailLine, { isMatch: boolean; isHidden: boolean }>();
  /** Runs in a row that were ended. A machine under load may suspend one for as long, so that one proves nothing. */
  let ended = 0;
  const isSlow = () => ended >= mostEnded;

  function examine(line: TailLine): { isMatch: boolean; isHidden: boolean } {
    const searched = textOf({ line }).slice(0, mostCharacters);
    const isHidden = hidden.some(({ regex }) => searched.search(regex) !== -1);
    return { isHidden, isMatch: !isHidden && sought !== undefined && searched.search(sought.regex) !== -1 };
  }

  function prepare(lines: readonly TailLine[]): void {
    while (!isSlow()) {
      const fresh = lines.filter((line) => !known.has(line));
      if (fresh.length === 0) return;
      const isDone = withinTime(() => fresh.forEach((line) => known.set(line, examine(line))));
      ended = isDone ? 0 : ended + 1;
    }
  }

  function factsOf(line: TailLine) {
    if (!known.has(line)) prepare([line]);
    return isSlow() ? undefined : known.get(line);
  }

  return {
    text,
    fault: () => (isSlow() ? 'this expression takes too long, and is not used; write it more simply' : wrong),
    isMatch: (line) => factsOf(line)?.isMatch ?? false,
    isHidden: (line) => hidden.length > 0 && (factsOf(line)?.isHidden ?? false),
    marking(draw) {
      const drawn = isSlow() || !sought ? undefined : withinTime(() => draw(sought.regex));
      if (drawn) return drawn.value;
      if (sought) ended += 1;
      return draw(undefined);
    },
    prepare,
  };
}

/** A regular expression that also finds the text as it is written, such as `f(x)`; what is none is only a text. */
function expression(text: string): { regex: RegExp; fault?: string } {
  const literal = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  try {
    return { regex: new RegExp(literal === text ? text : `(?:${text})|${literal}`, 'gi') };
  } catch {
    const fault = `${text} is not a regular expression: searched as text`;
    return { regex: new RegExp(literal, 'gi'), fault };
  }
}

/** Words of the filter that choose robots, as in `fleet:pickers`. */
export const fieldWords = (filter: string): readonly string[] =>
  filter.split(/\s+/).filter((each) => fieldWord.test(each));

/** The text of a line that is searched and shown. */
export const textOf = ({ line }: Pick<NumberedLine, 'line'>) =>
  line.kind === 'note' ? line.text : `${line.record.source} ${line.record.message}`;

/** Numbers of the lines that match, oldest first. */
export function matchesIn(state: TailState, level: Level | undefined, search: Search | undefined): readonly number[] {
  if (!search || search.text === '') return [];
  search.prepare(state.lines);
  return linesAt(state, level, search)
    .filter(({ line }) => search.isMatch(line))
    .map(({ number }) => number);
}

/** The next match from the current one; starts with the newest, and wraps around. */
export function matchBeside(matches: readonly number[], at: number | undefined, step: 1 | -1): number | undefined {
  if (at === undefined) return matches.at(-1);
  return step === 1
    ? (matches.find((number) => number > at) ?? matches[0])
    : (matches.findLast((number) => number < at) ?? matches.at(-1));
}
