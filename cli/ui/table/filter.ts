import fuzzysort from 'fuzzysort';
import type { AnyTable } from './definition.ts';
import { parseFilter, type FilterWord } from './filter-words.ts';

interface Filtered {
  items: readonly unknown[];
  /** Nothing holds the text as it is written: these have its letters in their names, in order. */
  isClose: boolean;
  /** Ages are in it: it may be otherwise in a second. */
  isTimed: boolean;
}

type Test = (item: unknown) => boolean;

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const leastCloseness = 0.3;

/** The rows of a list that a filter leaves, in their order. */
export function filterItems(table: AnyTable, items: readonly unknown[], text: string, nowMs: number): Filtered {
  const words = parseFilter(text, Object.keys(table.fields));
  if (words.length === 0) return { items, isClose: false, isTimed: false };
  const isTimed = words.some(({ kind, value }) => (kind === 'over' || kind === 'under') && /[smhdw]$/.test(value));
  const isLoose = ({ isNot, field }: FilterWord) => !isNot && field === undefined;
  const loose = words.filter(isLoose);
  const testsOf = (some: readonly FilterWord[]) => some.map((word) => testOf(table, word, nowMs));
  const plain = keep(items, testsOf(words));
  if (plain.length > 0 || loose.length === 0) return { items: plain, isClose: false, isTimed };
  const others = keep(items, testsOf(words.filter((word) => !isLoose(word))));
  const close = loose.reduce((left, { value }) => left.filter((item) => isNear(table.name(item), value)), others);
  return { items: close, isClose: close.length > 0, isTimed };
}

const keep = (items: readonly unknown[], tests: readonly Test[]) =>
  items.filter((item) => tests.every((test) => test(item)));

const isNear = (name: string, value: string) => (fuzzysort.single(value, name)?.score ?? 0) >= leastCloseness;

function testOf(table: AnyTable, word: FilterWord, nowMs: number): Test {
  const test = word.field === undefined ? anywhere(table, word.value) : within(table, word.field, word, nowMs);
  return word.isNot ? (item) => !test(item) : test;
}

/** Of each table, what is looked through of its rows: they stay as they are, so it is put together once for each. */
const texts = new WeakMap<AnyTable, WeakMap<object, string>>();

function anywhere(table: AnyTable, value: string): Test {
  const kept = texts.get(table) ?? new WeakMap<object, string>();
  texts.set(table, kept);
  const parts = [
    ...table.columns.filter(({ isSearched }) => isSearched ?? true).map((column) => column.text),
    ...Object.values(table.fields),
  ];
  // No row holds the line feed between two texts, as no filter can.
  const textOf = (item: unknown) => parts.reduce((text, part) => `${text}\n${part(item)}`, '').toLowerCase();
  return (item) => {
    if (typeof item !== 'object' || item === null) return textOf(item).includes(value);
    let text = kept.get(item);
    if (text === undefined) kept.set(item, (text = textOf(item)));
    return text.includes(value);
  };
}

function within(table: AnyTable, field: string, { kind, value }: FilterWord, nowMs: number): Test {
  const read = (item: unknown) => table.fields[field]?.(item) ?? '';
  switch (kind) {
    case 'has':
      return (item) => read(item).toLowerCase().includes(value);
    case 'is':
      return (item) => read(item).toLowerCase().split('\n').includes(value);
    case 'over':
    case 'under': {
      const limit = limitOf(value);
      // A limit that is still being written leaves all rows.
      if (!limit) return () => true;
      const measure = limit.isAge ? (text: string) => ageSeconds(text, nowMs) : numberIn;
      return (item) => {
        const measured = measure(read(item));
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
