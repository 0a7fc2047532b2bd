import { cursorIndex, gridPane } from '../deployment/grid.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';

/** Layout of the cells: cells per row, visible rows, and the last index. */
interface Cells {
  perRow: number;
  rows: number;
  last: number;
}

/** Moves the cursor over the cells of a deployment. */
function move(ui: Ui, indexOf: (index: number, cells: Cells) => number): void {
  const { current: view } = ui.views.get();
  const { deployment } = view.place;
  const targets = deployment && ui.data.targets(deployment.deploymentKind, deployment.id).get().value;
  if (!targets || targets.length === 0) return;
  const { perRow, rows } = gridPane(ui, view.key);
  const next = indexOf(cursorIndex(targets, view), { perRow, rows, last: targets.length - 1 });
  // Up and down stay in their column: if there is no cell, the cursor stays.
  const target = targets[next];
  if (target) ui.views.setList({ cursorId: target.robot_id, cursorIndex: next });
}

export const gridLeft = (ui: Ui): void => move(ui, (index) => index - 1);
export const gridRight = (ui: Ui): void => move(ui, (index) => index + 1);
export const gridUp = (ui: Ui): void => move(ui, (index, { perRow }) => index - perRow);
export const gridDown = (ui: Ui): void => move(ui, (index, { perRow }) => index + perRow);
export const gridFirst = (ui: Ui): void => move(ui, () => 0);
export const gridLast = (ui: Ui): void => move(ui, (_, { last }) => last);

/** Stops at the first row, in the same column, or at the last cell. */
const byRows = (ui: Ui, rowsOf: (rows: number) => number): void =>
  move(ui, (index, { perRow, rows, last }) => {
    const next = index + rowsOf(rows) * perRow;
    return next < 0 ? index % perRow : Math.min(next, last);
  });

export const gridPageDown = (ui: Ui): void => byRows(ui, (rows) => Math.max(1, rows - 1));
export const gridPageUp = (ui: Ui): void => byRows(ui, (rows) => -Math.max(1, rows - 1));
export const gridHalfDown = (ui: Ui): void => byRows(ui, (rows) => Math.max(1, rows >> 1));
export const gridHalfUp = (ui: Ui): void => byRows(ui, (rows) => -Math.max(1, rows >> 1));

/** The robot under the cursor; undefined: none. */
export function robotInCell(ui: Ui, view: View): string | undefined {
  const { deployment } = view.place;
  const targets = (deployment && ui.data.targets(deployment.deploymentKind, deployment.id).get().value) ?? [];
  return targets[cursorIndex(targets, view)]?.robot_id;
}

/** Opens the robot under the cursor. */
export function openCell(ui: Ui): void {
  const robotId = robotInCell(ui, ui.views.get().current);
  if (robotId !== undefined) ui.views.go({ screen: 'robot', robotId });
}
