import type { AnyTable, TableColumn } from './definition.ts';
import { naturalKey } from './natural-order.ts';

/** Undefined: it has no value. */
type SortKey = string | number | undefined;

/** A row of a list, with what was found out of it: items stay as they are, so that it is found out once. */
export interface Entry {
  item: unknown;
  id: string;
  /** What text without a field is looked for in, in lower case; undefined: nobody looked yet. */
  text: string | undefined;
  /** Its place in the list, before it is sorted. */
  place: number;
  /** What it was sorted by last, and the title of that column. */
  key: SortKey;
  keyTitle: string | undefined;
}

interface Known {
  items: readonly unknown[];
  entries: readonly Entry[];
}

const knownOf = new WeakMap<AnyTable, Known>();

/** The rows of a list in its own order. Of 10,000 some change from one look to the next: the others are known. */
export function entriesOf(table: AnyTable, items: readonly unknown[]): readonly Entry[] {
  const known = knownOf.get(table);
  if (known?.items === items) return known.entries;
  let byItem: Map<unknown, Entry> | undefined;
  const entries = items.map((item, place): Entry => {
    const there = known?.entries[place];
    if (there !== undefined && there.item === item) return there;
    const id = table.id(item);
    // Where rows came or went, the ones behind them are at another place.
    if (there?.id !== id) byItem ??= new Map(known?.entries.map((entry) => [entry.item, entry]));
    const moved = there?.id === id ? undefined : byItem?.get(item);
    if (!moved) return { item, id, text: undefined, place, key: undefined, keyTitle: undefined };
    moved.place = place;
    return moved;
  });
  knownOf.set(table, { items, entries });
  return entries;
}

/** Gives what is looked through of a row: no row holds the line feed between two texts, as no filter can. */
export function textReader(table: AnyTable): (entry: Entry) => string {
  const parts = [
    ...table.columns.filter(({ isSearched }) => isSearched ?? true).map((column) => column.text),
    ...Object.values(table.fields),
  ];
  function read(item: unknown): string {
    let text = '';
    for (const part of parts) text += `\n${part(item)}`;
    return text.toLowerCase();
  }
  return (entry) => (entry.text ??= read(entry.item));
}

/** Finds out what the rows are sorted by. */
export function readKeys(column: TableColumn<unknown>, entries: readonly Entry[]): void {
  const { title } = column;
  const read = column.order ?? column.text;
  for (const entry of entries) {
    if (entry.keyTitle === title) continue;
    const value = read(entry.item);
    const isNone = value === '' || Number.isNaN(value);
    entry.key = isNone ? undefined : typeof value === 'number' ? value : naturalKey(value);
    entry.keyTitle = title;
  }
}
