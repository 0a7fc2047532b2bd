import { fitTo, widthOf } from '../../output/text-width.ts';
import { asOf, isStale } from '../components/age.ts';
import { cutLine, fitLine, lineOf, type Line, type Segment } from '../components/line.ts';
import type { HealthHistory } from '../data/data.ts';
import type { Tone } from '../theme.ts';
import type { Ui } from '../ui.ts';
import { barRows, chartOf } from './history-chart.ts';
import { orgCounts, type RobotCounts } from './robot-counts.ts';

type Point = HealthHistory['points'][number];

interface Kind {
  name: string;
  tone: Tone;
  valueOf: (point: Point) => number;
  now: (counts: RobotCounts) => number;
  worst: (...values: number[]) => number;
  worstName: string;
}

const kinds: readonly Kind[] = [
  {
    name: 'Online',
    tone: 'good',
    worst: Math.min,
    worstName: 'lowest',
    valueOf: ({ online }) => online,
    now: ({ online }) => online,
  },
  {
    name: 'Unhealthy',
    tone: 'bad',
    worst: Math.max,
    worstName: 'highest',
    valueOf: ({ unhealthy }) => unhealthy,
    now: ({ health }) => health.unhealthy,
  },
];

/** Title, at least two rows of bars, and the axis. */
const leastChartRows = 4;
const number = (value: number) => value.toLocaleString('en-US');

/** Robots online and unhealthy over the last hours: charts side by side, or in one line if there is no room for them. */
export function chartLines(ui: Ui, columns: number, rows: number): Line[] {
  const { value: history, freshness } = ui.data.healthHistory.get();
  const { ellipsis } = ui.theme.signs;
  const whole = (text: string) => [lineOf(text, 'quiet'), ...Array.from({ length: rows - 1 }, () => lineOf(' '))];
  if (!history) {
    const why = freshness.kind === 'failed' ? `: ${freshness.failure.message}` : '';
    return whole(` Online and unhealthy over time: not known${why === '' ? ' yet' : why}`).map((line) => cutLine(line, columns, ellipsis)); // prettier-ignore
  }
  const counts = orgCounts(ui);
  const shown = { ui, history, counts, stale: isStale(ui, freshness) ? `   ${asOf(ui, freshness)}` : '' };
  if (rows < leastChartRows) return [cutLine(oneLine(shown, columns), columns, ellipsis)];
  const width = Math.floor((columns - 3) / 2);
  const [left = [], right = []] = kinds.map((kind) => chart(shown, kind, width - 1, rows));
  return left.map((line, index) => ({
    segments: [
      { text: ' ' },
      ...fitLine(line, width, ellipsis).segments,
      { text: ' ' },
      ...cutLine(right[index] ?? lineOf(' '), columns - width - 2, ellipsis).segments,
    ],
  }));
}

interface Shown {
  ui: Ui;
  history: HealthHistory;
  counts: RobotCounts | undefined;
  stale: string;
}

/** Time of the service, whose clock the points have. */
const serviceNowMs = ({ data }: Ui) => Date.now() - data.clockAheadMs.get();

function seriesOf({ ui, history, counts }: Shown, { valueOf, worst, now }: Kind, width: number) {
  const made = chartOf({ history, nowMs: serviceNowMs(ui), width, valueOf, worst, now: counts && now(counts) });
  const known = made.values.filter((value) => value !== undefined);
  return { ...made, worstValue: known.length === 0 ? undefined : worst(...known), highest: Math.max(0, ...known) };
}

/** Online is a part of all robots. Unhealthy has room above: a full chart would look as if all robots were. */
function scaleOf({ history, counts }: Shown, { name }: Kind, highest: number): number {
  if (name !== 'Online') return Math.max(4, Math.ceil(highest * 1.3));
  return Math.max(highest, counts?.total ?? 0, ...history.points.map(({ total }) => total));
}

const valueText = (counts: RobotCounts | undefined, kind: Kind): string => {
  if (!counts) return '?';
  return kind.name === 'Online' ? `${number(kind.now(counts))} of ${number(counts.total)}` : number(kind.now(counts));
};

const valueTone = (counts: RobotCounts | undefined, kind: Kind): Tone =>
  !counts || (kind.name === 'Unhealthy' && kind.now(counts) === 0) ? 'strong' : kind.tone;

function chart(shown: Shown, kind: Kind, width: number, rows: number): Line[] {
  const { ui, counts, stale } = shown;
  const { signs } = ui.theme;
  const highestKnown = Math.max(0, ...shown.history.points.map(kind.valueOf), counts ? kind.now(counts) : 0);
  const gutter = number(scaleOf(shown, kind, highestKnown)).length + 1;
  const { hours, values, worstValue, highest } = seriesOf(shown, kind, width - gutter);
  const most = scaleOf(shown, kind, highest);
  const height = rows - 2;
  const labels = new Map([[0, number(most)], [height - 1, '0']]); // prettier-ignore
  const bars = barRows(values, height, most, signs.bars);
  const past = worstValue === undefined ? 'not counted yet' : `${kind.worstName} ${number(worstValue)} in ${hours} h`;
  const [ago, now] = [`${hours} h ago`, 'now'];
  const axis = `${ago} ${signs.lines[0].repeat(Math.max(0, width - gutter - ago.length - now.length - 2))} ${now}`;
  return [
    {
      segments: [
        { text: `${kind.name} `, tone: 'strong' },
        { text: valueText(counts, kind), tone: valueTone(counts, kind) },
        { text: `   ${past}`, tone: 'quiet' },
        { text: stale, tone: 'warn' },
      ],
    },
    ...bars.map((text, index): Line => ({
      segments: [
        { text: `${(labels.get(index) ?? '').padStart(gutter - 1)} `, tone: 'quiet' },
        { text, tone: kind.tone },
      ],
    })),
    lineOf(`${' '.repeat(gutter)}${axis}`, 'quiet'),
  ];
}

/** `Online 20 of 22 ▆▇█   Unhealthy 3 ▁▁▂   12 h`. */
function oneLine(shown: Shown, columns: number): Line {
  const { ui, counts, stale } = shown;
  const names = kinds.map((kind) => ` ${kind.name} ${valueText(counts, kind)} `);
  const used = names.reduce((sum, name) => sum + widthOf(name), 0);
  const width = Math.max(4, Math.min(60, Math.floor((columns - used - 10 - widthOf(stale)) / 2)));
  const series = kinds.map((kind) => seriesOf(shown, kind, width));
  const segments = kinds.flatMap((kind, index): Segment[] => {
    const { values = [], highest = 0 } = series[index] ?? {};
    const [bars = ''] = barRows(values, 1, scaleOf(shown, kind, highest), ui.theme.signs.bars);
    return [
      { text: names[index] ?? '', tone: valueTone(counts, kind) },
      { text: fitTo(bars, width, ''), tone: kind.tone },
      { text: ' ' },
    ];
  });
  return {
    segments: [...segments, { text: ` ${series[0]?.hours ?? 24} h`, tone: 'quiet' }, { text: stale, tone: 'warn' }],
  };
}
