import { Box } from 'ink';
import { Drawn } from '../components/Drawn.tsx';
import { blankLines, type Line } from '../components/line.ts';
import type { TableDefinition } from '../table/definition.ts';
import { listed, onePerUi } from '../table/listed.ts';
import { TableView } from '../table/TableView.tsx';
import { activityRows } from './activity-rows.ts';
import { eventLines, failingLines, runningLines, totalsLine } from './overview-lines.ts';
import { placeRows, type PlaceRow } from './place-rows.ts';
import { degradedOf, onlineOf, onlineTone } from './places.tsx';
import { robotRows } from './robot-rows.ts';
import type { Screen, ScreenProps } from './screen.ts';

const sitesTable = onePerUi((ui): TableDefinition<PlaceRow> => {
  return {
    noun: 'sites',
    source: listed(placeRows(ui), [], (rows) => rows.filter(({ kind }) => kind === 'site')),
    id: ({ id }) => id,
    name: ({ name }) => name,
    columns: [
      { title: 'site', width: 20, least: 12, rank: 0, isFlexible: true, text: ({ name }) => name },
      { title: 'online', width: 13, rank: 1, align: 'right', text: onlineOf, tone: onlineTone, order: ({ online, total }) => total - online }, // prettier-ignore
      { title: 'degraded', width: 8, rank: 2, align: 'right', text: ({ degraded }) => degradedOf(ui, degraded), tone: () => 'warn', order: ({ degraded }) => -degraded }, // prettier-ignore
    ],
    fields: { site: ({ name }) => name, online: ({ online }) => String(online) },
    open: ({ views }, { filter }) => views.go({ screen: 'robots', filter }),
    empty: { text: 'No sites yet.', next: 'On Sites and fleets (6): W allows changes, then N makes one.' },
  };
});

function Overview(props: ScreenProps) {
  const { ui, columns, rows } = props;
  const isBeside = columns >= 100;
  // Side by side where there is room; else one under the other, the lists of names with what is left.
  const left = isBeside ? Math.floor(columns / 2) - 1 : columns;
  const siteRows = Math.max(3, Math.floor((rows - 1) / (isBeside ? 2 : 3)));
  const rest = rows - 1 - siteRows;
  const sources = sourcesOf(ui);
  const table = <TableView ui={ui} view={props.view} table={sitesTable(ui)} columns={left} rows={siteRows} />;
  const drawn = (draw: () => Line[]) => <Drawn theme={ui.theme} sources={sources} draw={draw} />;
  const totals = drawn(() => [totalsLine({ ui, columns })]);
  if (!isBeside)
    return (
      <>
        {totals}
        {table}
        {drawn(() => stack([runningLines, failingLines, eventLines], { ui, columns, rows: rest }))}
      </>
    );
  const right = columns - left - 1;
  return (
    <>
      {totals}
      <Box flexDirection="row" height={rows - 1}>
        <Box flexDirection="column" width={left + 1}>
          {/* The list has as many lines as were given to it, whatever it has to say. */}
          <Box height={siteRows} flexShrink={0}>
            {table}
          </Box>
          {drawn(() => stack([failingLines], { ui, columns: left, rows: rest }))}
        </Box>
        {drawn(() => stack([runningLines, eventLines], { ui, columns: right, rows: rows - 1 }))}
      </Box>
    </>
  );
}

type Area = Parameters<typeof runningLines>[0];

/** One under the other, a blank line between; each gets what the ones before it leave, and leaves the ones after it their share. */
function stack(parts: readonly ((area: Area) => Line[])[], area: Area): Line[] {
  const lines: Line[] = [];
  parts.forEach((part, index) => {
    const share = Math.floor((area.rows - lines.length) / (parts.length - index));
    const made = part({ ...area, rows: share - (index === parts.length - 1 ? 0 : 1) });
    lines.push(...made, ...(made.length > 0 ? blankLines(1) : []));
  });
  return lines.slice(0, area.rows);
}

const sourcesOf = onePerUi((ui) => [robotRows(ui), activityRows(ui), ui.data.deployments, ui.data.releases]);

export const overviewScreen: Screen = {
  id: 'overview',
  title: 'Overview',
  digit: '1',
  wants: ({ data: { robots, sites, fleets, deployments, releases, activity, users, keys, configs } }) => [
    ...[robots, sites, fleets, deployments, releases, activity],
    // Whose names stand in the last changes.
    ...[users, keys, configs],
  ],
  table: sitesTable,
  draw: (props) => <Overview {...props} />,
};
