import type { Ui } from '../ui.ts';
import type { ListState, View } from '../views.ts';
import type { AnyTable } from './definition.ts';
import { entriesOf, textReader, type Entry } from './entries.ts';
import { filterEntries } from './filter.ts';
import { sortEntries } from './sort.ts';
import { areRowsFrozen } from './row-freeze.ts';

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
  sorted: readonly Entry[];
  left: readonly Entry[];
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
  // Who opens the filter writes in it next: then all has been read.
  if (ui.overlay.get()?.kind === 'filter' && kept?.source === source) kept.sorted.forEach(textReader(table));
  const isSorted = kept !== undefined && isSameSort(kept.sort, sort);
  if (kept && isSorted && kept.filter === filter) {
    if (kept.source === source && nowMs < kept.untilMs) return kept.rows;
    if (kept.viewKey === view.key && kept.rows.ids.length > 0 && areRowsFrozen(ui)) {
      if (kept.resting?.source !== source) kept.resting = { source, rows: inOrder(table, kept.rows, source) };
      return kept.resting.rows;
    }
  }
  const isSameList = isSorted && kept.source === source;
  const sorted = isSameList
    ? kept.sorted
    : sortEntries(table, entriesOf(table, source), sort, sortedBefore(kept, sort));
  const earlier = isSameList ? { filter: kept.filter, entries: kept.left, isClose: kept.rows.isClose } : undefined;
  const { entries: left, isClose, isTimed } = filterEntries(table, sorted, filter, nowMs, earlier);
  const rows = { items: left.map(({ item }) => item), ids: left.map(({ id }) => id), isClose };
  const untilMs = isTimed ? nowMs + 1000 : Number.POSITIVE_INFINITY;
  keptOf.set(table, { viewKey: view.key, source, sort, filter, sorted, left, rows, untilMs, resting: undefined });
  return rows;
}

/** The other way round is nearly sorted too. */
const sortedBefore = (kept: Kept | undefined, sort: ListState['sort']) =>
  kept?.sort?.title === sort?.title ? kept?.sorted : undefined;

const isSameSort = (one: ListState['sort'], other: ListState['sort']) =>
  one?.title === other?.title && one?.isReverse === other?.isReverse;

/** Rows that are gone stay as they last were, so that nothing moves. */
function inOrder(table: AnyTable, { items, ids, isClose }: Rows, source: Source): Rows {
  const now = new Map(source.map((item) => [table.id(item), item]));
  return { items: items.map((item, index) => now.get(ids[index] ?? '') ?? item), ids, isClose };
}
