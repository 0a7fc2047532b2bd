import { apiOf, type LogStats, type LogStatsSeries } from '../../api/api.ts';
import { usage } from '../../command-line/errors.ts';
import { rangeOf } from '../../command-line/time-range.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { logTrend } from '../../output/log-trend.ts';
import { sparkBars, sparkline } from '../../output/sparkline.ts';
import { localMinute } from '../../output/time.ts';
import { amount } from '../../output/units.ts';
import { answeredFieldsHelp, type Column, type View } from '../../output/view.ts';
import { printList } from '../lists.ts';
import { nameLookup, noNames, type Names } from '../name-lookup.ts';
import { scopeOf } from './logs-scope.ts';

type By = 'none' | 'robot' | 'source';

/** A series, what is in none of them, or all together. */
interface StatRow extends Omit<LogStatsSeries, 'levels' | 'points'> {
  row: 'series' | 'others' | 'total';
  debug: number;
  info: number;
  warn: number;
  error: number;
  fatal: number;
  /** Records per interval, the oldest first. */
  trend: (number | undefined)[];
  /** Records of the interval that has the most, and when that begins. */
  peak: number;
  peak_at?: string;
}

const trendWidth = 20;
const countText = (count: number) => count.toLocaleString('en-US');

const count = (field: 'lines' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'): Column<StatRow> => ({
  field,
  shown: field === 'debug' || field === 'info' ? 'wide' : 'table',
  whole: true,
  text: (row) => countText(row[field]),
  tone: (row) => (row[field] === 0 || field === 'lines' ? undefined : field === 'warn' ? 'warn' : 'bad'),
});

const nameColumns = (robots: Names): Readonly<Record<By, readonly Column<StatRow>[]>> => {
  const named = (field: 'robot_id' | 'source', nameOf: (row: StatRow) => string): Column<StatRow> => ({
    field,
    header: field === 'source' ? 'SOURCE' : 'ROBOT',
    shown: 'table',
    text: (row) => (row.row === 'series' ? nameOf(row) : row.row),
    tone: ({ row }) => (row === 'series' ? undefined : 'quiet'),
  });
  return {
    none: [],
    robot: [named('robot_id', ({ robot_id: id = '' }) => robots.get(id) ?? id)],
    source: [named('source', ({ source = '' }) => source)],
  };
};

const statView = (by: By, robots: Names = noNames): View<StatRow> => ({
  columns: [
    ...nameColumns(robots)[by],
    count('lines'),
    {
      field: 'bytes',
      shown: 'table',
      whole: true,
      dropped: 1,
      text: ({ bytes }) => amount(bytes),
    },
    ...(['debug', 'info', 'warn', 'error', 'fatal'] as const).map(count),
    {
      field: 'trend',
      shown: 'table',
      whole: true,
      text: ({ trend }) => sparkline(trend, trend.length, sparkBars, [0, Math.max(...trend.map((each) => each ?? 0))]),
    },
    { field: 'row', shown: 'wide' },
    { field: 'peak', shown: 'wide', late: true, text: ({ peak }) => countText(peak) },
    { field: 'peak_at', header: 'PEAK AT', shown: 'wide', late: true, text: (row) => localMinute(row.peak_at ?? '') },
  ],
  name: ({ row, robot_id: id, source }) => id ?? source ?? row,
});

/** Flags of `cli logs` that select single records. */
const ofRecords = ['follow', 'tail', 'level', 'grep', 'cursor', 'order'];

/** Prints how many records there are, by robot or source, over time. */
export async function logStats(call: Invocation): Promise<void> {
  const { flags } = call;
  const other = ofRecords.find((name) => flags.isGiven(name));
  if (other !== undefined) throw usage(`--${other} and --stats exclude each other`, 'Use one of the two');
  // The parser accepts only these values.
  const by = (flags.text('by') ?? 'none') as By;
  const step = flags.text('step') as '10m' | '1h' | '1d' | undefined;
  if (answeredFieldsHelp(call, statView(by))) return;
  const query = { by, step, source: flags.text('source'), ...rangeOf(flags) };
  const api = await apiOf(call);
  const scope = await scopeOf(call, api);
  const names = nameLookup(api);
  let said = '';
  await printList(call, {
    what: 'records',
    whenEmpty: 'Records are counted about two minutes after they arrive.',
    async ask() {
      const { raw, body } = await api.get('/api/log-stats', { query: { ...scope, ...query } });
      said = intervalsOf(body.data);
      return { raw, body: { items: rowsOf(body.data) } };
    },
    view: () => statView(by, names),
    names: (rows) => names.load(rows.map(({ robot_id: id }) => ['robots', id])),
    key: 'row',
    summary: () => said,
  });
}

function rowsOf(stats: LogStats): StatRow[] {
  const { total, series, rest } = stats;
  const rowOf = (row: StatRow['row'], { levels, points, ...each }: LogStatsSeries): StatRow => ({
    row,
    ...each,
    ...levels,
    trend: logTrend(stats, points, trendWidth),
    ...peakIn(points),
  });
  if (total.lines === 0) return [];
  return [
    ...series.map((each) => rowOf('series', each)),
    ...(rest ? [rowOf('others', rest)] : []),
    rowOf('total', total),
  ];
}

/** The first of the intervals with the most records. */
function peakIn(points: LogStatsSeries['points']): Pick<StatRow, 'peak' | 'peak_at'> {
  const [most] = points.toSorted((one, other) => other.lines - one.lines);
  return { peak: most?.lines ?? 0, ...(most && { peak_at: most.at }) };
}

function intervalsOf({ start_at: start, end_at: end, step, counted_to: counted, total }: LogStats): string {
  const { peak, peak_at: at } = peakIn(total.points);
  return [
    `Intervals of ${step} from ${localMinute(start)} to ${localMinute(end)}.`,
    ...(counted === undefined ? [] : [`Records up to ${localMinute(counted)} are counted.`]),
    ...(at === undefined ? [] : [`Peak of the total: ${countText(peak)} at ${localMinute(at)}.`]),
  ].join(' ');
}
