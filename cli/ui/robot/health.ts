import { safeCell } from '../../output/safe.ts';
import { age, asOf, isStale } from '../components/age.ts';
import { cutTo, fitTo } from '../../output/text-width.ts';
import { cutLine, lineOf, failureLines, type Line } from '../components/line.ts';
import { labelSegment } from '../components/tab-bar.ts';
import type { Tone } from '../theme.ts';
import type { Ui } from '../ui.ts';
import type { HealthRow } from './health-row.ts';
import { healthRows } from './health-rows.ts';
import { sparkline } from '../../output/sparkline.ts';
import { ago, robotOf } from './state.ts';

const labelWidth = 13;
const widestTrail = 40;
/** Narrower lines have no room for a trail. */
const leastForTrail = 56;

/** The measures of a robot, with their trails over the last points. */
export function healthLines(ui: Ui, robotId: string, columns: number, rows: number): Line[] {
  const { signs } = ui.theme;
  const { value, freshness } = ui.data.health(robotId).get();
  const cutAll = (lines: readonly Line[]) => lines.slice(0, rows).map((line) => cutLine(line, columns, signs.ellipsis));
  if (!value) return freshness.kind === 'failed' ? cutAll(failureLines(freshness.failure)) : [];
  const { points, online, lastSeenAt } = value;
  const last = points.at(-1);
  const notes: Line[] = [];
  if (isStale(ui, freshness)) notes.push(lineOf(` ${asOf(ui, freshness)}`, 'warn'));
  else if (!online) notes.push(...offlineLines(ui, robotId, lastSeenAt));
  if (!last) {
    const next = online ? 'The first snapshot arrives with one of the next heartbeats.' : '';
    return cutAll([...notes, lineOf(' No health reported yet.'), lineOf(` ${next}`, 'quiet')]);
  }
  if (!online) notes.push(lineOf(` Measured ${ago(age(new Date(last.atMs).toISOString()))}:`, 'quiet'));
  const isDim = isStale(ui, freshness) || !online;
  const width = columns < leastForTrail ? 0 : Math.min(widestTrail, columns >> 2);
  const lines = fitting(healthRows(points), rows - notes.length).map((row) => ({
    ...rowLine(row, ui, columns, width),
    isDim,
  }));
  return cutAll([...notes, ...lines]);
}

/** If not all fit: rows with warnings first, and the number of hidden rows. */
function fitting(all: readonly HealthRow[], rows: number): readonly HealthRow[] {
  if (all.length <= rows) return all;
  const isWrong = ({ warning }: HealthRow) => warning !== undefined;
  const kept = [...all.filter(isWrong), ...all.filter((row) => !isWrong(row))].slice(0, Math.max(0, rows - 1));
  const more = `${all.length - kept.length} more in a taller window`;
  return [...kept, { label: '', text: more, warning: undefined, trail: [], scale: undefined }];
}

function rowLine(
  { label, text, warning, isBad = false, trail, scale }: HealthRow,
  { theme }: Ui,
  columns: number,
  width: number,
): Line {
  const { signs } = theme;
  const tone = toneOf(warning, isBad);
  const drawn = trail.length > 0 ? sparkline(trail, width, signs.bars, scale) : ' '.repeat(width);
  const said = warning === undefined ? safeCell(text) : `${signs.degraded} ${warning}  ${safeCell(text)}`;
  return {
    segments: [
      labelSegment(fitTo(safeCell(label), labelWidth, signs.ellipsis), labelWidth),
      ...(width > 0 ? [{ text: `${drawn}  `, tone: tone ?? ('accent' as const) }] : []),
      {
        text: cutTo(said, Math.max(0, columns - labelWidth - width - 4), signs.ellipsis),
        tone,
      },
    ],
  };
}

const toneOf = (warning: string | undefined, isBad: boolean): Tone | undefined =>
  warning === undefined ? undefined : isBad ? 'bad' : 'warn';

/** The state of a robot whose agent is offline, and what to do. */
export function offlineLines(ui: Ui, robotId: string, lastSeenAt = robotOf(ui, robotId)?.last_seen_at): Line[] {
  const { signs } = ui.theme;
  const isNew = lastSeenAt === undefined;
  const seen = isNew ? 'never seen' : `last seen ${ago(age(lastSeenAt))}`;
  const next = isNew
    ? 'Start its agent on the robot: cli agent run --enrollment-key <key>'
    : 'l shows its stored logs, t its timeline. Its health appears here when it reconnects.';
  return [
    lineOf(` ${isNew ? signs.unknown : signs.offline} agent offline: ${seen}`, 'warn'),
    lineOf(` ${next}`, 'quiet'),
  ];
}
