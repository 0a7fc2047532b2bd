import { Box } from 'ink';
import type { TailState } from '../data/data.ts';
import { age } from '../components/age.ts';
import { cutLine, lineOf, type Line } from '../components/line.ts';
import { Lines } from '../components/Lines.tsx';
import { TailView } from '../components/TailView.tsx';
import { useDrawn, useReadable, useWants } from '../hooks.ts';
import { echoLines } from '../robot/echo.ts';
import { shellLines } from '../robot/shell-tab.ts';
import { robotHeader } from '../robot/header.ts';
import { healthLines, offlineLines } from '../robot/health.ts';
import { ago, robotOf } from '../robot/state.ts';
import { echoOf, robotTable } from '../robot/tables.ts';
import { robotTabOf, robotTabs, type RobotTab } from '../robot/tabs.ts';
import type { Frame } from '../table/drawing.ts';
import { TableView } from '../table/TableView.tsx';
import { useCountLines } from '../tail/counts.ts';
import { tailOf, tailRobots } from '../tail/sources.ts';
import type { Ui } from '../ui.ts';
import type { Place, View } from '../views.ts';
import type { Screen, ScreenProps } from './screen.ts';

/** Lists that do not change while the agent is offline. */
const needsAgent: readonly RobotTab[] = ['Camera', 'Topics'];

function Robot(props: ScreenProps) {
  const { ui, view, columns, rows } = props;
  const { data } = ui;
  const robotId = idOf(view);
  const tab = robotTabOf(view);
  const isListed = useDrawn([data.robots], () => data.robots.get().value?.byId.has(robotId) ?? true);
  // A retired robot is in no list.
  useWants(isListed ? [] : [data.robot(robotId)]);
  const head = useDrawn([data.robot(robotId), data.robots, data.sites, data.fleets, data.health(robotId)], () => {
    const lines = robotHeader(ui, view, columns, rows);
    return needsAgent.includes(tab) ? [...lines, ...awayLines(ui, robotId, columns)] : lines;
  });
  const table = robotTable(ui, view, tab);
  const body = { ...props, rows: Math.max(1, rows - head.length) };
  const at = { top: head.length, left: 0 };
  return (
    <Box flexDirection="column">
      <Lines lines={head} theme={ui.theme} />
      {tab === 'Logs' ? (
        <Logs {...body} />
      ) : tab === 'Topics' ? (
        <Topics {...body} at={at} />
      ) : table ? (
        <TableView {...body} table={table} at={at} />
      ) : (
        <Facts {...body} />
      )}
    </Box>
  );
}

/** For an offline robot; empty if it is online or unknown. */
function awayLines(ui: Ui, robotId: string, columns: number): Line[] {
  if (robotOf(ui, robotId)?.online !== false) return [];
  return offlineLines(ui, robotId).map((line) => cutLine(line, columns, ui.theme.signs.ellipsis));
}

/** The tabs Health and Shell. */
function Facts({ ui, view, columns, rows }: ScreenProps) {
  const robotId = idOf(view);
  const { data, theme } = ui;
  const lines = useDrawn([data.robots, data.health(robotId), ui.writes], () =>
    (robotTabOf(view) === 'Shell' ? shellLines : healthLines)(ui, robotId, columns, rows),
  );
  return <Lines lines={lines} theme={theme} />;
}

/** Live logs of the robot; if its agent is offline, the stored ones with a note. */
function Logs(props: ScreenProps) {
  const { ui, view, columns, rows } = props;
  const tail = tailOf(ui, view);
  const away = useDrawn([ui.data.robots, tail], () => awayLogLines(ui, idOf(view), tail.get(), columns));
  const above = [...away, ...useCountLines(ui, view, columns)];
  const empty =
    away.length > 0
      ? { text: 'No stored logs.', next: '' }
      : { text: 'No lines yet.', next: 'New lines appear automatically.' };
  return (
    <Box flexDirection="column">
      <Lines lines={above} theme={ui.theme} />
      <TailView
        {...props}
        rows={Math.max(1, rows - above.length)}
        tail={tail}
        robotIds={tailRobots(ui, view) ?? []}
        empty={empty}
      />
    </Box>
  );
}

/** Age of the last lines, and what to do; empty if the agent is online or unknown. */
function awayLogLines(ui: Ui, robotId: string, { lines }: TailState, columns: number): Line[] {
  const [first] = awayLines(ui, robotId, columns);
  if (!first) return [];
  const last = lines.findLast((line) => line.kind === 'record')?.record.received_at;
  const said = last === undefined ? '' : `  Its last lines arrived ${ago(age(last))}.`;
  return [
    { segments: [...first.segments, { text: said, tone: 'warn' as const }] },
    lineOf(' New lines appear here when it reconnects.', 'quiet'),
  ].map((line) => cutLine(line, columns, ui.theme.signs.ellipsis));
}

/** The list of topics, and below it the messages of the chosen topic. */
function Topics(props: ScreenProps & Pick<Frame, 'at'>) {
  const { ui, view, rows } = props;
  const topic = useReadable(echoOf(ui, view.key));
  const table = robotTable(ui, view, 'Topics');
  if (!table) return null;
  if (topic === undefined) return <TableView {...props} table={table} />;
  const above = Math.max(3, Math.min(12, rows >> 1));
  return (
    <Box flexDirection="column">
      <TableView {...props} table={table} rows={above} />
      <EchoView {...props} topic={topic} rows={Math.max(1, rows - above)} />
    </Box>
  );
}

function EchoView({ ui, view, columns, rows, topic }: ScreenProps & { topic: string }) {
  const echo = ui.data.echo(idOf(view), topic);
  useWants([echo]);
  const lines = useDrawn([echo], () => echoLines(ui, topic, echo, columns, rows));
  return <Lines lines={lines} theme={ui.theme} />;
}

const idOf = ({ place }: { place: Place }) => place.robotId ?? '';

/** Resources of the shown tab; health is read for all tabs. */
function wants(ui: Ui, view: View): ReturnType<Screen['wants']> {
  const { data } = ui;
  const robotId = idOf(view);
  const always = [data.robots, data.sites, data.fleets, data.health(robotId)];
  switch (robotTabOf(view)) {
    case 'Timeline':
      return [...always, data.timeline(robotId)];
    case 'Topics':
      return [...always, data.topics(robotId)];
    case 'Config':
      return [...always, data.configs];
    case 'Health':
    case 'Logs':
    case 'Shell':
    case 'Camera':
      return always;
  }
}

export const robotScreen: Screen = {
  id: 'robot',
  title: 'Robot',
  under: 'robots',
  subtitle: (ui, place) => robotOf(ui, place.robotId)?.name ?? '',
  wants,
  table: (ui, view) => robotTable(ui, view, robotTabOf(view)),
  tabs: robotTabs,
  draw: (props) => <Robot {...props} />,
};
