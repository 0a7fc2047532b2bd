import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { HealthSnapshot } from '../../../../cli/ui/data/data.ts';
import { actionsFor } from '../../../../cli/ui/actions/available-actions.ts';
import { closeEcho, enterTab, openRobot } from '../../../../cli/ui/screens/robot-navigation.ts';
import { robotRows } from '../../../../cli/ui/screens/robot-rows.ts';
import { robotScreen } from '../../../../cli/ui/screens/robot.tsx';
import { fakeUi, logLines, robotNamed } from '../../../support/fake-ui.ts';
import { pressAll } from '../../../support/ui-data-harness.ts';

const well: HealthSnapshot = {
  cpu: { percent: 31, cores: 4 },
  memory: { total_bytes: 8 * 2 ** 30, available_bytes: 4 * 2 ** 30 },
  disk: [{ path: '/', total_bytes: 100 * 2 ** 30, free_bytes: 50 * 2 ** 30 }],
  battery: { percent: 81, status: 'Discharging', voltage: 24.6 },
  agent: { version: 'fleet-agent/0.1.0' },
};

/** The screen of a robot, as it is drawn in so many cells. */
function screen({ columns = 100, rows = 28, isAscii = false, robot = robotNamed('amr-007') } = {}) {
  const fake = fakeUi({ place: { screen: 'robot', robotId: robot.id }, isAscii });
  fake.feeds.robots.fill([robot]);
  const draw = () => robotScreen.draw({ ui: fake.ui, view: fake.ui.views.get().current, columns, rows });
  const shown = render(draw());
  fake.ui.views.subscribe(() => shown.rerender(draw()));
  const measured = (...snapshots: HealthSnapshot[]) =>
    fake.feeds.health(robot.id).feed({
      online: robot.online,
      lastSeenAt: robot.last_seen_at,
      points: snapshots.map((snapshot, index) => ({
        atMs: Date.now() - 10_000 * (snapshots.length - index),
        snapshot,
      })),
    });
  const frame = () => stripVTControlCharacters(shown.lastFrame() ?? '');
  return { ...fake, robot, measured, frame, lines: () => frame().split('\n'), [Symbol.dispose]: () => shown.unmount() };
}

test('health is told in units with what came before, and warnings in words', async () => {
  using shown = screen();
  const { frame, measured } = shown;
  measured({ ...well, cpu: { percent: 2 } }, { ...well, cpu: { percent: 50 } }, well);
  await expect.poll(frame).toMatch(/CPU .*▁▅▃ {2}31% {2}4 cores/);
  expect(frame()).toMatch(/Disk \/ .*50% of 100 GiB/);
  expect(frame()).toContain('● online');
  measured(well, {
    ...well,
    disk: [{ path: '/', total_bytes: 100, free_bytes: 5 }],
    clock_offset_ms: 4_200,
    extra: {
      diagnostics: { ok: 3, error: 1, worst: [{ name: 'lidar', level: 'error', message: 'no \u001b[31mscan' }] },
    },
  });
  await expect.poll(frame).toMatch(/Disk \/ .*▲ nearly full {2}95% of 100 B/);
  expect(frame()).toMatch(/Clock .*▲ clock is off {2}\+4200 ms/);
  expect(frame()).toContain('lidar: no ␛[31mscan');
  expect(frame()).toContain('● online  ▲ Disk / nearly full, Clock clock is off, ROS errors');
});

test('a robot is degraded where its list calls it so, and what it measures is told beside that', async () => {
  const drift = { since: '2026-11-21T09:00:00.000Z' };
  const release = { release_id: 'r', tag: 'nav-1', at: drift.since, deployment_id: 'd', drift };
  const robot = robotNamed('amr-007', { duplicate_agent_at: drift.since, reported: { releases: { file: release }, configs: {} } }); // prettier-ignore
  using shown = screen({ robot });
  shown.measured({ ...well, cpu: { percent: 99 } });
  await expect.poll(shown.frame).toContain('▲ degraded: two agents, drifted  ▲ CPU busy');
  expect(robotRows(shown.ui).get().value).toMatchObject([{ state: 'degraded', hasDrifted: true }]);
});

test('a robot whose agent is away says since when, and what to do, on each tab that needs it', async () => {
  const seen = new Date(Date.now() - 2 * 3_600_000).toISOString();
  using shown = screen({ robot: robotNamed('amr-019', { online: false, last_seen_at: seen, cameras: ['front'] }) });
  const { frame, measured, ui } = shown;
  measured(well);
  for (const tab of ['Health', 'Shell', 'Camera', 'Topics']) {
    ui.views.setTab(tab);
    await expect.poll(frame).toContain(`[${tab}]`);
    expect(frame()).toContain('agent offline: last seen 2h ago');
    expect(frame()).toContain('l shows its stored logs');
  }
});

test('logs of a robot that is away are told as stored ones, with their age and what to do', async () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  using shown = screen({ robot: robotNamed('amr-019', { online: false, last_seen_at: hoursAgo(2) }), rows: 11 });
  const { frame, tail, ui, lines } = shown;
  ui.views.setTab('Logs');
  await expect.poll(frame).toContain('agent offline: last seen 2h ago');
  expect(frame()).toContain('No stored logs.');
  const [line] = logLines(1, 1);
  if (line?.kind !== 'record') throw new Error('a line is a record');
  tail.add([
    ...Array.from({ length: 20 }, () => line),
    { ...line, record: { ...line.record, received_at: hoursAgo(3) } },
  ]);
  await expect.poll(frame).toContain('Its last lines arrived 3h ago.');
  expect(frame()).toContain('appear here when it reconnects');
  expect(lines().length).toBeLessThanOrEqual(11);
  shown.feeds.robots.fill([robotNamed('amr-019')]);
  await expect.poll(frame).not.toContain('appear here when it reconnects');
});

test('the time zone of the robot, in which windows of the zone robot are, is beside its labels', async () => {
  using shown = screen({ robot: { ...robotNamed('amr-007', { labels: { floor: '2' } }), timezone: 'Asia/Tokyo' } });
  await expect.poll(shown.frame).toMatch(/ runs .* {2}floor=2 Asia\/Tokyo\n/);
});

test.each([
  { columns: 60, rows: 12 },
  { columns: 80, rows: 20 },
  { columns: 200, rows: 47 },
])(
  'nothing is drawn outside of $columns x $rows cells, and warnings come first where not all has room',
  async (size) => {
    using shown = screen({
      ...size,
      isAscii: true,
      robot: robotNamed('日本語'.repeat(30), { labels: { floor: '2'.repeat(90) } }),
    });
    const { frame, lines, measured, ui, tail } = shown;
    const net = Array.from({ length: 4 }, (_, index) => ({ iface: `eth${index}`, up: true }));
    const disk = Array.from({ length: 6 }, (_, index) => ({ path: `/mnt/${index}`, total_bytes: 100, free_bytes: 50 }));
    measured({
      ...well,
      disk,
      net,
      uptime_s: 400_000,
      link: { rtt_ms: 3 },
      clock_offset_ms: -90_000,
      extra: { a: 1, b: { c: 2 } },
    });
    await expect.poll(frame).toContain('clock is off');
    if (size.rows < 15) expect(frame()).toContain('more in a taller window');
    tail.add(logLines(1, 300, { text: ` ${'word '.repeat(60)}` }));
    for (const tab of ['Health', 'Logs', 'Timeline', 'Shell', 'Camera', 'Topics', 'Config']) {
      ui.views.setTab(tab);
      await expect.poll(frame).toContain(`[${tab}]`);
      expect(lines().length).toBeLessThanOrEqual(size.rows);
      for (const line of lines()) expect(stringWidth(line)).toBeLessThanOrEqual(size.columns);
    }
  },
);

test('a tail tells that it is live or paused, and how much is new', async () => {
  using shown = screen();
  const { frame, tail, ui } = shown;
  openRobot(ui, shown.robot.id, 'Logs');
  await expect.poll(frame).toContain('No lines yet.');
  tail.add(logLines(1, 30));
  await expect.poll(frame).toContain('line 30');
  expect(frame()).toContain('● live  30 lines');
  const { togglePause } = await import('../../../../cli/ui/tail/navigation.ts');
  togglePause(ui);
  tail.add(logLines(31, 214));
  await expect.poll(frame).toContain('? paused  214 new');
  expect(frame()).not.toContain('line 31');
});

test('enter hands the terminal to a shell or a camera, and tells how that ended', async () => {
  using shown = screen({ robot: robotNamed('amr-007', { cameras: ['front', 'arm'] }) });
  const { ui, handedOver, robot } = shown;
  openRobot(ui, robot.id, 'Shell');
  ui.writes.set(true);
  enterTab(ui);
  await expect.poll(() => ui.notice.get()?.text).toBe('session ended, exit 0, 0s');
  openRobot(ui, robot.id, 'Camera');
  ui.views.setList({ cursorId: 'arm' });
  enterTab(ui);
  await expect
    .poll(() => handedOver)
    .toEqual([
      ['robots', 'shell', robot.id],
      ['robots', 'camera', robot.id, '--camera', 'arm'],
    ]);
  await expect.poll(() => ui.notice.get()?.text).toBe('camera closed, 0s');
});

test('no shell is begun on a robot that is away', () => {
  using shown = screen({ robot: robotNamed('amr-019', { online: false }) });
  const { ui, handedOver, robot } = shown;
  openRobot(ui, robot.id, 'Shell');
  enterTab(ui);
  expect(handedOver).toEqual([]);
  expect(ui.notice.get()?.text).toBe('No shell: the agent is offline');
});

test('a shell takes W, by its tab and by its name alone; a camera does not', async () => {
  using shown = screen({ robot: robotNamed('amr-007', { cameras: ['front'] }) });
  const { frame, ui, handedOver, robot } = shown;
  pressAll({ ui }, 's');
  await expect.poll(frame).toContain('press W to allow changes, then enter to open it');
  pressAll({ ui }, 'enter');
  expect(ui.notice.get()?.text).toContain('W allows changes first; in a shell anything can be changed');
  for (const { action, disabledReason } of actionsFor(ui, ui.views.get().current))
    if (action.id === 'robot.openShell') expect(disabledReason).toContain('W allows changes first');
  pressAll({ ui }, 'c', 'enter');
  expect(handedOver).toEqual([['robots', 'camera', robot.id, '--camera', 'front']]);
  pressAll({ ui }, 's', 'W');
  await expect.poll(frame).toContain('Enter opens a shell on the robot');
  pressAll({ ui }, 'enter');
  expect(handedOver.at(-1)).toEqual(['robots', 'shell', robot.id]);
});

test('a topic is listened to below the list, until that is closed', async () => {
  using shown = screen({ robot: robotNamed('amr-007', { topics: true }) });
  const { frame, ui, feeds, echo, robot } = shown;
  feeds
    .topics(robot.id)
    .feed({ topics: [{ name: '/imu', type: 'sensor_msgs/Imu', source: 'ros1://m' }], nodes: [] } as never);
  openRobot(ui, robot.id, 'Topics');
  await expect.poll(frame).toContain('sensor_msgs/Imu');
  enterTab(ui);
  await expect.poll(frame).toContain('No messages yet.');
  echo.set({
    lines: [JSON.stringify({ type: 'a/B', msg: { x: 1.5, name: '\u001b[2J' } }), '{broken'],
    perSecond: 9.96,
    failure: undefined,
  });
  await expect.poll(frame).toContain('x: 1.5');
  expect(frame()).toContain('10.0/s');
  expect(frame()).toContain('{broken');
  expect(frame()).toContain('␛[2J');
  expect(closeEcho(ui)).toBe(true);
  await expect.poll(frame).not.toContain('x: 1.5');
  expect(closeEcho(ui)).toBe(false);
});

test.each(['Timeline', 'Topics'])('the list of the tab %s follows what is polled now, not what was evicted', (tab) => {
  using shown = screen();
  const { ui, feeds } = shown;
  let round = 'first';
  Object.assign(ui.data, { timeline: () => feeds.timeline(round), topics: () => feeds.topics(round) });
  ui.views.setTab(tab);
  const { source } = robotScreen.table?.(ui, ui.views.get().current) ?? { source: undefined };
  const changes: string[] = [];
  round = 'second';
  source?.subscribe(() => changes.push(round));
  const rows = [{ seq: 1, name: '/imu' }];
  feeds[tab === 'Topics' ? 'topics' : 'timeline']('second').feed((tab === 'Topics' ? { topics: rows } : rows) as never);
  expect(source?.get().value).toEqual(rows);
  expect(changes).toEqual(['second']);
});

test('a retired robot is told as that, with the robot that replaced it, and one that is gone as not found', async () => {
  using shown = screen();
  const { feeds, frame } = shown;
  feeds.robots.fill([robotNamed('amr-8')]);
  expect(frame()).not.toContain('not found');
  const retired = { retired_at: new Date(Date.now() - 7_200_000).toISOString(), replaced_by: 'id-amr-8' };
  feeds.robot(shown.robot.id).feed({ ...shown.robot, ...retired });
  await expect.poll(frame).toContain('amr-007  retired 2h ago, replaced by amr-8');
  feeds.robots.fill([]);
  await expect.poll(frame).toContain('replaced by id-amr-8');
  feeds.robot(shown.robot.id).set({ value: undefined, freshness: { kind: 'failed', failure: { message: 'robot not found', code: 'not_found' } } }); // prettier-ignore
  await expect.poll(frame).toContain('robot id-amr-007 not found: it may have been removed');
});
