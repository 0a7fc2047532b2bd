import type { Ui } from '../ui.ts';
import { columnStarts, rowAt, type Frame } from './drawing.ts';
import { changeList } from './kept-list.ts';
import { tableModel } from './model.ts';
import { openSelected, putCursor } from './navigation.ts';

const framesOf = new WeakMap<Ui, Set<Frame>>();

/** Says where a list is drawn, until the returned function is called. */
export function placeFrame(frame: Frame): () => void {
  const frames = framesOf.get(frame.ui) ?? new Set();
  framesOf.set(frame.ui, frames);
  frames.add(frame);
  return () => void frames.delete(frame);
}

/** A click on a cell below the header and the tabs: on a title it sorts, on a row it moves the cursor or opens it. */
export function clickTable(ui: Ui, column: number, row: number): void {
  const frame = [...(framesOf.get(ui) ?? [])].find(({ at = { top: 0, left: 0 }, columns, rows }) => row >= at.top && row < at.top + rows && column >= at.left && column < at.left + columns); // prettier-ignore
  if (!frame) return;
  const { at = { top: 0, left: 0 }, table, tab } = frame;
  const isElsewhere = tab !== undefined && frame.hasKeys === false;
  if (isElsewhere) ui.views.setTab(tab);
  const hit = rowAt(frame, row - at.top);
  if (hit === 'titles') {
    const found = columnStarts(frame).findLast(({ start }) => start <= column - at.left)?.column;
    if (!found || isElsewhere || !(found.isSortable ?? true)) return;
    const { sort } = ui.views.get().current.list;
    const isReverse = sort?.title === found.title && !sort.isReverse;
    return changeList(ui, { sort: { title: found.title, isReverse } });
  }
  const { ids, cursor } = tableModel(ui, ui.views.get().current, table);
  if (hit === undefined || hit >= ids.length) return;
  if (hit === cursor && !isElsewhere) openSelected(ui, table, 1);
  else putCursor(ui, table, hit);
}
