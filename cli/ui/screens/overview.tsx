import { Box } from 'ink';
import { asOf, isStale } from '../components/age.ts';
import { LiveLines } from '../components/LiveLines.tsx';
import { cutLine, lineOf, type Line } from '../components/line.ts';
import { tabBarLine } from '../components/tab-bar.ts';
import { failedNow } from '../deployment/deployments-table.ts';
import { TableView } from '../table/TableView.tsx';
import type { Ui } from '../ui.ts';
import { initialList } from '../views.ts';
import { paneOf, panes, paneTable, type Pane } from './overview-panes.ts';
import { robotRows, stateSign, stateTones, type RobotRow } from './robot-rows.ts';
import type { Screen, ScreenProps } from './screen.ts';

/** Minimum size for lists side by side, and minimum rows for lists one below the other; else one list at a time. */
const leastBeside = { columns: 100, rows: 13 };
const leastStacked = 21;

function Overview(props: ScreenProps) {
  const { ui, view, columns, rows } = props;
  const totals = <LiveLines theme={ui.theme} sources={[robotRows(ui)]} draw={() => [totalsLine(ui, columns)]} />;
  if (columns >= leastBeside.columns && rows >= leastBeside.rows) {
    // The lists on the right have longer names.
    const left = Math.floor(columns * 0.45);
    const [above, below] = [(rows - 1) >> 1, rows - 1 - ((rows - 1) >> 1)];
    const column = (upper: Pane, lower: Pane, width: number) => (
      <Box flexDirection="column" width={width}>
        <PaneView {...props} pane={upper} columns={width - 1} rows={above} />
        <PaneView {...props} pane={lower} columns={width - 1} rows={below} />
      </Box>
    );
    return (
      <>
        {totals}
        <Box flexDirection="row">
          {column('Sites', 'Unhealthy robots', left)}
          {column('Active deployments', 'Recent changes', columns - left)}
        </Box>
      </>
    );
  }
  if (rows >= leastStacked)
    return (
      <>
        {totals}
        {panes.map((pane, index) => (
          <PaneView {...props} key={pane} pane={pane} rows={Math.floor((rows - 1 + index) / panes.length)} />
        ))}
      </>
    );
  const pane = paneOf(view);
  return (
    <>
      {totals}
      <LiveLines
        theme={ui.theme}
        sources={panes.map((each) => paneTable(ui, each).source)}
        draw={() => [cutLine(shortTabs(ui, pane), columns, ui.theme.signs.ellipsis)]}
      />
      <TableView key={pane} ui={ui} view={view} table={paneTable(ui, pane)} columns={columns} rows={rows - 2} />
    </>
  );
}

/** A list below its name. Without the keys, it is in its initial state. */
function PaneView({ ui, view, columns, rows, pane }: ScreenProps & { pane: Pane }) {
  const table = paneTable(ui, pane);
  const hasKeys = paneOf(view) === pane;
  return (
    <Box flexDirection="column" height={rows} flexShrink={0}>
      <LiveLines
        theme={ui.theme}
        sources={[table.source]}
        draw={() => [cutLine(paneTitle(ui, pane, hasKeys), columns, ui.theme.signs.ellipsis)]}
      />
      <TableView
        ui={ui}
        view={hasKeys ? view : { ...view, list: { ...initialList, isWide: false } }}
        table={table}
        columns={columns}
        rows={rows - 1}
        hasKeys={hasKeys}
      />
    </Box>
  );
}

/** Like a tab: in brackets if it has the keys. */
function paneTitle(ui: Ui, pane: Pane, hasKeys: boolean): Line {
  const { value, freshness } = paneTable(ui, pane).source.get();
  return {
    segments: [
      ...tabBarLine([pane], hasKeys ? pane : '').segments,
      {
        text: ` ${value === undefined ? '' : value.length.toLocaleString('en-US')}`,
        tone: hasKeys ? 'strong' : 'quiet',
      },
      ...(isStale(ui, freshness) ? [{ text: `   ${asOf(ui, freshness)}`, tone: 'warn' as const }] : []),
    ],
  };
}

const shortNames: Readonly<Record<Pane, string>> = {
  Sites: 'Sites',
  'Active deployments': 'Deploying',
  'Unhealthy robots': 'Unhealthy',
  'Recent changes': 'Changes',
};

/** The lists by short names, with their counts, so that nothing is hidden while one of them has the room. */
function shortTabs(ui: Ui, shown: Pane): Line {
  const name = (pane: Pane) => {
    const { value } = paneTable(ui, pane).source.get();
    const failed = pane === 'Active deployments' ? failedNow(ui) : 0;
    const facts = [
      value === undefined ? '' : value.length.toLocaleString('en-US'),
      failed === 0 ? '' : `${ui.theme.signs.degraded} ${failed.toLocaleString('en-US')}`,
    ];
    return [shortNames[pane], ...facts.filter((fact) => fact !== '')].join(' ');
  };
  return tabBarLine(panes.map(name), name(shown));
}

/** All robots in one line. */
function totalsLine(ui: Ui, columns: number): Line {
  const { value, freshness } = robotRows(ui).get();
  const { signs } = ui.theme;
  if (!value) return lineOf(' Robots: not known yet', 'quiet');
  const count = (state: RobotRow['state']) => value.filter((row) => row.state === state).length;
  const states = (['online', 'degraded', 'offline', 'never seen'] as const).flatMap((state) => {
    const many = count(state);
    return many === 0
      ? []
      : [{ text: `   ${stateSign(state, signs)} ${many.toLocaleString('en-US')} ${state}`, tone: stateTones[state] }];
  });
  const stale = isStale(ui, freshness) ? [{ text: `   ${asOf(ui, freshness)}`, tone: 'warn' as const }] : [];
  const all = { text: ` ${value.length.toLocaleString('en-US')} robots`, tone: 'strong' as const };
  return cutLine({ segments: [all, ...states, ...stale] }, columns, signs.ellipsis);
}

export const overviewScreen: Screen = {
  id: 'overview',
  title: 'Overview',
  digit: '1',
  tabs: panes,
  wants: ({
    data: { robots, sites, fleets, deployments, configDeployments, releases, activity, users, keys, configs },
  }) => [
    ...[robots, sites, fleets, deployments, configDeployments, releases, activity],
    // For the names in the last changes.
    ...[users, keys, configs],
  ],
  table: (ui, view) => paneTable(ui, paneOf(view)),
  draw: (props) => <Overview {...props} />,
};
