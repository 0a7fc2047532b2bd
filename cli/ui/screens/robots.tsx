import { percent } from '../../output/units.ts';
import type { HealthSnapshot, HealthTrail } from '../data/data.ts';
import { sparkline } from '../components/sparkline.ts';
import { ageColumn } from '../table/age-column.ts';
import { byName } from '../table/by-name.ts';
import type { TableColumn, TableDefinition } from '../table/definition.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import type { Ui } from '../ui.ts';
import { releasesOf, robotRows, stateSign, stateTones, type RobotRow } from './robot-rows.ts';
import { tableScreen } from './table-screen.tsx';

/** Points of the sparkline beside the percentage. */
const sparkPoints = 8;
/** Disk use above this percentage is a warning. */
const fullDisk = 90;

export const robotsTable = perUi((ui): TableDefinition<RobotRow> => ({
  noun: 'robots',
  source: derivedRows(
    robotRows(ui),
    [],
    byName(({ robot }) => robot.name),
  ),
  id: ({ id }) => id,
  name: ({ robot }) => robot.name,
  columns: columnsOf(ui),
  fields: {
    name: ({ robot }) => robot.name,
    id: ({ id }) => id,
    status: ({ state }) => state,
    fleet: ({ fleet }) => fleet,
    site: ({ site }) => site,
    release: ({ robot }) => releasesOf(robot).map(({ tag }) => tag).join('\n'), // prettier-ignore
    label: labelsOf,
    seen: ({ robot }) => robot.last_seen_at ?? '',
  },
  open: ({ views }, { id }) => views.go({ screen: 'robot', robotId: id }),
  // One request per robot: only while its health is shown.
  alongside: (rows, titles) => (titles.includes('cpu') ? rows.map(({ id }) => ui.data.health(id)) : []),
  empty: {
    text: 'No robots yet.',
    next: 'Create an enrollment key (screen 7), then run on the robot: cli agent run --enrollment-key <key>',
  },
}));

/** The fields of the filter search these texts already: with 10,000 robots, twice is too slow. */
const isSearched = false;

const columnsOf = (ui: Ui): TableColumn<RobotRow>[] => [
  { title: 'name', width: 24, least: 12, rank: 0, isFlexible: true, isSearched, text: ({ robot }) => robot.name },
  {
    title: 'state',
    width: 12,
    isSearched,
    rank: 1,
    text: ({ state }) => `${stateSign(state, ui.theme.signs)} ${state}`,
    tone: ({ state }) => stateTones[state],
    saved: ({ state }) => state,
    order: ({ state }) => state,
  },
  { title: 'fleet', width: 16, least: 10, rank: 3, isSearched, text: ({ fleet }) => fleet },
  { title: 'site', width: 16, least: 10, rank: 5, isSearched, text: ({ site }) => site },
  {
    title: 'release',
    width: 20,
    isSearched,
    least: 12,
    rank: 4,
    text: ({ release, hasDrifted }) => (hasDrifted ? `${ui.theme.signs.degraded} ${release}, drifted` : release),
    tone: ({ hasDrifted }) => (hasDrifted ? 'warn' : undefined),
    saved: ({ release, hasDrifted }) => (hasDrifted ? `${release}, drifted` : release),
    order: ({ release }) => release,
  },
  ...healthColumns(ui),
  ageColumn({ title: 'seen', width: 6, rank: 2 }, ({ robot }) => robot.last_seen_at),
  { title: 'labels', width: 30, least: 10, rank: 8, isWide: true, isSearched, text: labelsOf },
  ageColumn({ title: 'enrolled', width: 8, rank: 9, isWide: true }, ({ robot }) => robot.created_at),
  { title: 'id', width: 36, rank: 10, isWide: true, isSearched, text: ({ id }) => id },
];

const labelsOf = ({ robot }: RobotRow) => Object.entries(robot.labels).map((pair) => pair.join('=')).join(' '); // prettier-ignore

/** Loaded only for robots on the screen, and therefore not sorted, searched or saved. */
function healthColumns(ui: Ui): TableColumn<RobotRow>[] {
  const trailOf = ({ id }: RobotRow): HealthTrail | undefined => ui.data.health(id).get().value;
  const unknown = { isWide: true, isSearched, isSortable: false, saved: false, align: 'right' } as const;
  return [
    {
      ...unknown,
      title: 'cpu',
      width: sparkPoints + 5,
      rank: 6,
      text: (row) => cpuText(trailOf(row), ui),
      tone: (row) => (trailOf(row)?.online === false ? 'quiet' : undefined),
    },
    {
      ...unknown,
      title: 'disk',
      width: 5,
      rank: 7,
      text: (row) => percent(diskPercent(trailOf(row)?.points.at(-1)?.snapshot)),
      tone: (row) => ((diskPercent(trailOf(row)?.points.at(-1)?.snapshot) ?? 0) > fullDisk ? 'warn' : undefined),
    },
  ];
}

function cpuText(trail: HealthTrail | undefined, { theme }: Ui): string {
  const percents = (trail?.points ?? []).flatMap(({ snapshot }) => snapshot.cpu?.percent ?? []);
  const last = percents.at(-1);
  return last === undefined
    ? ''
    : `${sparkline(percents, sparkPoints, theme.signs.bars, [0, 100])} ${percent(last).padStart(4)}`;
}

/** Use of the fullest disk. */
function diskPercent(snapshot: HealthSnapshot | undefined): number | undefined {
  const percents = (snapshot?.disk ?? []).flatMap(({ total_bytes: total, free_bytes: free }) =>
    total === undefined || free === undefined || total === 0 ? [] : ((total - free) / total) * 100,
  );
  return percents.length === 0 ? undefined : Math.max(...percents);
}

export const robotsScreen = tableScreen(
  { id: 'robots', title: 'Robots', digit: '2', wants: ({ data }) => [data.robots, data.fleets, data.sites] },
  robotsTable,
);
