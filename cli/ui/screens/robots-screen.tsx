import { Box } from 'ink';
import { safeCell } from '../../output/safe.ts';
import { blankLines, cutLine, lineOf, type Line } from '../components/line.ts';
import { Lines } from '../components/Lines.tsx';
import { TailView } from '../components/TailView.tsx';
import { useDrawn, useRested, useWants } from '../hooks.ts';
import { healthLines } from '../robot/health.ts';
import { robotOf, robotState } from '../robot/state.ts';
import { tableModel } from '../table/model.ts';
import { TableView } from '../table/TableView.tsx';
import type { Ui } from '../ui.ts';
import { initialList } from '../views.ts';
import { problemsOf } from './robot-rows.ts';
import { robotsTable, usesMeasures } from './robots.tsx';
import type { Screen, ScreenProps } from './screen.ts';
import { splitOf } from './split-view.ts';

/** The cursor stays on a robot for this long before anything is requested of it. */
const restMs = 300;

/** The list of robots; beside it, if there is room, the robot under the cursor. */
function Robots(props: ScreenProps) {
  const { ui, view, columns, rows } = props;
  const table = robotsTable(ui);
  const split = splitOf(ui, columns);
  const selected = useDrawn([table.source, ui.overlay], () => {
    const { ids, cursor } = tableModel(ui, view, table);
    return (split && ids[cursor]) ?? '';
  });
  const robotId = useRested(selected, restMs);
  if (!split) return <TableView {...props} table={table} />;
  const [, vertical] = ui.theme.signs.lines;
  const beside = { ...props, columns: split.beside };
  return (
    <Box flexDirection="row">
      <Box width={split.list}>
        <TableView {...props} columns={split.list} table={table} />
      </Box>
      <Box width={1}>
        <Lines lines={Array.from({ length: rows }, () => lineOf(vertical, 'quiet'))} theme={ui.theme} />
      </Box>
      <Box width={split.beside} flexDirection="column">
        {robotId === '' ? null : split.shown === 'logs' ? (
          <LogsOf {...beside} key={robotId} robotId={robotId} />
        ) : (
          <DetailsOf {...beside} key={robotId} robotId={robotId} />
        )}
      </Box>
    </Box>
  );
}

type OfRobot = ScreenProps & { robotId: string };

function DetailsOf({ ui, columns, rows, robotId }: OfRobot) {
  const { data, theme } = ui;
  const health = data.health(robotId);
  useWants([health]);
  const lines = useDrawn([data.robots, data.fleets, data.sites, health], () => {
    const head = headOf(ui, robotId).map((line) => cutLine(line, columns, theme.signs.ellipsis));
    return [...head, ...healthLines(ui, robotId, columns, Math.max(1, rows - head.length))].slice(0, rows);
  });
  return <Lines lines={lines} theme={theme} />;
}

/** Name and state; fleet and site; release, labels and problems. */
function headOf(ui: Ui, robotId: string): Line[] {
  const robot = robotOf(ui, robotId);
  if (!robot) return [lineOf(' This robot may have been removed.', 'warn')];
  const { data, theme } = ui;
  const state = robotState(robot, data.health(robotId).get().value, theme.signs);
  const places = [data.sites.get().value?.byId.get(robot.site_id), data.fleets.get().value?.byId.get(robot.fleet_id)];
  const releases = Object.values(robot.reported.releases).map(({ tag }) => tag);
  const labels = Object.entries(robot.labels).map((pair) => pair.join('='));
  const facts = [
    places.flatMap((place) => place?.name ?? []).join(' / '),
    releases.length > 0 ? `runs ${releases.join(', ')}` : '',
    labels.join(' '),
  ].filter((fact) => fact !== '');
  return [
    { segments: [{ text: ` ${safeCell(robot.name)}  `, tone: 'strong' }, ...state] },
    ...problemsOf(robot).map((problem) => lineOf(` ${theme.signs.degraded} ${safeCell(problem)}`, 'warn')),
    ...facts.map((fact) => lineOf(` ${safeCell(fact)}`)),
    ...blankLines(1),
  ];
}

/** Live logs, in their initial state: the screen of the robot has their keys. */
function LogsOf({ ui, view, columns, rows, robotId }: OfRobot) {
  return (
    <TailView
      ui={ui}
      view={{ ...view, key: -view.key, list: initialList }}
      tail={ui.data.logs([robotId])}
      robotIds={[robotId]}
      columns={columns}
      rows={rows}
      empty={{ text: 'No lines yet.', next: 'New lines appear automatically.' }}
    />
  );
}

export const robotsScreen: Screen = {
  id: 'robots',
  title: 'Robots',
  tab: { digit: '2', name: 'Robots', short: 'Robots' },
  wants: ({ data }, { list }) => [
    ...[data.robots, data.fleets, data.sites],
    ...(usesMeasures(list) ? [data.measurements] : []),
  ],
  table: robotsTable,
  draw: (props) => <Robots {...props} />,
};
