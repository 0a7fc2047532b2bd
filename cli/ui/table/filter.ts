import fuzzysort from 'fuzzysort';
import type { AnyTable } from './definition.ts';
import { textReader, type Entry } from './entries.ts';
import { filterFields, filterReaders } from './filter-fields.ts';
import { limitShape, parseFilter, type FilterWord } from './filter-words.ts';

interface Filtered {
  entries: readonly Entry[];
  /** No row contains the text: these have its letters in their names, in order. */
  isClose: boolean;
  /** It compares ages: the result may change within a second. */
  isTimed: boolean;
}

/** The result of an earlier filter on the same rows. */
interface Earlier extends Pick<Filtered, 'entries' | 'isClose'> {
  filter: string;
}

type Test = (entry: Entry) => boolean;

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const leastCloseness = 0.3;

/**
 * The rows that a filter keeps, in their order. If the filter only grew by a letter, only rows of the `earlier` result
 * are examined.
 */
export function filterEntries(
  table: AnyTable,
  entries: readonly Entry[],
  text: string,
  nowMs: number,
  earlier?: Earlier,
): Filtered {
  const wordsOf = (filter: string) => parseFilter(filter, filterFields(table), table.values);
  const words = wordsOf(text);
  if (words.length === 0) return { entries, isClose: false, isTimed: false };
  const isTimed = words.some(({ kind, value }) => isLimit(kind) && /[smhdw]$/.test(value));
  if (words.some(({ fault }) => fault !== undefined)) return { entries: [], isClose: false, isTimed: false };
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

const isLimit = (kind: FilterWord['kind']) => !['has', 'is', 'starts'].includes(kind);

/** Whether each row kept by `words` is also kept by `before`. */
const isNarrower = (before: readonly FilterWord[], words: readonly FilterWord[]) =>
  before.every(({ isNot, field, kind, value }, index) => {
    const now = words[index];
    if (before[index]?.fault !== undefined || now?.isNot !== isNot || now.field !== field || now.kind !== kind)
      return false;
    return now.value === value || (kind === 'has' && !isNot && now.value.includes(value));
  });

function isNear(name: string, value: string): boolean {
  // Most names lack its letters in that order, which is fast to check. Equality of other characters is known to the
  // search alone.
  if (oneWord.test(value) && asciiOnly.test(name) && !hasInOrder(name.toLowerCase(), value)) return false;
  return (fuzzysort.single(value, name)?.score ?? 0) >= leastCloseness;
}

/** A value of several words is searched word by word, in any order. */
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
  const readItem = filterReaders(table).get(field);
  const read = ({ item }: Entry) => readItem?.(item) ?? '';
  const valuesOf = (entry: Entry) => read(entry).toLowerCase().split('\n');
  if (kind === 'has') return (entry) => read(entry).toLowerCase().includes(value);
  if (kind === 'is') return (entry) => valuesOf(entry).includes(value);
  if (kind === 'starts') return (entry) => valuesOf(entry).some((each) => each.startsWith(value));
  const limit = limitOf(value);
  if (!limit) return () => false;
  const { amount, isAge } = limit;
  const measure = isAge ? (text: string) => ageSeconds(text, nowMs) : numberIn;
  const compare = comparisons[kind];
  return (entry) => compare(measure(read(entry)), amount);
}

const comparisons: Readonly<Record<Exclude<FilterWord['kind'], 'has' | 'is' | 'starts'>, Comparison>> = {
  over: (measured, amount) => measured > amount,
  least: (measured, amount) => measured >= amount,
  under: (measured, amount) => measured < amount,
  most: (measured, amount) => measured <= amount,
};
type Comparison = (measured: number, amount: number) => boolean;

function limitOf(value: string): { amount: number; isAge: boolean } | undefined {
  const [, amount, unit = ''] = limitShape.exec(value) ?? [];
  if (amount === undefined) return undefined;
  const seconds = secondsOf[unit];
  return { amount: Number(amount) * (seconds ?? 1), isAge: seconds !== undefined };
}

/** A missing instant is older than all. */
function ageSeconds(instant: string, nowMs: number): number {
  const at = Date.parse(instant);
  return Number.isNaN(at) ? Number.POSITIVE_INFINITY : (nowMs - at) / 1000;
}

/** NaN is neither more nor less. */
const numberIn = (text: string) => Number.parseFloat(text);
