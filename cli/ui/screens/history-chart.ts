import type { HealthHistory } from '../data/data.ts';

type Point = HealthHistory['points'][number];

const hourMs = 3_600_000;
/** A chart shows the shortest of these times that has all points, so that it is not empty on the first day. */
const spansHours = [1, 3, 6, 12, 24] as const;

interface Chart {
  hours: number;
  /** A value for each column, the oldest first; undefined: not counted. */
  values: (number | undefined)[];
}

interface Shown {
  history: HealthHistory;
  /** Time of the service. */
  nowMs: number;
  width: number;
  valueOf: (point: Point) => number;
  /** The value of a column with several points: the worst one. */
  worst: (...values: number[]) => number;
  /** The value at this moment, if it is known. */
  now: number | undefined;
}

export function chartOf({
  history: { points, interval_seconds: seconds },
  nowMs,
  width,
  valueOf,
  worst,
  now,
}: Shown): Chart {
  const ageMs = nowMs - Math.min(...points.map(({ at }) => Date.parse(at)), nowMs);
  const hours = spansHours.find((each) => each * hourMs >= ageMs) ?? 24;
  const stepMs = (hours * hourMs) / width;
  // The last column ends at a multiple of its length: it moves once in that time and not with each second.
  const startMs = Math.ceil(nowMs / stepMs) * stepMs - hours * hourMs;
  const values = new Array<number | undefined>(width).fill(undefined);
  const put = (at: number, value: number) => {
    if (at < 0 || at >= width) return;
    const before = values[at];
    values[at] = before === undefined ? value : worst(before, value);
  };
  for (const point of points) {
    const fromMs = Date.parse(point.at) - startMs;
    const first = Math.floor(fromMs / stepMs);
    // An interval fills all columns that begin in it.
    const last = Math.max(first, Math.ceil((fromMs + seconds * 1_000) / stepMs) - 1);
    for (let at = first; at <= last && at * stepMs + startMs <= nowMs; at += 1) put(at, valueOf(point));
  }
  if (now !== undefined) put(width - 1, now);
  return { hours, values };
}

/** Rows of bars from the top one on, `height` of them; 0 is the lowest sign, a missing value a blank. */
export function barRows(values: readonly (number | undefined)[], height: number, most: number, bars: string): string[] {
  const signs = Array.from(bars);
  const steps = signs.length;
  return Array.from({ length: height }, (_row, fromTop) => {
    const below = (height - 1 - fromTop) * steps;
    return values
      .map((value) => {
        if (value === undefined) return ' ';
        const level = Math.max(1, Math.round((value / Math.max(1, most)) * height * steps)) - below;
        return level <= 0 ? ' ' : (signs[Math.min(level, steps) - 1] ?? ' ');
      })
      .join('');
  });
}
