import { screenOf } from '../screens/index.ts';
import type { AnyTable } from '../table/definition.ts';
import { rowsSeen } from '../table/drawing.ts';
import {
  first,
  halfDown,
  halfUp,
  keepFilter,
  last,
  markAll,
  markRange,
  moveDown,
  moveUp,
  openSelected,
  pageDown,
  pageUp,
  sortNext,
  sortReverse,
  toggleMark,
  toggleWide,
} from '../table/navigation.ts';
import type { Ui } from '../ui.ts';
import type { Action, ActionContext } from './action.ts';

/** An action on the list of the view. */
function ofList(
  action: Pick<Action, 'id' | 'title' | 'keys' | 'rank'>,
  move: (ui: Ui, table: AnyTable, rows: number) => void,
): Action {
  return {
    ...action,
    scope: 'lists',
    run({ ui, view }: ActionContext) {
      const table = screenOf(view.place.screen).table?.(ui, view);
      if (table) move(ui, table, rowsSeen(table));
    },
  };
}

/** Actions of every list. */
export const listActions: readonly Action[] = [
  ofList({ id: 'lists.open', title: 'Open', keys: ['enter'], rank: 10 }, openSelected),
  {
    id: 'lists.filter',
    title: 'Filter',
    keys: ['/'],
    scope: 'lists',
    rank: 70,
    run: ({ ui }) => ui.overlay.set({ kind: 'filter' }),
  },
  ofList({ id: 'lists.down', title: 'Down', keys: ['j', 'down'] }, moveDown),
  ofList({ id: 'lists.up', title: 'Up', keys: ['k', 'up'] }, moveUp),
  ofList({ id: 'lists.first', title: 'First', keys: ['g', 'home'] }, first),
  ofList({ id: 'lists.last', title: 'Last', keys: ['G', 'end'] }, last),
  ofList({ id: 'lists.pageDown', title: 'Page down', keys: ['pgdn'] }, pageDown),
  ofList({ id: 'lists.pageUp', title: 'Page up', keys: ['pgup'] }, pageUp),
  ofList({ id: 'lists.halfDown', title: 'Half a page down', keys: ['ctrl-d'] }, halfDown),
  ofList({ id: 'lists.halfUp', title: 'Half a page up', keys: ['ctrl-u'] }, halfUp),
  ofList({ id: 'lists.mark', title: 'Mark or unmark', keys: ['space'] }, toggleMark),
  ofList({ id: 'lists.markRange', title: 'Mark from the last mark to here', keys: ['ctrl-space'] }, markRange),
  ofList({ id: 'lists.markAll', title: 'Mark all matching rows, or none', keys: ['ctrl-a'] }, markAll),
  ofList({ id: 'lists.sort', title: 'Sort by the next column', keys: ['o'] }, sortNext),
  ofList({ id: 'lists.sortReverse', title: 'Reverse the sort order', keys: ['O'] }, sortReverse),
  ofList({ id: 'lists.wide', title: 'Show all columns, or the default ones', keys: ['w'] }, toggleWide),
  {
    id: 'lists.columns',
    title: 'Choose columns…',
    keys: ['C'],
    scope: 'lists',
    run: ({ ui }) => ui.overlay.set({ kind: 'columns' }),
  },
  ofList({ id: 'lists.keepFilter', title: 'Keep the filter for this list', keys: ['F'] }, keepFilter),
];
