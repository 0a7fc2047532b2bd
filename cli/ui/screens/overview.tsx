import { Box } from 'ink';
import { widthOf } from '../../output/text-width.ts';
import { asOf, isStale } from '../components/age.ts';
import { LiveLines } from '../components/LiveLines.tsx';
import { useDrawn } from '../hooks.ts';
import { cutLine, lineOf, type Line, type Segment } from '../components/line.ts';
import { tabBarLine } from '../components/tab-bar.ts';
import { failedNow } from '../deployment/deployments-table.ts';
import { TableView } from '../table/TableView.tsx';
import type { Tone } from '../theme.ts';
import type { Ui } from '../ui.ts';
import { initialList } from '../views.ts';
import { healthTones } from './fleet-rows.ts';
import { chartLines } from './overview-charts.ts';
import { overviewLayout, type Layout } from './overview-layout.ts';
import { paneOf, panes, paneTable, type Pane } from './overview-panes.ts';
import { orgCounts } from './robot-counts.ts';
import { robotRows } from './robot-rows.ts';
import type { Screen, ScreenProps } from './screen.ts';

function Overview(props: ScreenProps) {
  const { ui, view, columns, rows } = props;
  const keys = paneOf(view);
  const { robots, healthHistory } = ui.data;
  // A service of an earlier release has no history.
  const hasCharts = useDrawn([healthHistory], () => healthHistory.get().freshness.kind !== 'failed');
  const { chartRows, kind, areas } = overviewLayout({ columns, rows, hasCharts }, keys);
  const above = (
    <LiveLines
      theme={ui.theme}
      sources={[robotRows(ui), healthHistory, robots]}
      draw={() => [totalsLine(ui, columns), ...(chartRows === 0 ? [] : chartLines(ui, columns, chartRows))]}
    />
  );
  const views = areas.map((area) => <PaneView {...props} key={area.pane} area={area} isSingle={kind === 'single'} />);
  if (kind === 'beside') {
    const column = (isLeft: boolean) => (
      <Box flexDirection="column" width={isLeft ? (areas.find(({ left }) => left > 0)?.left ?? columns) : undefined}>
        {views.filter((_each, index) => (areas[index]?.left === 0) === isLeft)}
      </Box>
    );
    return (
      <>
        {above}
        <Box flexDirection="row">
          {column(true)}
          {column(false)}
        </Box>
      </>
    );
  }
  return (
    <>
      {above}
      {views}
    </>
  );
}

type PaneProps = ScreenProps & { area: Layout['areas'][number]; isSingle: boolean };

/** A list below its name, or below the names of all. Without the keys, it is in its initial state. */
function PaneView({ ui, view, area: { pane, top, left, columns, rows }, isSingle }: PaneProps) {
  const table = paneTable(ui, pane);
  const hasKeys = paneOf(view) === pane;
  return (
    <Box flexDirection="column" height={rows} flexShrink={0}>
      <LiveLines
        theme={ui.theme}
        sources={(isSingle ? panes : [pane]).map((each) => paneTable(ui, each).source)}
        draw={() => [
          cutLine(
            isSingle ? shortTabs(ui, pane, columns) : paneTitle(ui, pane, hasKeys),
            columns,
            ui.theme.signs.ellipsis,
          ),
        ]}
      />
      <TableView
        ui={ui}
        view={hasKeys ? view : { ...view, list: initialList }}
        table={table}
        columns={columns}
        rows={rows - 1}
        hasKeys={hasKeys}
        at={{ top: top + 1, left }}
        tab={pane}
      />
    </Box>
  );
}

/** Names on the screen; the others are those of the lists. */
const titles: Readonly<Partial<Record<Pane, string>>> = { 'Unhealthy robots': 'Unhealthy, degraded or offline' };

/** Like a tab: in brackets if it has the keys. */
function paneTitle(ui: Ui, pane: Pane, hasKeys: boolean): Line {
  const { value, freshness } = paneTable(ui, pane).source.get();
  const title = titles[pane] ?? pane;
  return {
    segments: [
      ...tabBarLine([title], hasKeys ? title : '').segments,
      {
        text: ` ${value === undefined ? '' : value.length.toLocaleString('en-US')}`,
        tone: hasKeys ? 'strong' : 'quiet',
      },
      ...(pane === 'Recent events' ? [{ text: isAuditClosed(ui) ? '   without the audit log: requires the role admin' : '', tone: 'quiet' as const }] : []), // prettier-ignore
      ...(isStale(ui, freshness) ? [{ text: `   ${asOf(ui, freshness)}`, tone: 'warn' as const }] : []),
    ],
  };
}

function isAuditClosed({ data }: Ui): boolean {
  const { freshness } = data.activity.get();
  return freshness.kind === 'failed' && freshness.failure.code === 'forbidden';
}

const shortNames: Readonly<Record<Pane, string>> = {
  Fleets: 'Fleets',
  'Active deployments': 'Deploying',
  'Unhealthy robots': 'Unhealthy',
  Conditions: 'Conditions',
  'Recent events': 'Events',
};

/** The lists by short names, with their counts, so that nothing is hidden while one of them has the room. */
function shortTabs(ui: Ui, shown: Pane, columns: number): Line {
  const name = (pane: Pane, hasCount: boolean) => {
    const { value } = paneTable(ui, pane).source.get();
    const failed = pane === 'Active deployments' ? failedNow(ui) : 0;
    const facts = [
      // The number of events says nothing.
      value === undefined || !hasCount || pane === 'Recent events' ? '' : value.length.toLocaleString('en-US'),
      failed === 0 ? '' : `${ui.theme.signs.degraded} ${failed.toLocaleString('en-US')}`,
    ];
    return [shortNames[pane], ...facts.filter((fact) => fact !== '')].join(' ');
  };
  const line = (hasCount: boolean) =>
    tabBarLine(
      panes.map((pane) => name(pane, hasCount || pane === shown)),
      name(shown, true),
    );
  const whole = line(true);
  return widthOfLine(whole) <= columns ? whole : line(false);
}

const widthOfLine = ({ segments }: Line) => segments.reduce((sum, { text }) => sum + widthOf(text), 0);

/** All robots in one line. What has no room is left out, the least important first. */
function totalsLine(ui: Ui, columns: number): Line {
  const { freshness } = robotRows(ui).get();
  const { signs } = ui.theme;
  const counts = orgCounts(ui);
  if (!counts) return lineOf(' Robots: not known yet', 'quiet');
  const { total, online, neverSeen, health } = counts;
  const part = (count: number, sign: string, name: string, tone: Tone, rank: number) =>
    count === 0 ? [] : [{ rank, segment: { text: `   ${sign} ${count.toLocaleString('en-US')} ${name}`, tone } }];
  const parts: { rank: number; segment: Segment }[] = [
    { rank: 0, segment: { text: ` ${total.toLocaleString('en-US')} robots`, tone: 'strong' } },
    ...part(online, signs.online, 'online', 'good', 0),
    ...part(total - online - neverSeen, signs.offline, 'offline', 'bad', 1),
    ...part(health.unhealthy, signs.unhealthy, 'unhealthy', healthTones.unhealthy, 0),
    ...part(health.degraded, signs.degraded, 'degraded', healthTones.degraded, 1),
    ...part(neverSeen, signs.unknown, 'never seen', 'quiet', 2),
    ...(isStale(ui, freshness)
      ? [{ rank: 0, segment: { text: `   ${asOf(ui, freshness)}`, tone: 'warn' as const } }]
      : []),
  ];
  const widthNow = () => widthOfLine({ segments: parts.map(({ segment }) => segment) });
  while (widthNow() > columns && parts.some(({ rank }) => rank > 0)) {
    const highest = Math.max(...parts.map(({ rank }) => rank));
    parts.splice(
      parts.findLastIndex(({ rank }) => rank === highest),
      1,
    );
  }
  return cutLine({ segments: parts.map(({ segment }) => segment) }, columns, signs.ellipsis);
}

export const overviewScreen: Screen = {
  id: 'overview',
  title: 'Overview',
  tab: { digit: '1', name: 'Overview', short: 'Over' },
  tabs: panes,
  wants: ({
    data: { robots, sites, fleets, deployments, configDeployments, freeze, releases, activity, healthHistory, users, keys, configs }, // prettier-ignore
  }) => [
    ...[robots, sites, fleets, deployments, configDeployments, freeze, releases, activity, healthHistory],
    // For the names in the last changes.
    ...[users, keys, configs],
  ],
  table: (ui, view) => paneTable(ui, paneOf(view)),
  draw: (props) => <Overview {...props} />,
};
