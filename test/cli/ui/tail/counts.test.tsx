import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { LogScope, LogStats } from '../../../../cli/ui/data/data.ts';
import { logsScreen } from '../../../../cli/ui/screens/logs.tsx';
import { robotScreen } from '../../../../cli/ui/screens/robot.tsx';
import { fakeUi, fleet, logLines, robotNamed, site } from '../../../support/fake-ui.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 10, 21, hour)).toISOString();
const levels = { debug: 0, info: 0, warn: 0, error: 0, fatal: 0 };

/** Statistics of 24 hours, with these numbers of lines in some of them. */
function statsOf(lines: Record<number, number>, more: Partial<LogStats['total']['levels']> = {}): LogStats {
  const points = Object.entries(lines).map(([hour, count]) => ({
    at: at(Number(hour)),
    lines: count,
    bytes: 0,
    levels,
  }));
  const sum = points.reduce((total, point) => total + point.lines, 0);
  const total = { lines: sum, bytes: 0, levels: { ...levels, ...more }, points };
  return { start_at: at(0), end_at: at(24), step: '1h', counted_to: at(23), total, series: [] };
}

function shownAs(screen: typeof logsScreen, fake: ReturnType<typeof fakeUi>, columns = 100) {
  const draw = () => screen.draw({ ui: fake.ui, view: fake.ui.views.get().current, columns, rows: 10 });
  const shown = render(draw());
  const feed = (scope: LogScope, stats: LogStats) => fake.feeds.logStats(JSON.stringify(scope)).feed(stats);
  return {
    feed,
    frame: () => stripVTControlCharacters(shown.lastFrame() ?? ''),
    redraw: () => shown.rerender(draw()),
    [Symbol.dispose]: () => shown.unmount(),
  };
}

test('above the logs of a robot stands how many lines it has, with their course, warnings and errors', async () => {
  const robot = robotNamed('amr-007');
  const fake = fakeUi({ place: { screen: 'robot', robotId: robot.id } });
  fake.feeds.robots.fill([robot]);
  fake.ui.views.setTab('Logs');
  using shown = shownAs(robotScreen, fake);
  fake.tail.add(logLines(1, 30));
  await expect.poll(shown.frame).toContain('line 30');
  expect(shown.frame()).not.toContain('in 24 h');
  shown.feed({ robot_id: robot.id }, statsOf({ 0: 1_000, 12: 8_000, 23: 4_000 }, { warn: 12, error: 2, fatal: 1 }));
  await expect
    .poll(shown.frame)
    .toMatch(/▂ {11}█ {10}▅ {2}13,000 lines in 24 h {2}▲ 12 warn {2}✗ 3 error {2}counted to /);
  expect(shown.frame()).toContain('line 30');
  expect(shown.frame().split('\n').length).toBeLessThanOrEqual(10);
});

test('the logs of many robots have the counts of the org, or of the one fleet or site that the filter names', async () => {
  const fake = fakeUi({ place: { screen: 'logs' } });
  fake.feeds.robots.fill([robotNamed('amr-007')]);
  fake.feeds.fleets.fill([fleet('f1', 's1', 'pickers'), fleet('f2', 's1', 'packers')]);
  fake.feeds.sites.fill([site('s1', 'Osaka')]);
  using shown = shownAs(logsScreen, fake);
  shown.feed({}, statsOf({ 1: 1 }));
  shown.feed({ fleet_id: 'f1' }, statsOf({ 1: 22 }));
  shown.feed({ site_id: 's1' }, statsOf({ 1: 333 }));
  const filtered = async (filter: string) => {
    fake.ui.views.setList({ filter });
    shown.redraw();
    await new Promise((resolve) => setImmediate(resolve));
    return /([\d,]+) lines in 24 h/.exec(shown.frame())?.[1];
  };
  await expect.poll(() => filtered('')).toBe('1');
  await expect.poll(() => filtered('fleet:Pick')).toBe('22');
  await expect.poll(() => filtered('site:osaka')).toBe('333');
  // Two fleets, and robots by name, have no counts of their own.
  for (const filter of ['fleet:ers', 'robot:amr-007', 'fleet:pick site:osaka', '!fleet:pick'])
    await expect.poll(() => filtered(filter)).toBeUndefined();
});

test('in a narrow terminal the trend is left out, and the line is cut', async () => {
  const fake = fakeUi({ place: { screen: 'logs' }, isAscii: true });
  fake.feeds.robots.fill([robotNamed('amr-007')]);
  using shown = shownAs(logsScreen, fake, 30);
  shown.feed({}, statsOf({ 1: 1_234_567 }, { warn: 1_000_000 }));
  await expect.poll(shown.frame).toContain(' 1,234,567 lines in 24 h');
  for (const line of shown.frame().split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(30);
});
