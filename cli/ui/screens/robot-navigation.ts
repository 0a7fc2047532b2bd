import { handOver } from '../robot/shell-tab.ts';
import { robotOf } from '../robot/state.ts';
import { echoOf, robotTable } from '../robot/tables.ts';
import { robotTabOf, type RobotTab } from '../robot/tabs.ts';
import { openSelected } from '../table/navigation.ts';
import type { Ui } from '../ui.ts';

/** Opens a robot at a tab; on the robot's own screen, changes the tab. */
export function openRobot(ui: Ui, robotId: string, tab: RobotTab = 'Health'): void {
  const { place } = ui.views.get().current;
  if (place.screen !== 'robot' || place.robotId !== robotId) ui.views.go({ screen: 'robot', robotId });
  ui.views.setTab(tab);
}

/** Enter on the robot's screen: opens the shell, the camera or the echo of its tab. */
export function enterTab(ui: Ui): void {
  const { current: view } = ui.views.get();
  const { robotId = '' } = view.place;
  const tab = robotTabOf(view);
  const table = robotTable(ui, view, tab);
  if (table) return openSelected(ui, table, 1);
  if (tab === 'Shell') void openShell(ui, robotId);
}

/** Why a shell cannot be opened now; undefined: it can. In a shell anything can be changed. */
export function shellDisabledReason(ui: Ui, robotId: string): string | undefined {
  if (robotOf(ui, robotId)?.online !== true) return 'the agent is offline';
  return ui.writes.get() ? undefined : 'W allows changes first; in a shell anything can be changed';
}

export async function openShell(ui: Ui, robotId: string): Promise<void> {
  const disabledReason = shellDisabledReason(ui, robotId);
  if (disabledReason === undefined) return handOver(ui, ['robots', 'shell', robotId]);
  ui.notice.set({ text: `No shell: ${disabledReason}`, tone: 'warn' });
}

/** Closes the echo of a topic; false: none was open. */
export function closeEcho(ui: Ui): boolean {
  const echo = echoOf(ui, ui.views.get().current.key);
  const isOpen = echo.get() !== undefined;
  echo.set(undefined);
  return isOpen;
}
