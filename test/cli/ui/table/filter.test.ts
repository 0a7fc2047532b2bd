import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TableDefinition } from '../../../../cli/ui/table/definition.ts';
import { filterFields } from '../../../../cli/ui/table/filter-fields.ts';
import { exactly, filterFault, parseFilter } from '../../../../cli/ui/table/filter-words.ts';
import { entriesOf } from '../../../../cli/ui/table/entries.ts';
import { filterEntries } from '../../../../cli/ui/table/filter.ts';
import { createStore } from '../../../../cli/ui/data/store.ts';

interface Item {
  name: string;
  fleet: string;
  state: string;
  seen: string;
  used: string;
  label: string;
}

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const ago = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();
const item = (name: string, facts: Partial<Item> = {}): Item => ({
  name,
  fleet: 'pickers',
  state: 'online',
  seen: ago(0),
  used: '1',
  label: '',
  ...facts,
});

const table: TableDefinition<Item> = {
  noun: 'items',
  source: createStore({ value: [], freshness: { kind: 'live', atMs: 0 } }),
  id: ({ name }) => name,
  name: ({ name }) => name,
  columns: [
    { title: 'Name', width: 10, text: ({ name }) => name },
    { title: 'Letters of it', width: 3, text: ({ name }) => String(name.length) },
    { title: 'load', width: 3, text: () => '42%', saved: false },
  ],
  fields: {
    fleet: ({ fleet }) => fleet,
    state: ({ state }) => state,
    seen: ({ seen }) => seen,
    used: ({ used }) => used,
    label: ({ label }) => label,
  },
  empty: { text: '', next: '' },
};

const items = [
  item('amr-1', { fleet: 'the pickers', seen: ago(90), label: 'tier=canary\nzone=a' }),
  item('amr-2', { state: 'offline', seen: '' }),
  item('amr-10', { fleet: 'pickers-2', used: '30', label: 'tier=canary-2\nzone=b' }),
];
const filtered = (text: string, before?: string) => {
  const entries = entriesOf(table, items);
  const earlier = before === undefined ? undefined : filterEntries(table, entries, before, nowMs);
  return filterEntries(table, entries, text, nowMs, earlier && { ...earlier, filter: before ?? '' });
};
const left = (text: string, before?: string) => filtered(text, before).entries.map(({ id }) => id);

test.each([
  ['', ['amr-1', 'amr-2', 'amr-10']],
  ['AMR-1', ['amr-1', 'amr-10']],
  ['!amr-1', ['amr-2']],
  ['amr state:online', ['amr-1', 'amr-10']],
  ['state:!online', ['amr-2']],
  ['!state:online', ['amr-2']],
  ['fleet:"the p"', ['amr-1']],
  ['fleet:=pickers', ['amr-2']],
  ['seen:>1h', ['amr-1', 'amr-2']],
  ['seen:<1h', ['amr-10']],
  ['used:>20', ['amr-10']],
  ['12:30', []],
  ['state:', ['amr-1', 'amr-2', 'amr-10']],
  ['seen:>', ['amr-1', 'amr-2', 'amr-10']],
  ['!', ['amr-1', 'amr-2', 'amr-10']],
  ['name:amr-1', ['amr-1', 'amr-10']],
  ['name=amr-1', ['amr-1']],
  ['NAME!=amr-1', ['amr-2', 'amr-10']],
  ['letters-of-it>=6', ['amr-10']],
  ['letters-of-it:<=5', ['amr-1', 'amr-2']],
  ['used>20', ['amr-10']],
  ['used<20', ['amr-1', 'amr-2']],
  ['!used<20', ['amr-10']],
  ['seen>=1h', ['amr-1', 'amr-2']],
  ['seen<1h used>', ['amr-10']],
  ['label:tier=canary', ['amr-1', 'amr-10']],
  ['-l tier=canary', ['amr-1']],
  ['-l tier', ['amr-1', 'amr-10']],
  ['-l tier,zone!=b', ['amr-1']],
  ['-l !tier', ['amr-2']],
  ['-l', ['amr-1', 'amr-2', 'amr-10']],
  ['"tier=canary"', ['amr-1', 'amr-10']],
  ['tier=canary', ['amr-1', 'amr-10']],
  ['http://amr', []],
  ['fe80::1', []],
  ['stat', []],
])('the filter %j leaves %j', (text, names) => {
  expect(left(text)).toEqual(names);
});

test.each([
  ['statsu:online', 'unknown key "statsu"; did you mean state? known: name letters-of-it fleet state seen used label'],
  ['battery:', 'unknown key "battery"; known: name letters-of-it fleet state seen used label'],
  ['state:', undefined],
  ['amr flet:x', 'unknown key "flet"; did you mean fleet? known: name letters-of-it fleet state seen used label'],
  ['batery<20', 'unknown key "batery"; known: name letters-of-it fleet state seen used label'],
  ['load>20', 'unknown key "load"; known: name letters-of-it fleet state seen used label'],
  ['used<many', 'used<many: expected a number or an age, such as 20 or 5m'],
  ['"statsu:online"', undefined],
])('of %j the fault is %j, and while there is one no row matches', (text, fault) => {
  expect(filterFault(text, filterFields(table))).toBe(fault);
  if (fault !== undefined) expect(left(text)).toEqual([]);
});

test.each([
  ['state:purple', 'no state contains "purple"; known: online, never seen'],
  ['!state=on', undefined],
  ['state:seen', undefined],
  ['state:', undefined],
  ['"state:purple"', undefined],
  ['fleet:purple', undefined],
])('of %j, where the values of a field are known, the fault is %j', (text, fault) => {
  const values = { state: ['online', 'never seen'] };
  expect(filterFault(text, filterFields(table), values)).toBe(fault);
});

test('-l in a list without labels is an unknown key', () => {
  expect(filterFault('-l tier=canary', ['name'])).toBe('unknown key "label"; known: name');
});

test('where nothing holds the text, names that have its letters in their order are near to it', () => {
  expect(filtered('amr10')).toMatchObject({ isClose: true, entries: [{ id: 'amr-10' }] });
});

test('an age in a filter makes it one of the time', () => {
  expect(filtered('seen:>1h').isTimed).toBe(true);
  expect(filtered('used:>20').isTimed).toBe(false);
});

test('the word for exactly one value is read as that value, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (value) => {
      expect(parseFilter(exactly('fleet', value), ['fleet'])).toEqual([
        { isNot: false, field: 'fleet', kind: 'is', value: value.toLowerCase() },
      ]);
    }),
  );
});

test('whatever is written, the rows that are left keep their order', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const names = left(text);
      expect(names).toEqual(items.map(({ name }) => name).filter((name) => names.includes(name)));
    }),
  );
});

const word = fc.constantFrom(
  'amr',
  '1',
  '10',
  '!10',
  'fleet:pickers',
  '!fleet:pickers',
  'seen:>1h',
  'used:<20',
  'used>=',
  'flet:',
  'flet:x',
  '-l',
  'zz',
);
const filter = fc.array(word, { maxLength: 2 }).map((words) => words.join(' '));

test('whatever was filtered before, a filter leaves the same rows', () => {
  fc.assert(
    fc.property(filter, filter, fc.constantFrom('', ' ', undefined), (before, after, between) => {
      const text = between === undefined ? after : `${before}${between}${after}`;
      expect(left(text, before)).toEqual(left(text));
    }),
    { numRuns: 500 },
  );
});
