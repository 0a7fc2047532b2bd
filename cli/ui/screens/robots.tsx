import { measureText, measureTone } from '../../output/measurements.ts';
import { sparkline } from '../../output/sparkline.ts';
import { age } from '../components/age.ts';
import { ageColumn } from '../table/age-column.ts';
import { byName } from '../table/by-name.ts';
import type { TableColumn, TableDefinition } from '../table/definition.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import { parseFilter } from '../table/filter-words.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import {
  conditionNames,
  healthOf,
  problemsOf,
  releasesOf,
  robotRows,
  stateSign,
  stateTones,
  type RobotRow,
} from './robot-rows.ts';

/** Points of the sparkline. */
const sparkPoints = 8;
const trendTitle = 'cpu trend';

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
    label: ({ robot }) => Object.entries(robot.labels).map((pair) => pair.join('=')).join('\n'), // prettier-ignore
    health: ({ robot }) => healthOf(robot),
    condition: ({ robot }) => conditionNames(robot).join('\n'),
    seen: ({ robot }) => robot.last_seen_at ?? '',
  },
  values: { status: worstStates, state: worstStates, health: ['healthy', 'degraded', 'unhealthy', 'unknown'] },
  open: ({ views }, { id }) => views.go({ screen: 'robot', robotId: id }),
  alongside: (rows, titles) => [
    ...(titles.some((title) => measureTitles.includes(title)) ? [ui.data.measurements] : []),
    // One request per robot: only while its trend is shown.
    ...(titles.includes(trendTitle) ? rows.map(({ id }) => ui.data.health(id)) : []),
  ],
  empty: {
    text: 'No robots yet.',
    next: 'Create an enrollment key (screen 7), then run on the robot: cli agent run --enrollment-key <key>',
  },
}));

/** `now` would read as online. */
function seenText({ robot }: RobotRow): string {
  const text = age(robot.last_seen_at);
  return !robot.online && text === 'now' ? '<1m' : text;
}

/** In this order when sorted by state. */
const worstStates: readonly string[] = ['unhealthy', 'degraded', 'offline', 'never seen', 'online'];

/** The fields of the filter search these texts already: with 10,000 robots, twice is too slow. */
const isSearched = false;

const columnsOf = (ui: Ui): TableColumn<RobotRow>[] => [
  { title: 'name', width: 24, least: 16, rank: 0, isFlexible: true, isSearched, text: ({ robot }) => robot.name },
  {
    title: 'state',
    width: 13,
    isSearched,
    rank: 1,
    // Maintenance silences conditions: such a robot is not shown like a healthy one.
    text: ({ state, robot }) => `${stateSign(state, ui.theme.signs)} ${isSilenced(robot) ? 'maintenance' : state}`,
    tone: ({ state, robot }) => (isSilenced(robot) ? 'quiet' : stateTones[state]),
    saved: ({ state }) => state,
    order: ({ state }) => worstStates.indexOf(state),
  },
  { title: 'fleet', width: 14, least: 10, rank: 3, isSearched, text: ({ fleet }) => fleet },
  { title: 'site', width: 12, least: 10, rank: 5, isSearched, text: ({ site }) => site },
  {
    title: 'release',
    width: 16,
    isSearched,
    least: 12,
    rank: 4,
    text: ({ release, hasDrifted }) => (hasDrifted ? `${ui.theme.signs.degraded} ${release}, drifted` : release),
    tone: ({ hasDrifted }) => (hasDrifted ? 'warn' : undefined),
    saved: ({ release, hasDrifted }) => (hasDrifted ? `${release}, drifted` : release),
    order: ({ release }) => release,
  },
  ...measureColumns(),
  trendColumn(ui),
  {
    ...ageColumn<RobotRow>({ title: 'seen', width: 6, rank: 2 }, ({ robot }) => robot.last_seen_at),
    text: seenText,
  },
  { title: 'labels', width: 30, least: 10, rank: 8, isWide: true, isSearched, text: labelsOf },
  ageColumn({ title: 'enrolled', width: 8, rank: 9, isWide: true }, ({ robot }) => robot.created_at),
  { title: 'id', width: 36, rank: 10, isWide: true, isSearched, text: ({ id }) => id },
  {
    title: 'problems',
    width: 24,
    least: 14,
    rank: 3.5,
    isSearched,
    text: ({ robot }) => problemsOf(robot).join(', '),
    tone: ({ state }) => stateTones[state],
  },
];

const isSilenced = ({ online, maintenance }: RobotRow['robot']) => online && Boolean(maintenance);

const labelsOf = ({ robot }: RobotRow) => Object.entries(robot.labels).map((pair) => pair.join('=')).join(' '); // prettier-ignore

/** Measured values of all robots, which are loaded while a list shows or uses one of them. */
const measures = { battery: 'battery', cpu: 'cpu', disk: 'disk', temp: 'temperature' } as const;
const measureTitles: readonly string[] = Object.keys(measures);

/** Whether the filter or the order of the list needs values that may not be on the screen. */
export const usesMeasures = ({ filter, sort }: View['list']): boolean =>
  (sort !== undefined && measureTitles.includes(sort.title)) ||
  parseFilter(filter, measureTitles).some(({ field }) => field !== undefined);

const measureColumns = (): TableColumn<RobotRow>[] =>
  Object.entries(measures).map(([title, name], index) => ({
    title,
    width: name === 'temperature' ? 6 : 7,
    rank: 6 + index / 10,
    isWide: true,
    isSearched: false,
    align: 'right',
    text: ({ measured }) => measureText(name, measured?.[name]),
    // Not loaded if the list does not show them.
    saved: false,
    filtered: ({ measured }) => String(measured?.[name] ?? ''),
    // Old values do not need attention now.
    tone: ({ robot, measured }) => (robot.online ? measureTone(name, measured?.[name]) : 'quiet'),
    // Those that need attention come first.
    order: ({ measured }) => (name === 'battery' ? 1 : -1) * (measured?.[name] ?? Number.NaN),
  }));

/** Loaded only for robots on the screen, and therefore not sorted, searched or saved. */
const trendColumn = (ui: Ui): TableColumn<RobotRow> => ({
  title: trendTitle,
  width: sparkPoints + 1,
  rank: 7.5,
  isWide: true,
  isSearched: false,
  isSortable: false,
  saved: false,
  text: ({ id }) => {
    const points = ui.data.health(id).get().value?.points ?? [];
    const percents = points.flatMap(({ snapshot }) => snapshot.cpu?.percent ?? []);
    return percents.length === 0 ? '' : sparkline(percents, sparkPoints, ui.theme.signs.bars, [0, 100]);
  },
  tone: ({ robot }) => (robot.online ? undefined : 'quiet'),
});
