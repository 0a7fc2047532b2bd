import { Box } from 'ink';
import { humanize } from '../../output/deployment-format.ts';
import { safeCell } from '../../output/safe.ts';
import { clockTime } from '../../output/time.ts';
import type { DeploymentEvent } from '../data/data.ts';
import { cutLine, lineOf, failureLines, type Line } from '../components/line.ts';
import { Lines } from '../components/Lines.tsx';
import { gridLines } from '../deployment/grid.ts';
import { failureSummary } from '../deployment/failures.ts';
import { deploymentHeader, deploymentTabs } from '../deployment/header.ts';
import { deploymentOf, statusTone, whatOf } from '../deployment/deployment.ts';
import { deploymentTable } from '../deployment/tables.ts';
import { waveLines } from '../deployment/waves.ts';
import { useDrawn } from '../hooks.ts';
import { TableView } from '../table/TableView.tsx';
import type { Ui } from '../ui.ts';
import type { Place } from '../views.ts';
import type { Screen, ScreenProps } from './screen.ts';

const nobody = { deploymentKind: 'release', id: '' } as const;
const placeOf = ({ deployment }: Place) => deployment ?? nobody;

function Deployment(props: ScreenProps) {
  const { ui, view, columns, rows } = props;
  const { data, theme } = ui;
  const { deploymentKind, id } = placeOf(view.place);
  const lists = [data.deployments, data.configDeployments, data.releases, data.fleets, data.robots];
  const head = useDrawn(lists, () => deploymentHeader(ui, view, deploymentKind, id, columns, rows));
  const body = { ...props, rows: Math.max(1, rows - head.length) };
  const table = deploymentTable(ui, view);
  return (
    <Box flexDirection="column">
      <Lines lines={head} theme={theme} />
      {table ? <TableView {...body} table={table} at={{ top: head.length, left: 0 }} /> : <Grid {...body} />}
    </Box>
  );
}

/** Minimum rows for events, if there are enough rows for both. */
const leastEvents = 5;
const leastForBoth = 11;
/** Maximum lines of failures: the tab of robots lists all. */
const maxFailures = 6;
/** Maximum lines of waves, if there are enough rows; a rollout has at most 21. */
const maxWaves = 9;

/** The waves of a rollout; one cell per robot; below, what failed, and the latest events. */
function Grid({ ui, view, columns, rows }: ScreenProps) {
  const { data, theme } = ui;
  const { deploymentKind, id } = placeOf(view.place);
  const [targets, events] = [data.targets(deploymentKind, id), data.events(deploymentKind, id)];
  const own = deploymentKind === 'release' ? data.deployments : data.configDeployments;
  const lines = useDrawn([own, targets, events, data.robots, ui.views], () => {
    const { value, freshness } = targets.get();
    const shown = deploymentOf(ui, deploymentKind, id);
    const waves = shown ? waveLines(shown, value ?? [], columns, Math.min(maxWaves, rows - leastForBoth)) : [];
    const withoutWaves = rows - waves.length;
    const forGrid = withoutWaves >= leastForBoth ? withoutWaves - leastEvents : withoutWaves;
    const above = !value
      ? freshness.kind === 'failed'
        ? failureLines(freshness.failure)
        : []
      : value.length === 0
        ? [lineOf(' No robots yet: they are selected when it starts.', 'quiet')]
        : gridLines(ui, ui.views.get().current, value, columns, forGrid);
    const failures = failureSummary(ui, value ?? [], Math.min(maxFailures, (withoutWaves - above.length) >> 1));
    const left = withoutWaves - above.length - failures.length;
    const latest = (events.get().value ?? []).slice(-Math.max(0, left - 1)).reverse();
    const below =
      left > 1 && latest.length > 0
        ? [lineOf(' Latest events', 'quiet'), ...latest.map((event) => eventLine(ui, event))]
        : [];
    return [...waves, ...above, ...failures, ...below]
      .slice(0, rows)
      .map((line) => cutLine(line, columns, theme.signs.ellipsis));
  });
  return <Lines lines={lines} theme={theme} />;
}

function eventLine(
  { data }: Ui,
  { at, status, robot_id: robotId, target_status: own, reason, message }: DeploymentEvent,
): Line {
  const word = own ?? status;
  const name = robotId === undefined ? '' : (data.robots.get().value?.byId.get(robotId)?.name ?? robotId);
  const said = [name, reason === undefined ? '' : humanize(reason), message?.split('\n')[0] ?? ''].filter(
    (text) => text !== '',
  );
  return {
    segments: [
      { text: ` ${clockTime(at)}  `, tone: 'quiet' },
      { text: safeCell(humanize(word)).padEnd(12), tone: statusTone(word) },
      { text: `  ${safeCell(said.join('  '))}` },
    ],
  };
}

export const deploymentScreen: Screen = {
  id: 'deployment',
  title: 'Deployment',
  under: 'deployments',
  subtitle(ui, place) {
    const { deploymentKind, id } = placeOf(place);
    const shown = deploymentOf(ui, deploymentKind, id);
    return shown ? whatOf(ui, shown) : '';
  },
  wants: ({ data }, { place }) => {
    const { deploymentKind, id } = placeOf(place);
    const own = deploymentKind === 'release' ? data.deployments : data.configDeployments;
    return [
      data.freeze,
      own,
      data.targets(deploymentKind, id),
      data.events(deploymentKind, id),
      data.releases,
      data.fleets,
      data.robots,
    ];
  },
  table: deploymentTable,
  tabs: deploymentTabs,
  draw: (props) => <Deployment {...props} />,
};
