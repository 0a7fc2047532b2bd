import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import stringWidth from 'string-width';
import { afterEach, expect, test } from 'vitest';
import { screenOf } from '../../../../cli/ui/screens/index.ts';
import { fakeUi, robotNamed } from '../../../support/fake-ui.ts';
import { pressAll } from '../../../support/ui-data-harness.ts';

const open: (() => void)[] = [];
afterEach(() => open.splice(0).forEach((end) => end()));

const counts = { total: 4, applied: 1, failed: 1, rolled_back: 1, cancelled: 0, waiting: 1 };
const order = (id: string, more: object) => ({
  id,
  target_kind: 'fleet',
  target_id: 'fleet',
  status: 'in_progress',
  counts,
  created_at: '2026-11-21T09:00:00.000Z',
  ...more,
});

/** A fleet with two orders that go on, one that ended, two robots that are not well, and a change. */
function overview({ columns = 100, rows = 28, isAscii = false } = {}) {
  const fake = fakeUi({ place: { screen: 'overview' }, isAscii });
  const { feeds, ui } = fake;
  feeds.sites.fill([{ id: 'site', name: 'Osaka' } as never]);
  feeds.fleets.fill([{ id: 'fleet', name: 'pickers', site_id: 'site' } as never]);
  feeds.releases.fill([{ id: 'rel', tag: 'nav-1.8.2' } as never]);
  feeds.robots.fill([
    robotNamed('amr-1'),
    robotNamed('amr-2', { online: false, last_seen_at: '2026-11-21T09:00:00.000Z' }),
    robotNamed('amr-3', { online: false, last_seen_at: '2026-11-21T10:00:00.000Z' }),
  ]);
  feeds.deployments.fill([
    order('run', { release_id: 'rel' }),
    order('done', { release_id: 'rel', status: 'applied' }),
  ] as never);
  feeds.configDeployments.fill([order('conf', { namespace: 'default', key: 'nav.speed', revision: 2 })] as never);
  const entry = {
    seq: 1,
    at: '2026-11-21T09:00:00.000Z',
    actor_kind: 'user',
    actor_id: 'u',
    operation: 'updateRobot',
  };
  feeds.activity.feed([{ ...entry, object_kind: 'robot', object_id: 'id-amr-1' }] as never);
  const draw = () => screenOf('overview').draw({ ui, view: ui.views.get().current, columns, rows });
  const shown = render(draw());
  open.push(() => shown.unmount());
  ui.views.subscribe(() => {
    if (ui.views.get().current.place.screen === 'overview') shown.rerender(draw());
  });
  const frame = () => stripVTControlCharacters(shown.lastFrame() ?? '');
  return { ...fake, frame, lines: () => frame().split('\n') };
}

test.each([
  [100, 48],
  [100, 28],
  [80, 22],
  [60, 13],
])('in %ix%i cells tab goes over its four lists, and nothing is drawn outside', async (columns, rows) => {
  const { ui, frame, lines } = overview({ columns, rows });
  const seen: [string, RegExp][] = [
    ['Sites', /▸ +Osaka/],
    ['Depl', /▸ +◌ in pro.* nav/],
    ['unhealthy', /▸ +amr-3 +○ offline/],
    ['hanges', /▸ .*update robot/],
  ];
  for (const [name, row] of seen) {
    await expect.poll(frame).toMatch(row);
    expect(frame().match(/▸/g)).toHaveLength(1);
    expect(
      frame()
        .match(/\[[^\]]*\]/)?.[0]
        .toLowerCase(),
    ).toContain(name.toLowerCase());
    expect(lines().length).toBeLessThanOrEqual(rows);
    expect(Math.max(...lines().map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
    pressAll({ ui }, 'tab');
  }
  await expect.poll(frame).toMatch(/▸ +Osaka/);
});

test('enter opens what the cursor is at: an order of either face, a robot, what a change was about', async () => {
  const { ui } = overview();
  const opened = () => {
    pressAll({ ui }, 'enter');
    const { place } = ui.views.get().current;
    pressAll({ ui }, '[');
    return place;
  };
  expect(opened()).toEqual({ screen: 'robots', filter: 'site:=Osaka' });
  pressAll({ ui }, 'tab');
  expect(opened()).toEqual({ screen: 'deployment', deployment: { deploymentKind: 'release', id: 'run' } });
  pressAll({ ui }, 'j');
  expect(opened()).toEqual({ screen: 'deployment', deployment: { deploymentKind: 'config', id: 'conf' } });
  pressAll({ ui }, 'tab', 'down');
  expect(opened()).toEqual({ screen: 'robot', robotId: 'id-amr-2' });
  pressAll({ ui }, 'tab');
  expect(opened()).toEqual({ screen: 'robot', robotId: 'id-amr-1' });
});

test('of the orders that go on the one in which most failed comes first, of configs as of releases', async () => {
  const { feeds, frame } = overview({ columns: 140 });
  const failing = {
    counts: { ...counts, total: 9, failed: 3, rolled_back: 4 },
    namespace: 'default',
    key: 'fails',
    revision: 1,
  };
  feeds.configDeployments.fill([order('old', { ...failing, created_at: '2026-11-20T09:00:00.000Z' })] as never); // prettier-ignore
  await expect.poll(frame).toMatch(/Active deployments *2[^]*default\/fails #1[^]*▲ 7[^]*nav-1\.8\.2/);
});

test('what failed of an order that goes on is told by a sign, in ASCII too', () => {
  expect(overview().frame()).toMatch(/nav-1\.8\.2 .*3\/4 .*▲ 2/);
  expect(overview({ isAscii: true }).frame()).toMatch(/^[\x20-\x7e\n]*! 2[\x20-\x7e\n]*$/);
});

test.each([
  [100, 28],
  [80, 30],
  [60, 13],
])('in %ix%i cells it says nothing that nobody knows', async (columns, rows) => {
  const { ui, feeds } = fakeUi({ place: { screen: 'overview' } });
  feeds.sites.fill([{ id: 'site', name: 'Osaka' } as never]);
  const draw = () => screenOf('overview').draw({ ui, view: ui.views.get().current, columns, rows });
  const shown = render(draw());
  open.push(() => shown.unmount());
  const frame = () => stripVTControlCharacters(shown.lastFrame() ?? '');
  const seen: string[] = [];
  for (const pane of screenOf('overview').tabs ?? []) {
    ui.views.setTab(pane);
    shown.rerender(draw());
    await expect.poll(frame).toMatch(pane === 'Sites' ? /Osaka/ : /──/);
    seen.push(frame());
  }
  expect(seen[0]).toContain('Robots: not known yet');
  expect(seen.join('\n')).not.toMatch(/None\.|Nothing|\b0\b|Osaka +-/);
});

test('to whom the audit log is closed, it is told as that', async () => {
  const { feeds, frame } = overview();
  const failure = { message: 'needs admin; this token is operator', code: 'forbidden' } as const;
  feeds.activity.set({ value: undefined, freshness: { kind: 'failed', failure } });
  await expect.poll(frame).toContain('The audit log requires the role admin.');
  expect(frame()).toContain('this token is operator');
  expect(frame()).not.toContain('Nothing has changed');
});
