import { expect, test } from 'vitest';
import { barRows, chartOf } from '../../../../cli/ui/screens/history-chart.ts';

const nowMs = Date.parse('2026-11-26T12:00:00.000Z');
const pointAt = (minutesAgo: number, unhealthy: number) => ({
  at: new Date(nowMs - minutesAgo * 60_000).toISOString(),
  total: 200,
  online: 200,
  healthy: 200 - unhealthy,
  degraded: 0,
  unhealthy,
  unknown: 0,
});
const day = Array.from({ length: 288 }, (_each, index) => pointAt(1_435 - index * 5, 0));
const chart = (points: typeof day, now?: number) =>
  chartOf({
    history: { interval_seconds: 300, points },
    nowMs,
    width: 48,
    now,
    valueOf: ({ unhealthy }: (typeof day)[number]) => unhealthy,
    worst: Math.max,
  });

test('a column has the worst value of its time, also the last one, when it is over by now', () => {
  const { hours, values } = chart([...day.slice(0, -2), pointAt(10, 50), pointAt(5, 0)], 0);
  expect([hours, values.length, values.at(-1), values.at(-2)]).toEqual([24, 48, 50, 0]);
});

test('a chart shows the shortest time that has all points, and leaves blank what was not counted', () => {
  const { hours, values } = chart([pointAt(50, 2), pointAt(45, 3), pointAt(10, 1)], 4);
  expect(hours).toBe(1);
  expect(values[0]).toBeUndefined();
  expect(values.filter((value) => value === 2 || value === 3).length).toBeGreaterThan(3);
  expect(values.at(-1)).toBe(4);
  expect(values.slice(24, 36)).toEqual(Array.from({ length: 12 }, () => undefined));
});

test('bars have eighths, from the top row on; 0 is the lowest sign and a missing value a blank', () => {
  expect(barRows([0, 8, 16, undefined, 12], 2, 16, '▁▂▃▄▅▆▇█')).toEqual(['  █ ▄', '▁██ █']);
});
