import { isReadOnly } from '../doing/roles.ts';
import { orderTabOf } from '../deployment/head.ts';
import { deploymentTable } from '../deployment/tables.ts';
import { robotTabOf, type RobotTab } from '../robot/tabs.ts';
import {
  gridDown,
  gridFirst,
  gridLast,
  gridLeft,
  gridRight,
  gridUp,
  openCell,
  robotInCell,
} from '../screens/grid-moves.ts';
import { screenOf } from '../screens/index.ts';
import { closeEcho, enterTab, openRobot, openShell, shellHindrance } from '../screens/robot-moves.ts';
import { openSelected, moveDown, moveUp, first, last } from '../table/moves.ts';
import {
  clear,
  cycleLevel,
  down,
  halfDown,
  halfUp,
  isTail,
  pageDown,
  pageUp,
  save,
  searchNext,
  searchPrevious,
  toFirst,
  toLast,
  toggleFollow,
  togglePause,
  toggleTime,
  toggleWrap,
  up,
} from '../tail/moves.ts';
import type { AnyTable } from '../table/definition.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import type { Action, Moment } from './action.ts';

const ofLogs = (id: string, title: string, keys: readonly string[], move: (ui: Ui) => void, rank?: number): Action => ({
  id: `logs.${id}`,
  title,
  keys,
  scope: 'logs',
  ...(rank !== undefined && { rank }),
  run: ({ ui }) => move(ui),
});

const logActions: readonly Action[] = [
  ofLogs('pause', 'Pause', ['p', 'space'], togglePause, 10),
  ofLogs('follow', 'Follow', ['f'], toggleFollow, 12),
  ofLogs('level', 'Level', ['L'], cycleLevel, 14),
  ofLogs('search', 'Search', ['/'], (ui) => ui.overlay.set({ kind: 'filter' }), 16),
  ofLogs('next', 'Next found line', ['n'], searchNext, 18),
  ofLogs('previous', 'Found line before', ['N'], searchPrevious),
  ofLogs('wrap', 'Wrap', ['w'], toggleWrap, 20),
  ofLogs('time', 'Times', ['t'], toggleTime, 22),
  ofLogs('save', 'Save', ['ctrl-s'], save, 24),
  ofLogs('clear', 'Clear', ['ctrl-x'], clear),
  ofLogs('down', 'Down', ['j', 'down'], down),
  ofLogs('up', 'Up', ['k', 'up'], up),
  ofLogs('first', 'Oldest line', ['g', 'home'], toFirst),
  ofLogs('last', 'Newest line, and follow', ['G', 'end'], toLast),
  ofLogs('pageDown', 'Page down', ['pgdn'], pageDown),
  ofLogs('pageUp', 'Page up', ['pgup'], pageUp),
  ofLogs('halfDown', 'Half a page down', ['ctrl-d'], halfDown),
  ofLogs('halfUp', 'Half a page up', ['ctrl-u'], halfUp),
];

/** The robot that is meant: the one a screen is about, else the one under the cursor. */
function robotIn({ ui, view, selected }: Moment): string | undefined {
  if (view.place.screen === 'robot') return view.place.robotId;
  if (view.place.screen === 'deployment') {
    const tab = orderTabOf(view);
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

/** In a shell anything can be changed. */
const noShell = (moment: Moment): string | undefined =>
  isReadOnly(moment) ?? shellHindrance(moment.ui, moment.view.place.robotId ?? '');

const robotActions: readonly Action[] = [
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

const lineOf = (moment: Moment, ...[command = '', ...flags]: string[]): readonly string[] | undefined => {
  const robotId = robotIn(moment);
  return robotId === undefined ? undefined : ['robots', command, robotId, ...flags];
};

/** Of a deployment: on its grid over the cells, on its lists over the rows. */
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
    if (table) inList(ui, table, 1);
    else move(ui);
  },
});

const gridActions: readonly Action[] = [
  { ...ofGrid('open', 'Open', ['enter'], openCell, openSelected), rank: 10 },
  ofGrid('left', 'Left', ['left'], gridLeft),
  ofGrid('right', 'Right', ['right'], gridRight),
  ofGrid('up', 'Up', ['up', 'k'], gridUp, moveUp),
  ofGrid('down', 'Down', ['down', 'j'], gridDown, moveDown),
  ofGrid('first', 'First', ['g', 'home'], gridFirst, first),
  ofGrid('last', 'Last', ['G', 'end'], gridLast, last),
];

/** Where there is more than one way to look at a thing. */
const withTabs = ['robot', 'deployment', 'people'] as const;

function goBeside({ ui, view }: { ui: Ui; view: View }, step: 1 | -1): void {
  const { tabs = [] } = screenOf(view.place.screen);
  const at = Math.max(0, tabs.indexOf(view.tab ?? ''));
  const next = tabs[(at + step + tabs.length) % tabs.length];
  if (next !== undefined) ui.views.setTab(next);
}

const tabActions: readonly Action[] = [
  {
    id: 'tabs.next',
    title: 'Next tab',
    keys: ['tab'],
    scope: withTabs,
    rank: 28,
    run: (moment) => goBeside(moment, 1),
  },
  {
    id: 'tabs.previous',
    title: 'Tab before',
    keys: ['shift-tab'],
    scope: withTabs,
    run: (moment) => goBeside(moment, -1),
  },
];

/** What is done with live tails, the tabs of a robot and the grid of a deployment. */
export const liveActions: readonly Action[] = [...logActions, ...robotActions, ...gridActions, ...tabActions];
