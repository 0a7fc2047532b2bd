import { deploymentTabOf } from '../deployment/header.ts';
import { isReadOnly } from '../change-flows/permissions.ts';
import { robotTabOf, type RobotTab } from '../robot/tabs.ts';
import { robotInCell } from '../screens/grid-navigation.ts';
import { closeEcho, enterTab, openRobot, openShell, shellHindrance } from '../screens/robot-navigation.ts';
import { isTail, toggleTime } from '../tail/navigation.ts';
import type { Action, Moment } from './action.ts';

/** The robot that is meant: the one a screen is about, else the one under the cursor. */
function robotIn({ ui, view, selected }: Moment): string | undefined {
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
  hindrance: (moment) => (robotIn(moment) === undefined ? 'no robot is chosen' : undefined),
  run(moment) {
    const robotId = robotIn(moment);
    if (robotId !== undefined) openRobot(moment.ui, robotId, tab);
  },
});

const noShell = (moment: Moment): string | undefined =>
  isReadOnly(moment) ?? shellHindrance(moment.ui, moment.view.place.robotId ?? '');

const lineOf = (moment: Moment, ...[command = '', ...flags]: string[]): readonly string[] | undefined => {
  const robotId = robotIn(moment);
  return robotId === undefined ? undefined : ['robots', command, robotId, ...flags];
};

/** What is done with a robot, and on the tabs of its screen. */
export const robotActions: readonly Action[] = [
  {
    ...ofRobot('logs', 'Logs', ['l'], 'Logs'),
    rank: 30,
    line: (moment) => lineOf(moment, 'logs', '--follow'),
    run(moment) {
      const robotId = robotIn(moment);
      // Of several marked robots the logs together.
      if (moment.view.place.screen === 'robots' && moment.chosen.length > 1) moment.ui.views.go({ screen: 'logs' });
      else if (robotId !== undefined) openRobot(moment.ui, robotId, 'Logs');
    },
  },
  { ...ofRobot('shell', 'Shell', ['s'], 'Shell'), rank: 32, line: (moment) => lineOf(moment, 'shell') },
  {
    ...ofRobot('camera', 'Camera', ['c'], 'Camera'),
    rank: 34,
    line: (moment) => lineOf(moment, 'camera'),
  },
  { ...ofRobot('topics', 'Topics', ['T'], 'Topics'), line: (moment) => lineOf(moment, 'topics', 'list') },
  {
    ...ofRobot('timeline', 'Timeline; on logs their times', ['t'], 'Timeline'),
    line: (moment) => lineOf(moment, 'timeline'),
    run(moment) {
      const robotId = robotIn(moment);
      if (isTail(moment.view)) toggleTime(moment.ui);
      else if (robotId !== undefined) openRobot(moment.ui, robotId, 'Timeline');
    },
  },
  ofRobot('health', 'Health', [], 'Health'),
  ofRobot('config', 'What it runs', [], 'Config'),
  {
    id: 'robot.enter',
    title: 'Open',
    keys: ['enter'],
    scope: ['robot'],
    rank: 10,
    hindrance(moment) {
      const tab = robotTabOf(moment.view);
      if (tab === 'Shell') return noShell(moment);
      return tab === 'Health' || tab === 'Logs' ? 'nothing on this tab opens' : undefined;
    },
    run: ({ ui }) => enterTab(ui),
  },
  {
    id: 'robot.openShell',
    title: 'Open a shell at once',
    keys: [],
    scope: ['robot'],
    hindrance: noShell,
    run: ({ ui, view }) => void openShell(ui, view.place.robotId ?? ''),
  },
  {
    id: 'robot.back',
    title: 'Back: out of the echo, then the filter, then the view',
    keys: ['esc'],
    scope: ['robot'],
    run({ ui, view }) {
      if (closeEcho(ui)) return;
      if (view.list.filter !== '') ui.views.setList({ filter: '' });
      else ui.views.back();
    },
  },
];
