import type { AnyTable, TableColumn } from './definition.ts';

type Reader = (item: unknown) => string;

const known = new WeakMap<AnyTable, ReadonlyMap<string, Reader>>();

/** The keys of a filter of this list: its fields, then its columns, by their titles in lower case. */
export function filterReaders(table: AnyTable): ReadonlyMap<string, Reader> {
  const made =
    known.get(table) ??
    new Map<string, Reader>([
      ...table.columns.flatMap((column): [string, Reader][] => {
        const read = readerOf(column);
        return read ? [[column.title.toLowerCase().replaceAll(' ', '-'), read]] : [];
      }),
      ...Object.entries(table.fields),
    ]);
  known.set(table, made);
  return made;
}

/** Values that are not loaded for all rows are not filtered. */
function readerOf({ text, saved = text, filtered }: TableColumn<unknown>): Reader | undefined {
  if (filtered) return filtered;
  return saved === false ? undefined : (item) => saved(item);
}

export const filterFields = (table: AnyTable): readonly string[] => [...filterReaders(table).keys()];
