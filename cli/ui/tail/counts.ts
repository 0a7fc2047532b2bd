import { logTrend } from '../../output/log-trend.ts';
import { sparkline } from '../../output/sparkline.ts';
import { clock } from '../../output/time.ts';
import { cutLine, type Line } from '../components/line.ts';
import type { LogScope, LogStats } from '../data/data.ts';
import { useDrawn, useWants } from '../hooks.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { fieldWords } from './search.ts';
import { marked } from './sources.ts';

const widestTrend = 40;
/** Narrower lines have no room for a trend. */
const leastForTrend = 56;

/** The line above a tail that says how many records there are; none if they are not counted. */
export function useCountLines(ui: Ui, view: View, columns: number): readonly Line[] {
  const scope = countedScope(ui, view);
  const wanted = scope ? [ui.data.logStats(scope)] : [];
  useWants(wanted);
  return useDrawn(wanted, () => wanted.flatMap((stats) => countLines(ui, stats.get().value, columns)));
}

/**
 * Whose records are counted for a tail: those of its robot, of the one fleet or site that its filter names, or of the
 * org. Undefined for other choices of robots, which have no counts of their own.
 */
function countedScope(ui: Ui, { place, list }: View): LogScope | undefined {
  if (place.robotId !== undefined) return { robot_id: place.robotId };
  const words = fieldWords(list.filter);
  if (words.length === 0) return marked(ui) ? undefined : {};
  const [, field, text = ''] = (words.length === 1 && /^(fleet|site):(.+)$/.exec((words[0] ?? '').toLowerCase())) || [];
  if (field === undefined) return undefined;
  const listed = (field === 'fleet' ? ui.data.fleets : ui.data.sites).get().value?.items ?? [];
  const [found, ...more] = listed.filter(({ name }) => name.toLowerCase().includes(text));
  return found && more.length === 0 ? { [`${field}_id`]: found.id } : undefined;
}

/** Records of the last 24 hours, with their trend; empty until they are known. */
function countLines({ theme }: Ui, stats: LogStats | undefined, columns: number): Line[] {
  if (!stats || (stats.total.lines === 0 && stats.counted_to === undefined)) return [];
  const { lines, levels, points } = stats.total;
  const { bars, degraded, unhealthy, ellipsis } = theme.signs;
  const width = columns < leastForTrend ? 0 : Math.min(widestTrend, columns >> 2);
  const trend = logTrend(stats, points, width);
  const number = (value: number) => value.toLocaleString('en-US');
  const errors = levels.error + levels.fatal;
  const counted = stats.counted_to === undefined ? '' : `  counted to ${clock(new Date(stats.counted_to))}`;
  const line: Line = {
    segments: [
      { text: ' ' },
      ...(width > 0
        ? [
            {
              text: `${sparkline(trend, width, bars, [0, Math.max(...trend.map((each) => each ?? 0))])}  `,
              tone: 'accent' as const,
            },
          ]
        : []),
      { text: `${number(lines)} lines in 24 h` },
      ...(levels.warn > 0 ? [{ text: `  ${degraded} ${number(levels.warn)} warn`, tone: 'warn' as const }] : []),
      ...(errors > 0 ? [{ text: `  ${unhealthy} ${number(errors)} error`, tone: 'bad' as const }] : []),
      { text: counted, tone: 'quiet' as const },
    ],
  };
  return [cutLine(line, columns, ellipsis)];
}
