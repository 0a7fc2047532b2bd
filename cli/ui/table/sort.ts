import type { ListState } from '../views.ts';
import type { AnyTable } from './definition.ts';
import { isTitled } from './shown-columns.ts';
import { readKeys, type Entry } from './entries.ts';

/**
 * Sorts rows by a column. Equal rows keep their order, in both directions; rows without a value come last, in both.
 * `before`: the rows as last sorted by that column: if few differ now, few are compared.
 */
export function sortEntries(
  table: AnyTable,
  entries: readonly Entry[],
  sort: ListState['sort'],
  before: readonly Entry[] = [],
): readonly Entry[] {
  const column = sort && table.columns.find((each) => isTitled(each, sort.title));
  if (!column) return entries;
  const known = before.filter((entry) => entries[entry.place] === entry);
  const fresh = entries.filter(({ keyTitle }) => keyTitle !== column.title);
  readKeys(column, fresh);
  const direction = sort.isReverse ? -1 : 1;
  return (known.length + fresh.length === entries.length ? [...known, ...fresh] : [...entries]).sort((left, right) => {
    const [a, b] = [left.key, right.key];
    if (a === undefined || b === undefined) return a === b ? left.place - right.place : a === undefined ? 1 : -1;
    return a < b ? -direction : a > b ? direction : left.place - right.place;
  });
}
