import type { Ui } from '../ui.ts';
import type { AnyTable } from './definition.ts';
import { notify } from '../actions/notify.ts';
import { changeList, keepInList } from './kept-list.ts';
import { columnsToShow, isTitled } from './shown-columns.ts';
import { tableModel } from './model.ts';
import { freezeRows } from './row-freeze.ts';

/** Moves in the list of the current view. `rows`: rows visible at once. */
type Move = (ui: Ui, table: AnyTable, rows: number) => void;

const modelOf = (ui: Ui, table: AnyTable) => tableModel(ui, ui.views.get().current, table);

/** Moves the cursor to that row, or to the nearest one. */
function put(ui: Ui, table: AnyTable, at: (cursor: number, count: number) => number): void {
  const { ids, cursor } = modelOf(ui, table);
  const index = Math.max(0, Math.min(at(cursor, ids.length), ids.length - 1));
  freezeRows(ui);
  ui.views.setList({ cursorId: ids[index], cursorIndex: index });
}

export const putCursor = (ui: Ui, table: AnyTable, index: number): void => put(ui, table, () => index);
export const moveDown: Move = (ui, table) => put(ui, table, (cursor) => cursor + 1);
export const moveUp: Move = (ui, table) => put(ui, table, (cursor) => cursor - 1);
export const pageDown: Move = (ui, table, rows) => put(ui, table, (cursor) => cursor + Math.max(1, rows - 1));
export const pageUp: Move = (ui, table, rows) => put(ui, table, (cursor) => cursor - Math.max(1, rows - 1));
export const halfDown: Move = (ui, table, rows) => put(ui, table, (cursor) => cursor + Math.max(1, rows >> 1));
export const halfUp: Move = (ui, table, rows) => put(ui, table, (cursor) => cursor - Math.max(1, rows >> 1));
export const first: Move = (ui, table) => put(ui, table, () => 0);
export const last: Move = (ui, table) => put(ui, table, (_, count) => count - 1);

/** Toggles the mark of the row under the cursor, and moves to the next row. */
export const toggleMark: Move = (ui, table, rows) => {
  const { ids, cursor } = modelOf(ui, table);
  const id = ids[cursor];
  if (id === undefined) return;
  const marks = new Set(ui.views.get().current.list.marks);
  if (!marks.delete(id)) marks.add(id);
  ui.views.setList({ marks });
  moveDown(ui, table, rows);
};

/** Marks all rows from the nearest marked one above, else below, to the cursor. */
export const markRange: Move = (ui, table) => {
  const { ids, cursor } = modelOf(ui, table);
  const { marks } = ui.views.get().current.list;
  const above = ids.findLastIndex((id, index) => index <= cursor && marks.has(id));
  const anchor = above === -1 ? ids.findIndex((id) => marks.has(id)) : above;
  const range = ids.slice(Math.min(cursor, Math.max(0, anchor)), Math.max(cursor, anchor) + 1);
  const added = anchor === -1 ? ids.slice(cursor, cursor + 1) : range;
  freezeRows(ui);
  ui.views.setList({ marks: new Set([...marks, ...added]) });
};

/** Marks all rows that the filter keeps; if all are marked, removes all marks. */
export const markAll: Move = (ui, table) => {
  const { ids } = modelOf(ui, table);
  const { marks } = ui.views.get().current.list;
  ui.views.setList({ marks: ids.every((id) => marks.has(id)) ? new Set() : new Set([...marks, ...ids]) });
};

/** Opens the row under the cursor. */
export const openSelected: Move = (ui, table) => {
  const { items, cursor } = modelOf(ui, table);
  if (cursor in items) table.open?.(ui, items[cursor]);
};

const sortable = (ui: Ui, table: AnyTable) => {
  const { list } = ui.views.get().current;
  return columnsToShow(table, list).filter(
    ({ isSortable, isWide }) => (isSortable ?? true) && (list.isWide || !(isWide ?? false)),
  );
};

/** Sorts by the next column; after the last, restores the service's order. */
export const sortNext: Move = (ui, table) => {
  const { sort } = ui.views.get().current.list;
  const columns = sortable(ui, table);
  const next = columns[sort ? columns.findIndex((each) => isTitled(each, sort.title)) + 1 : 0];
  changeList(ui, { sort: next && { title: next.title, isReverse: false } });
};

export const sortReverse: Move = (ui, table) => {
  const { sort } = ui.views.get().current.list;
  const title = sort?.title ?? sortable(ui, table)[0]?.title;
  if (title !== undefined) changeList(ui, { sort: { title, isReverse: !sort?.isReverse } });
};

/** All columns, or the default ones instead of chosen ones. */
export const toggleWide: Move = (ui) => {
  const { isWide, columns } = ui.views.get().current.list;
  changeList(ui, { isWide: columns ? false : !isWide, columns: undefined });
};

/** Keeps the filter for the list whenever it is opened; none: keeps none. */
export const keepFilter: Move = (ui) => {
  const { filter } = ui.views.get().current.list;
  keepInList(ui, { filter: filter === '' ? undefined : filter });
  notify(
    ui,
    filter === ''
      ? 'This list opens without a filter.'
      : `This list opens with the filter ${filter}. F without a filter ends that.`,
  );
};

/** Ids of the marked rows, including those hidden by the filter; else of the row under the cursor. */
export const selectedIds = (ui: Ui, table: AnyTable): readonly string[] => modelOf(ui, table).chosen;
