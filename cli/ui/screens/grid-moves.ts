import { cursorIndex, gridPane } from '../deployment/grid.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';

/** Moves the cursor over the cells of a deployment; `stepOf` knows how many lie in a row. */
function move(ui: Ui, indexOf: (index: number, perRow: number, last: number) => number): void {
  const { current: view } = ui.views.get();
  const { deployment } = view.place;
  const targets = deployment && ui.data.targets(deployment.face, deployment.id).get().value;
  if (!targets || targets.length === 0) return;
  const next = indexOf(cursorIndex(targets, view), gridPane(ui, view.key).perRow, targets.length - 1);
  // Up and down stay in their column: where there is no cell, the cursor stays.
  const target = targets[next];
  if (target) ui.views.setList({ cursorId: target.robot_id, cursorIndex: next });
}

export const gridLeft = (ui: Ui): void => move(ui, (index) => index - 1);
export const gridRight = (ui: Ui): void => move(ui, (index) => index + 1);
export const gridUp = (ui: Ui): void => move(ui, (index, perRow) => index - perRow);
export const gridDown = (ui: Ui): void => move(ui, (index, perRow) => index + perRow);
export const gridFirst = (ui: Ui): void => move(ui, () => 0);
export const gridLast = (ui: Ui): void => move(ui, (_index, _perRow, last) => last);

/** The robot whose cell the cursor is at; undefined: there is none. */
export function robotInCell(ui: Ui, view: View): string | undefined {
  const { deployment } = view.place;
  const targets = (deployment && ui.data.targets(deployment.face, deployment.id).get().value) ?? [];
  return targets[cursorIndex(targets, view)]?.robot_id;
}

/** To the robot under the cursor. */
export function openCell(ui: Ui): void {
  const robotId = robotInCell(ui, ui.views.get().current);
  if (robotId !== undefined) ui.views.go({ screen: 'robot', robotId });
}
