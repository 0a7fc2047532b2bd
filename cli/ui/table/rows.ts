import type { Ui } from '../ui.ts';
import type { ListState, View } from '../views.ts';
import type { AnyTable } from './definition.ts';
import { entriesOf, textReader, type Entry } from './entries.ts';
import { filterEntries } from './filter.ts';
import { sortEntries } from './sort.ts';
import { areRowsFrozen } from './row-freeze.ts';

export interface Rows {
  items: readonly unknown[];
  /** Of `items`, in the same order. */
  ids: readonly string[];
  /** No row contains the filter's text; these are only close to it. */
  isClose: boolean;
}

type Source = readonly unknown[];

/** Results for a list that are reused: each is recomputed only when its inputs change. */
interface Kept {
  viewKey: number;
  source: Source;
  sort: ListState['sort'];
  filter: string;
  sorted: readonly Entry[];
  left: readonly Entry[];
  rows: Rows;
  /** When rows filtered by age are recomputed; else never. */
  untilMs: number;
  /** The rows in their frozen order, as the source now has them. */
  resting: { source: Source; rows: Rows } | undefined;
}

const keptOf = new WeakMap<AnyTable, Kept>();

/**
 * The rows of a list, filtered and sorted. While they are frozen, existing rows keep their place, and new ones wait.
 */
export function rowsOf(ui: Ui, view: View, table: AnyTable): Rows {
  const source: Source = table.source.get().value ?? [];
  const nowMs = Date.now();
  const { filter, sort } = view.list;
  const kept = keptOf.get(table);
  // An open filter is typed into next: all texts are read in advance.
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

/** The reverse order is nearly sorted too. */
const sortedBefore = (kept: Kept | undefined, sort: ListState['sort']) =>
  kept?.sort?.title === sort?.title ? kept?.sorted : undefined;

const isSameSort = (one: ListState['sort'], other: ListState['sort']) =>
  one?.title === other?.title && one?.isReverse === other?.isReverse;

/** Removed rows stay as last shown, so that nothing moves. */
function inOrder(table: AnyTable, { items, ids, isClose }: Rows, source: Source): Rows {
  const now = new Map(source.map((item) => [table.id(item), item]));
  return { items: items.map((item, index) => now.get(ids[index] ?? '') ?? item), ids, isClose };
}
