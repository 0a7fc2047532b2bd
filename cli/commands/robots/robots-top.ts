import { apiOf, type Api, type MetricSeries, type RobotMeasurements } from '../../api/api.ts';
import { idOf } from '../../api/names.ts';
import { usage } from '../../command-line/errors.ts';
import { rangeOf } from '../../command-line/time-range.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { measureText, measureTone, type MeasureName } from '../../output/measurements.ts';
import { sparkBars, sparkline } from '../../output/sparkline.ts';
import { answeredFieldsHelp, type Column, type View } from '../../output/view.ts';
import { printList } from '../lists.ts';
import { nameLookup, noNames, type Names } from '../name-lookup.ts';

const headers: Readonly<Record<MeasureName, string>> = {
  battery: 'BATTERY',
  cpu: 'CPU',
  memory: 'MEMORY',
  disk: 'DISK',
  temperature: 'TEMP',
  delay: 'DELAY',
};
const names = Object.keys(headers) as MeasureName[];
const trailWidth = 24;

const view = (fleets: Names = noNames): View<RobotMeasurements> => ({
  columns: [
    { field: 'id', shown: 'wide' },
    { field: 'name', shown: 'table' },
    {
      field: 'online',
      header: 'STATUS',
      shown: 'table',
      dropped: 3,
      text: ({ online }) => (online ? 'online' : 'offline'),
      tone: ({ online }) => (online ? 'good' : 'quiet'),
    },
    ...names.map((name): Column<RobotMeasurements> => ({
      field: name,
      header: headers[name],
      shown: 'table',
      whole: true,
      text: (robot) => measureText(name, robot[name]),
      // Old values do not need attention now.
      tone: (robot) => (robot.online ? measureTone(name, robot[name]) : 'quiet'),
    })),
    {
      field: 'fleet_id',
      header: 'FLEET',
      shown: 'table',
      dropped: 2,
      text: (robot) => fleets.get(robot.fleet_id) ?? robot.fleet_id,
    },
    { field: 'measured_at', header: 'MEASURED', shown: 'table', time: true, dropped: 1 },
    { field: 'site_id', header: 'SITE', shown: 'asked' },
    { field: 'created_at', header: 'ENROLLED', shown: 'asked', time: true },
  ],
  name: (robot) => robot.name,
});

/** One series of a robot. */
interface SeriesRow {
  series: MeasureName;
  now: number | undefined;
  min: number;
  avg: number;
  max: number;
  trail: (number | undefined)[];
}

const seriesView: View<SeriesRow> = {
  columns: [
    { field: 'series', shown: 'table', whole: true, text: ({ series }) => headers[series] },
    ...(['now', 'min', 'avg', 'max'] as const).map((field): Column<SeriesRow> => ({
      field,
      shown: 'table',
      whole: true,
      text: (row) => measureText(row.series, row[field]),
      tone: (row) => (field === 'now' ? measureTone(row.series, row.now) : undefined),
    })),
    {
      field: 'trail',
      header: 'TREND',
      shown: 'table',
      dropped: 1,
      text: ({ trail }) => sparkline(trail, trailWidth, sparkBars),
    },
  ],
  name: ({ series }) => series,
};

export async function topRobots(call: Invocation): Promise<void> {
  const [robot] = call.args;
  if (robot !== undefined) return topOfRobot(call, robot);
  if (call.flags.isGiven('since') || call.flags.isGiven('until'))
    throw usage('--since and --until require a robot', 'Name one: cli robots top <robot> --since 24h');
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const [site, fleet] = [call.flags.text('site'), call.flags.text('fleet')];
  const siteId = site === undefined ? undefined : await idOf(api, 'site', site);
  const fleetId = fleet === undefined ? undefined : await idOf(api, 'fleet', fleet, siteId);
  const fleets = nameLookup(api);
  // The parser accepts only these values.
  const key = (call.flags.text('sort') ?? 'cpu') as MeasureName | 'name';
  await printList(call, {
    what: 'robots',
    whenEmpty: 'Enroll one: cli keys new --site <site> --fleet <fleet>',
    async ask() {
      const reply = await api.get('/api/robot-metrics', { query: { site_id: siteId, fleet_id: fleetId } });
      return { ...reply, body: { items: sorted(reply.body.items, key) } };
    },
    view: () => view(fleets),
    names: (robots) => fleets.load(robots.map(({ fleet_id: id }) => ['fleets', id])),
    key: 'id',
  });
}

/**
 * The worst first: the highest value, for `battery` the lowest. Robots that are offline come after the others, as their
 * values are old; robots without a value are last.
 */
function sorted(robots: readonly RobotMeasurements[], key: MeasureName | 'name'): RobotMeasurements[] {
  const byName = (one: RobotMeasurements, other: RobotMeasurements) => one.name.localeCompare(other.name);
  if (key === 'name') return robots.toSorted(byName);
  const rank = (robot: RobotMeasurements) => {
    const value = robot[key];
    return value === undefined ? Infinity : key === 'battery' ? value : -value;
  };
  const place = (robot: RobotMeasurements) => (robot[key] === undefined ? 2 : robot.online ? 0 : 1);
  const compared = (one: number, other: number) => (one < other ? -1 : one > other ? 1 : 0);
  return robots.toSorted(
    (one, other) => place(one) - place(other) || compared(rank(one), rank(other)) || byName(one, other),
  );
}

async function topOfRobot(call: Invocation, robot: string): Promise<void> {
  if (answeredFieldsHelp(call, seriesView)) return;
  const { flags } = call;
  for (const flag of ['site', 'fleet', 'sort'])
    if (flags.isGiven(flag)) throw usage(`--${flag} excludes a robot`, `Omit --${flag} or the robot`);
  rangeOf(flags); // an invalid range fails before the first request
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', robot);
  await printList(call, {
    what: 'series',
    whenEmpty: 'Values appear with the first health snapshot of the robot.',
    ask: () => seriesOf(api, id, flags),
    view: () => seriesView,
    key: 'series',
  });
}

async function seriesOf(api: Api, id: string, flags: Invocation['flags']) {
  const { since, until } = rangeOf(flags);
  const { raw, body } = await api.get('/api/robots/{id}/metrics', { path: { id }, query: { since, until } });
  const { series, start_at: start, end_at: end, interval_seconds: seconds } = body.data;
  const length = Math.round((Date.parse(end) - Date.parse(start)) / 1_000 / seconds);
  const items = names.flatMap((name) => {
    const one = series[name];
    return one ? [rowOf(name, one, Date.parse(start) / 1_000, length * seconds)] : [];
  });
  return { raw, body: { items } };
}

function rowOf(
  series: MeasureName,
  { times, values, min = values, max = values }: MetricSeries,
  startSeconds: number,
  seconds: number,
): SeriesRow {
  const columns: number[][] = Array.from({ length: trailWidth }, () => []);
  times.forEach((time, index) => {
    const column = Math.min(trailWidth - 1, Math.floor(((time - startSeconds) / seconds) * trailWidth));
    columns[column]?.push(values[index] ?? 0); // arrays have the same length
  });
  return {
    series,
    now: values.at(-1),
    min: Math.min(...min),
    avg: mean(values),
    max: Math.max(...max),
    trail: columns.map((column) => (column.length === 0 ? undefined : mean(column))),
  };
}

const mean = (values: readonly number[]) =>
  Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10;
