import fuzzysort from 'fuzzysort';
import type { AnyTable } from './definition.ts';
import { textReader, type Entry } from './entries.ts';
import { parseFilter, type FilterWord } from './filter-words.ts';

interface Filtered {
  entries: readonly Entry[];
  /** Nothing holds the text as it is written: these have its letters in their names, in order. */
  isClose: boolean;
  /** Ages are in it: it may be otherwise in a second. */
  isTimed: boolean;
}

/** What an earlier filter left of the same rows. */
interface Earlier extends Pick<Filtered, 'entries' | 'isClose'> {
  filter: string;
}

type Test = (entry: Entry) => boolean;

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const leastCloseness = 0.3;

/** The rows of a list that a filter leaves, in their order. With what an `earlier` one left, a filter that grew by a letter looks at no more than that. */
export function filterEntries(
  table: AnyTable,
  entries: readonly Entry[],
  text: string,
  nowMs: number,
  earlier?: Earlier,
): Filtered {
  const wordsOf = (filter: string) => parseFilter(filter, Object.keys(table.fields));
  const words = wordsOf(text);
  if (words.length === 0) return { entries, isClose: false, isTimed: false };
  const isTimed = words.some(({ kind, value }) => (kind === 'over' || kind === 'under') && /[smhdw]$/.test(value));
  const isLoose = ({ isNot, field }: FilterWord) => !isNot && field === undefined;
  const loose = words.filter(isLoose);
  const testsOf = (some: readonly FilterWord[]) => some.map((word) => testOf(table, word, nowMs));
  const canNarrow = earlier && !earlier.isClose && !isTimed && isNarrower(wordsOf(earlier.filter), words);
  const plain = keep(canNarrow ? earlier.entries : entries, testsOf(words));
  if (plain.length > 0 || loose.length === 0) return { entries: plain, isClose: false, isTimed };
  const others = keep(entries, testsOf(words.filter((word) => !isLoose(word))));
  const close = loose.reduce((left, { value }) => left.filter(({ item }) => isNear(table.name(item), value)), others);
  return { entries: close, isClose: close.length > 0, isTimed };
}

const keep = (entries: readonly Entry[], tests: readonly Test[]) =>
  entries.filter((entry) => tests.every((test) => test(entry)));

/** Whether each row that `words` leave is one of those that `before` leaves. */
const isNarrower = (before: readonly FilterWord[], words: readonly FilterWord[]) =>
  before.every(({ isNot, field, kind, value }, index) => {
    const now = words[index];
    if (now?.isNot !== isNot || now.field !== field || now.kind !== kind) return false;
    return now.value === value || (kind === 'has' && !isNot && now.value.includes(value));
  });

function isNear(name: string, value: string): boolean {
  // Most names do not have its letters in their order, which is seen in no time; what the other signs are the same as is known to the search alone.
  if (oneWord.test(value) && asciiOnly.test(name) && !hasInOrder(name.toLowerCase(), value)) return false;
  return (fuzzysort.single(value, name)?.score ?? 0) >= leastCloseness;
}

/** A value of several words is looked for word by word, in any order. */
const oneWord = /^[\x21-\x7e]*$/;
const asciiOnly = /^[\x20-\x7e]*$/;

function hasInOrder(name: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = name.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
}

function testOf(table: AnyTable, word: FilterWord, nowMs: number): Test {
  const test = word.field === undefined ? anywhere(table, word.value) : within(table, word.field, word, nowMs);
  return word.isNot ? (entry) => !test(entry) : test;
}

function anywhere(table: AnyTable, value: string): Test {
  const textOf = textReader(table);
  return (entry) => textOf(entry).includes(value);
}

function within(table: AnyTable, field: string, { kind, value }: FilterWord, nowMs: number): Test {
  const read = ({ item }: Entry) => table.fields[field]?.(item) ?? '';
  switch (kind) {
    case 'has':
      return (entry) => read(entry).toLowerCase().includes(value);
    case 'is':
      return (entry) => read(entry).toLowerCase().split('\n').includes(value);
    case 'over':
    case 'under': {
      const limit = limitOf(value);
      // A limit that is still being written leaves all rows.
      if (!limit) return () => true;
      const measure = limit.isAge ? (text: string) => ageSeconds(text, nowMs) : numberIn;
      return (entry) => {
        const measured = measure(read(entry));
        return kind === 'over' ? measured > limit.amount : measured < limit.amount;
      };
    }
  }
}

/** `90`, `90%` and `1.5`, and ages as `20s`, `5m`, `1h`, `2d`, `1w`. */
function limitOf(value: string): { amount: number; isAge: boolean } | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([smhdw%]?)$/.exec(value) ?? [];
  if (amount === undefined) return undefined;
  const seconds = secondsOf[unit];
  return { amount: Number(amount) * (seconds ?? 1), isAge: seconds !== undefined };
}

/** What never was is older than all. */
function ageSeconds(instant: string, nowMs: number): number {
  const at = Date.parse(instant);
  return Number.isNaN(at) ? Number.POSITIVE_INFINITY : (nowMs - at) / 1000;
}

/** Not a number is neither more nor less. */
const numberIn = (text: string) => Number.parseFloat(text);
