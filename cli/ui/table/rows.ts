import type { Ui } from '../ui.ts';
import type { ListState, View } from '../views.ts';
import type { AnyTable } from './definition.ts';
import { filterItems } from './filter.ts';
import { sortItems } from './order.ts';
import { areRowsResting } from './rest.ts';

export interface Rows {
  items: readonly unknown[];
  /** Of `items`, in their order. */
  ids: readonly string[];
  /** What the filter leaves is only near to what was written. */
  isClose: boolean;
}

type Source = readonly unknown[];

/** What is kept of a list from one look at it to the next: all of it is made again only where what it was made of is another. */
interface Kept {
  viewKey: number;
  source: Source;
  sort: ListState['sort'];
  filter: string;
  sorted: Source;
  rows: Rows;
  /** When rows whose filter speaks of ages are made again; else never. */
  untilMs: number;
  /** The rows in the order that they rest in, as the source now has them. */
  resting: { source: Source; rows: Rows } | undefined;
}

const keptOf = new WeakMap<AnyTable, Kept>();

/** The rows of a list, filtered and sorted. While they rest, the ones that were there stay where they were, and new ones wait. */
export function rowsOf(ui: Ui, view: View, table: AnyTable): Rows {
  const source: Source = table.source.get().value ?? [];
  const nowMs = Date.now();
  const { filter, sort } = view.list;
  const kept = keptOf.get(table);
  const isSorted = kept !== undefined && isSameSort(kept.sort, sort);
  if (kept && isSorted && kept.filter === filter) {
    if (kept.source === source && nowMs < kept.untilMs) return kept.rows;
    if (kept.viewKey === view.key && kept.rows.ids.length > 0 && areRowsResting(ui)) {
      if (kept.resting?.source !== source) kept.resting = { source, rows: inOrder(table, kept.rows, source) };
      return kept.resting.rows;
    }
  }
  const sorted = isSorted && kept.source === source ? kept.sorted : sortItems(table, source, sort);
  const { items, isClose, isTimed } = filterItems(table, sorted, filter, nowMs);
  const rows = { items, ids: items.map((item) => table.id(item)), isClose };
  const untilMs = isTimed ? nowMs + 1000 : Number.POSITIVE_INFINITY;
  keptOf.set(table, { viewKey: view.key, source, sort, filter, sorted, rows, untilMs, resting: undefined });
  return rows;
}

const isSameSort = (one: ListState['sort'], other: ListState['sort']) =>
  one?.title === other?.title && one?.isReverse === other?.isReverse;

/** Rows that are gone stay as they last were, so that nothing moves. */
function inOrder(table: AnyTable, { items, ids, isClose }: Rows, source: Source): Rows {
  const now = new Map(source.map((item) => [table.id(item), item]));
  return { items: items.map((item, index) => now.get(ids[index] ?? '') ?? item), ids, isClose };
}
