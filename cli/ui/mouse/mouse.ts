import { actionsFor, runAction } from '../actions/available-actions.ts';
import { goTo, screenTabs } from '../components/screen-tabs.ts';
import { linesAbove } from '../components/lines-above.ts';
import { controllerOf } from '../overlays/controllers.ts';
import { clickTable } from '../table/pointing.ts';
import { isTooSmall } from '../terminal-size.ts';
import type { Ui } from '../ui.ts';
import { isMouseOn } from './is-mouse-on.ts';
import type { MouseEvent } from './mouse-event.ts';

/** Rows that the wheel moves at once. */
const wheelRows = 3;
/** Header and tabs. */
const rowsAbove = 2;
const tabsRow = 1;

/** A click chooses a tab or a row, and opens the row under the cursor; the wheel moves like the arrow keys. */
export function handleMouse(ui: Ui, { kind, column, row }: MouseEvent): void {
  if (!isMouseOn(ui) || isTooSmall(ui.terminal.size.get())) return;
  if (kind !== 'click') return scroll(ui, kind === 'wheelUp' ? 'up' : 'down');
  // A dialog takes no clicks: none may confirm a change.
  if (ui.overlay.get()) return;
  const { current: view } = ui.views.get();
  const { columns } = ui.terminal.size.get();
  if (row === tabsRow) {
    const tab = screenTabs(ui, view, columns).find(({ from, to }) => column >= from && column < to);
    return tab && run(ui, [goTo(tab.screen)]);
  }
  clickTable(ui, column, row - rowsAbove - linesAbove(ui, view, columns).length);
}

function scroll(ui: Ui, direction: 'up' | 'down'): void {
  const overlay = ui.overlay.get();
  for (let count = 0; count < wheelRows; count += 1)
    if (overlay) controllerOf(ui, overlay).key(direction);
    else run(ui, [`grid.${direction}`, `logs.${direction}`, `lists.${direction}`]);
}

/** Runs the first of these actions that is available. */
function run(ui: Ui, ids: readonly string[]): void {
  const found = actionsFor(ui, ui.views.get().current);
  const action = ids
    .map((id) => found.find((each) => each.action.id === id))
    .find((each) => each !== undefined)?.action;
  if (action) runAction(ui, action);
}
