import { deploymentTabOf } from '../deployment/header.ts';
import { missingRole, readOnlyReason } from '../change-flows/permissions.ts';
import { robotTabOf, type RobotTab } from '../robot/tabs.ts';
import { robotInCell } from '../screens/grid-navigation.ts';
import { closeEcho, enterTab, openRobot, openShell, shellDisabledReason } from '../screens/robot-navigation.ts';
import type { Action, ActionContext } from './action.ts';

/** The robot an action applies to: that of the screen, else the one under the cursor. */
function robotIn({ ui, view, selected }: ActionContext): string | undefined {
  if (view.place.screen === 'robot') return view.place.robotId;
  if (view.place.screen === 'deployment') {
    const tab = deploymentTabOf(view);
    return tab === 'Grid' ? robotInCell(ui, view) : tab === 'Robots' ? selected : undefined;
  }
  return selected;
}

const ofRobot = (id: string, title: string, keys: readonly string[], tab: RobotTab): Action => ({
  id: `robot.${id}`,
  title,
  keys,
  scope: ['robots', 'robot', 'deployment'],
  disabledReason: (context) => (robotIn(context) === undefined ? 'select a robot first' : undefined),
  run(context) {
    const robotId = robotIn(context);
    if (robotId !== undefined) openRobot(context.ui, robotId, tab);
  },
});

const noShell = (context: ActionContext): string | undefined =>
  readOnlyReason(context) ??
  missingRole(context, 'operator') ??
  shellDisabledReason(context.ui, context.view.place.robotId ?? '');

const lineOf = (context: ActionContext, ...[command = '', ...flags]: string[]): readonly string[] | undefined => {
  const robotId = robotIn(context);
  return robotId === undefined ? undefined : ['robots', command, robotId, ...flags];
};

/** Actions on a robot, and on the tabs of its screen. */
export const robotActions: readonly Action[] = [
  {
    ...ofRobot('logs', 'Logs', ['l'], 'Logs'),
    rank: 30,
    line: (context) => lineOf(context, 'logs', '--follow'),
    run(context) {
      const robotId = robotIn(context);
      // Several marked robots: their logs together.
      if (context.view.place.screen === 'robots' && context.chosen.length > 1) context.ui.views.go({ screen: 'logs' });
      else if (robotId !== undefined) openRobot(context.ui, robotId, 'Logs');
    },
  },
  { ...ofRobot('shell', 'Shell', ['s'], 'Shell'), rank: 32, line: (context) => lineOf(context, 'shell') },
  {
    ...ofRobot('camera', 'Camera', ['c'], 'Camera'),
    rank: 34,
    line: (context) => lineOf(context, 'camera'),
  },
  { ...ofRobot('topics', 'Topics', ['T'], 'Topics'), line: (context) => lineOf(context, 'topics', 'list') },
  { ...ofRobot('timeline', 'Timeline', ['t'], 'Timeline'), line: (context) => lineOf(context, 'timeline') },
  ofRobot('health', 'Health', [], 'Health'),
  ofRobot('config', 'What it runs', [], 'Config'),
  {
    id: 'robot.enter',
    title: 'Open',
    keys: ['enter'],
    scope: ['robot'],
    rank: 10,
    disabledReason(context) {
      const tab = robotTabOf(context.view);
      if (tab === 'Shell') return noShell(context);
      return tab === 'Health' || tab === 'Logs' ? 'this tab has nothing to open' : undefined;
    },
    run: ({ ui }) => enterTab(ui),
  },
  {
    id: 'robot.openShell',
    title: 'Open a shell at once',
    keys: [],
    scope: ['robot'],
    disabledReason: noShell,
    run: ({ ui, view }) => void openShell(ui, view.place.robotId ?? ''),
  },
  {
    id: 'robot.back',
    title: 'Back: close the messages, clear the filter, leave the view',
    keys: ['esc'],
    scope: ['robot'],
    run({ ui, view }) {
      if (closeEcho(ui)) return;
      if (view.list.filter !== '') ui.views.setList({ filter: '' });
      else ui.views.back();
    },
  },
];
