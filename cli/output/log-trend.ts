interface Counted {
  start_at: string;
  end_at: string;
  step: string;
}

const stepMinutes: Readonly<Record<string, number>> = { '10m': 10, '1h': 60, '1d': 1_440 };

/** Milliseconds of an interval of log statistics; undefined for one that this client does not know. */
const stepMsOf = (step: string): number | undefined =>
  Object.hasOwn(stepMinutes, step) ? (stepMinutes[step] ?? 0) * 60_000 : undefined;

/**
 * Log records per interval, for a sparkline of at most `width` columns: the mean of the intervals of each column;
 * undefined for none.
 */
export function logTrend(
  { start_at: start, end_at: end, step }: Counted,
  points: readonly { at: string; lines: number }[],
  width: number,
): (number | undefined)[] {
  const [startMs, endMs] = [Date.parse(start), Date.parse(end)];
  const stepMs = stepMsOf(step) ?? Math.max(1, endMs - startMs);
  const count = Math.round((endMs - startMs) / stepMs);
  const columns = Math.min(width, count);
  const columnOf = (interval: number) => Math.min(columns - 1, Math.floor((interval * columns) / count));
  const sums = Array.from({ length: columns }, () => ({ lines: 0, intervals: 0 }));
  const add = (interval: number, lines: number, intervals: number) => {
    const sum = sums[columnOf(interval)];
    if (!sum) return;
    sum.lines += lines;
    sum.intervals += intervals;
  };
  for (let interval = 0; interval < count; interval += 1) add(interval, 0, 1);
  for (const { at, lines } of points) add(Math.floor((Date.parse(at) - startMs) / stepMs), lines, 0);
  return sums.map(({ lines, intervals }) => (lines === 0 ? undefined : lines / intervals));
}
