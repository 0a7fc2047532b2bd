import type { AnyTable, TableColumn } from './definition.ts';
import { naturalKey } from './natural-order.ts';

/** Undefined: no value. */
type SortKey = string | number | undefined;

/** A row of a list, with values computed once, as items do not change. */
export interface Entry {
  item: unknown;
  id: string;
  /** Lowercase text for words without a field; undefined: not computed yet. */
  text: string | undefined;
  /** Its index in the list, before sorting. */
  place: number;
  /** Its last sort key, and the title of that column. */
  key: SortKey;
  keyTitle: string | undefined;
}

interface Known {
  items: readonly unknown[];
  entries: readonly Entry[];
}

const knownOf = new WeakMap<AnyTable, Known>();

/** Rows of a list in its own order. Of 10,000 rows few change between two calls: entries of the others are reused. */
export function entriesOf(table: AnyTable, items: readonly unknown[]): readonly Entry[] {
  const known = knownOf.get(table);
  if (known?.items === items) return known.entries;
  let byItem: Map<unknown, Entry> | undefined;
  const entries = items.map((item, place): Entry => {
    const there = known?.entries[place];
    if (there !== undefined && there.item === item) return there;
    const id = table.id(item);
    // After an added or removed row, the rows behind it have another index.
    if (there?.id !== id) byItem ??= new Map(known?.entries.map((entry) => [entry.item, entry]));
    const moved = there?.id === id ? undefined : byItem?.get(item);
    if (!moved) return { item, id, text: undefined, place, key: undefined, keyTitle: undefined };
    moved.place = place;
    return moved;
  });
  knownOf.set(table, { items, entries });
  return entries;
}

/**
 * Returns the searched text of a row. Its parts are joined by a line feed: no filter contains one, so no match spans
 * two.
 */
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

/** Computes the sort keys of the rows. */
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
