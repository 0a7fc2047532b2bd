import { deploymentTable } from '../deployment/tables.ts';
import {
  gridDown,
  gridFirst,
  gridHalfDown,
  gridHalfUp,
  gridLast,
  gridLeft,
  gridPageDown,
  gridPageUp,
  gridRight,
  gridUp,
  openCell,
} from '../screens/grid-navigation.ts';
import type { AnyTable } from '../table/definition.ts';
import { rowsSeen } from '../table/drawing.ts';
import {
  first,
  halfDown,
  halfUp,
  last,
  moveDown,
  moveUp,
  openSelected,
  pageDown,
  pageUp,
} from '../table/navigation.ts';
import type { Ui } from '../ui.ts';
import type { Action } from './action.ts';

/** An action of the deployment screen: over the cells on its grid, over the rows on its lists. */
const ofGrid = (
  id: string,
  title: string,
  keys: readonly string[],
  move: (ui: Ui) => void,
  inList: (ui: Ui, table: AnyTable, rows: number) => void = () => undefined,
): Action => ({
  id: `grid.${id}`,
  title,
  keys,
  scope: ['deployment'],
  run({ ui, view }) {
    const table = deploymentTable(ui, view);
    if (table) inList(ui, table, rowsSeen(table));
    else move(ui);
  },
});

/** Actions on the grid of a deployment. */
export const gridActions: readonly Action[] = [
  { ...ofGrid('open', 'Open', ['enter'], openCell, openSelected), rank: 10 },
  ofGrid('left', 'Left', ['left'], gridLeft),
  ofGrid('right', 'Right', ['right'], gridRight),
  ofGrid('up', 'Up', ['up', 'k'], gridUp, moveUp),
  ofGrid('down', 'Down', ['down', 'j'], gridDown, moveDown),
  ofGrid('first', 'First', ['g', 'home'], gridFirst, first),
  ofGrid('last', 'Last', ['G', 'end'], gridLast, last),
  ofGrid('pageDown', 'Page down', ['pgdn'], gridPageDown, pageDown),
  ofGrid('pageUp', 'Page up', ['pgup'], gridPageUp, pageUp),
  ofGrid('halfDown', 'Half a page down', ['ctrl-d'], gridHalfDown, halfDown),
  ofGrid('halfUp', 'Half a page up', ['ctrl-u'], gridHalfUp, halfUp),
];
