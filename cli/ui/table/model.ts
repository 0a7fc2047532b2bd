import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import type { AnyTable } from './definition.ts';
import { rowsOf, type Rows } from './rows.ts';

/** A list as shown in a view: filtered, sorted, with its cursor and marks. */
export interface TableModel extends Rows {
  /** Row count without the filter. */
  total: number;
  /** Index of the row under the cursor; 0: none. */
  cursor: number;
  /** Ids of the existing marked rows, including those hidden by the filter; else of the row under the cursor. */
  chosen: readonly string[];
  /** Marked rows hidden by the filter. */
  hiddenMarks: number;
}

interface Seen {
  viewKey: number;
  filter: string;
  sort: View['list']['sort'];
  /** The view's cursor id: undefined before it is first moved. */
  id: string | undefined;
  /** The row on which it was shown. */
  shownId: string | undefined;
  index: number;
}

/** Where the cursor was last shown: on which row, under which filter. */
const lastCursor = new WeakMap<AnyTable, Seen>();

export function tableModel(ui: Ui, view: View, table: AnyTable): TableModel {
  const rows = rowsOf(ui, view, table);
  const cursor = cursorIn(rows.ids, view, table);
  const total = table.source.get().value?.length ?? 0;
  return { ...rows, total, cursor, ...chosenIn(table, rows.ids, view, cursor) };
}

/** The cursor stays on its row, wherever that moves. If the row is gone, it takes the one in its place. */
function cursorIn(ids: readonly string[], view: View, table: AnyTable): number {
  const { cursorId, filter, sort } = view.list;
  const last = lastCursor.get(table);
  const isSame = last?.viewKey === view.key && last.id === cursorId && last.filter === filter && last.sort === sort;
  // A cursor that was never moved stays on the row on which it was shown.
  const id = cursorId ?? (isSame ? last.shownId : undefined);
  const place = placeOf(view, last);
  // Usually it has not moved.
  const at = id === undefined ? -1 : ids[place] === id ? place : ids.indexOf(id);
  const index = Math.max(0, at === -1 ? Math.min(place, ids.length - 1) : at);
  lastCursor.set(table, { viewKey: view.key, filter, sort, id: cursorId, shownId: ids[index], index });
  return index;
}

/** Index for the cursor if its row is missing. */
function placeOf({ key, list }: View, last: Seen | undefined): number {
  if (last?.viewKey !== key || last.id !== list.cursorId) return list.cursorIndex;
  return last.filter === list.filter ? last.index : 0;
}

function chosenIn(table: AnyTable, ids: readonly string[], { list }: View, cursor: number) {
  if (list.marks.size > 0) {
    const all: readonly unknown[] = table.source.get().value ?? [];
    const chosen = all.map((item) => table.id(item)).filter((id) => list.marks.has(id));
    if (chosen.length > 0) {
      const shown = ids.reduce((count, id) => count + (list.marks.has(id) ? 1 : 0), 0);
      return { chosen, hiddenMarks: Math.max(0, chosen.length - shown) };
    }
  }
  return { chosen: ids.slice(cursor, cursor + 1), hiddenMarks: 0 };
}
