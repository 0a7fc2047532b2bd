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

const stopped = { rule_id: 'rule', name: 'e-stop', severity: 'unhealthy', since: '2026-11-21T09:45:00.000Z', message: 'e-stop pressed' }; // prettier-ignore

/** A fleet with two orders that go on, one that ended, two robots that are not well, and a change. */
function overview({ columns = 100, rows = 28, isAscii = false } = {}) {
  const fake = fakeUi({ place: { screen: 'overview' }, isAscii });
  const { feeds, ui } = fake;
  feeds.sites.fill([{ id: 'site', name: 'Osaka' } as never]);
  feeds.fleets.fill([{ id: 'fleet', name: 'pickers', site_id: 'site' } as never]);
  feeds.releases.fill([{ id: 'rel', tag: 'nav-1.8.2' } as never]);
  feeds.robots.fill([
    robotNamed('amr-1', { health_status: 'healthy' }),
    robotNamed('amr-2', { online: false, last_seen_at: '2026-11-21T09:00:00.000Z' }),
    robotNamed('amr-3', { online: false, last_seen_at: '2026-11-21T10:00:00.000Z', health_status: 'unhealthy', conditions: [stopped] }), // prettier-ignore
  ]);
  feeds.deployments.fill([
    order('run', { release_id: 'rel' }),
    order('done', { release_id: 'rel', status: 'applied', ended_at: '2026-11-21T09:30:00.000Z' }),
  ] as never);
  feeds.configDeployments.fill([order('conf', { namespace: 'default', key: 'nav.speed', revision: 2 })] as never);
  const entry = {
    seq: 1,
    at: '2026-11-21T11:00:00.000Z',
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
])('in %ix%i cells tab goes over its five lists, and nothing is drawn outside', async (columns, rows) => {
  const { ui, frame, lines } = overview({ columns, rows });
  const seen: [string, RegExp][] = [
    ['Fleets', /▸ +pickers/],
    ['Depl', /▸ +◌ in pro.* nav/],
    ['unhealthy', /▸ +amr-3 +○ offline/],
    ['Cond', /▸ +✗ unhealthy +e-stop +1/],
    ['vents', /▸ .*update robot/],
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
  await expect.poll(frame).toMatch(/▸ +pickers/);
});

test('enter opens what the cursor is at: an order of either face, a robot, what a change was about', async () => {
  const { ui } = overview();
  const opened = () => {
    pressAll({ ui }, 'enter');
    const { place } = ui.views.get().current;
    pressAll({ ui }, '[');
    return place;
  };
  expect(opened()).toEqual({ screen: 'robots', filter: 'fleet:=pickers site:=Osaka' });
  pressAll({ ui }, 'tab');
  expect(opened()).toEqual({ screen: 'deployment', deployment: { deploymentKind: 'release', id: 'run' } });
  pressAll({ ui }, 'j');
  expect(opened()).toEqual({ screen: 'deployment', deployment: { deploymentKind: 'config', id: 'conf' } });
  pressAll({ ui }, 'tab', 'down');
  expect(opened()).toEqual({ screen: 'robot', robotId: 'id-amr-2' });
  pressAll({ ui }, 'tab');
  expect(opened()).toEqual({ screen: 'robots', filter: 'condition:=e-stop' });
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
  feeds.fleets.fill([{ id: 'fleet', name: 'pickers', site_id: 'site' } as never]);
  const draw = () => screenOf('overview').draw({ ui, view: ui.views.get().current, columns, rows });
  const shown = render(draw());
  open.push(() => shown.unmount());
  const frame = () => stripVTControlCharacters(shown.lastFrame() ?? '');
  const seen: string[] = [];
  for (const pane of screenOf('overview').tabs ?? []) {
    ui.views.setTab(pane);
    shown.rerender(draw());
    await expect.poll(frame).toMatch(pane === 'Fleets' ? /pickers/ : /──/);
    seen.push(frame());
  }
  expect(seen[0]).toContain('Robots: not known yet');
  expect(seen.join('\n')).not.toMatch(/None\.|Nothing|\b0\b|pickers +-/);
});

test('without the right to the audit log the events have what the lists know, and say what is missing', async () => {
  const { ui, feeds, frame } = overview({ columns: 160 });
  const failure = { message: 'needs admin; this token is operator', code: 'forbidden' } as const;
  feeds.activity.set({ value: undefined, freshness: { kind: 'failed', failure } });
  ui.views.setTab('Recent events');
  await expect.poll(frame).toContain('[Recent events] 7   without the audit log: requires the role admin');
  for (const event of [
    /✗ e-stop +amr-3 +e-stop pressed/,
    /○ offline +amr-3/,
    /✓ applied +nav-1.8.2 +fleet pickers/,
    /deployment created +nav/,
  ])
    // prettier-ignore
    expect(frame()).toMatch(event);
});

/** Points every five minutes until `endMs`, the oldest first. */
const history = (endMs: number, values: readonly (readonly [online: number, unhealthy: number])[]) => ({
  interval_seconds: 300,
  points: values.map(([online, unhealthy], index) => ({
    at: new Date(endMs - (values.length - index) * 300_000).toISOString(),
    total: 20,
    online,
    unhealthy,
    healthy: online - unhealthy,
    degraded: 0,
    unknown: 20 - online,
  })),
});

test.each([
  [200, 47],
  [120, 37],
  [80, 21],
  [80, 47],
])(
  'in %ix%i cells charts show how many robots were online and unhealthy, with the worst of the time',
  async (columns, rows) => {
    const { feeds, frame, lines } = overview({ columns, rows });
    feeds.healthHistory.feed(history(Date.now(), [[20, 0], [20, 1], [14, 7], [18, 2]])); // prettier-ignore
    await expect.poll(frame).toMatch(/Online 1 of 3/);
    expect(frame()).toMatch(/Unhealthy 1/);
    if (columns >= 100) expect(frame()).toMatch(/lowest 1 in 1 h.*highest 7 in 1 h/);
    expect(frame()).toMatch(/█[▁▂▃▄▅▆▇]/);
    expect(Math.max(...lines().map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
    expect(lines().length).toBeLessThanOrEqual(rows);
  },
);

test('the rows of a chart are one below the other, however large its numbers are', async () => {
  const { feeds, frame, lines } = overview({ columns: 120, rows: 37 });
  feeds.healthHistory.feed(history(Date.now(), [[2_000, 0], [2_000, 1_500], [2_000, 40]])); // prettier-ignore
  await expect.poll(frame).toContain('highest 1,500 in 1 h');
  const [top = '', bottom = ''] = [2, 6].map((row) => lines()[row]);
  // Behind each label there is a blank, then the bars.
  const endOf = (label: RegExp, line: string) => (label.exec(line)?.index ?? -1) + (label.exec(line)?.[0].length ?? 0);
  const [highest, lowest] = [endOf(/^.{50,}? [\d,]+ /, top), endOf(/^ +0 .{45,}? 0 /, bottom)];
  expect(highest).toBeGreaterThan(60);
  expect(lowest).toBe(highest);
});

test('a service without a history of health leaves the lists its room and says what it answered', async () => {
  const { feeds, frame, lines } = overview({ columns: 120, rows: 37 });
  const place = () => lines().findIndex((line) => line.includes('[Fleets]'));
  const before = place();
  feeds.healthHistory.set({
    value: undefined,
    freshness: { kind: 'failed', failure: { message: 'no such route', code: 'not_found' } },
  });
  await expect.poll(frame).toContain('Online and unhealthy over time: not known: no such route');
  expect(place()).toBeLessThan(before);
});

const places = (names: readonly (readonly [fleet: string, site: string])[]) => ({
  fleets: names.map(([name, site], index) => ({ id: `f${index}`, name, site_id: site })) as never[],
  sites: [...new Set(names.map(([, site]) => site))].map((site) => ({ id: site, name: site })) as never[],
});

test('the fleet with most unhealthy robots comes first, each with its shares and with its site if the name is not unique', async () => {
  const { feeds, frame } = overview({ columns: 160, rows: 40 });
  const { fleets, sites } = places([['pickers', 'Osaka'], ['pickers', 'Kobe'], ['forklifts', 'Osaka'], ['spare', 'Osaka']]); // prettier-ignore
  feeds.fleets.fill(fleets);
  feeds.sites.fill(sites);
  const inFleet = (index: number, health: string, count: number) =>
    Array.from({ length: count }, (_each, at) =>
      robotNamed(`${index}-${health}-${at}`, { fleet_id: `f${index}`, site_id: index === 1 ? 'Kobe' : 'Osaka', health_status: health, online: health !== 'unknown' })); // prettier-ignore
  feeds.robots.fill([
    ...inFleet(0, 'healthy', 300),
    ...inFleet(0, 'degraded', 1),
    ...inFleet(1, 'healthy', 5),
    ...inFleet(1, 'unhealthy', 5),
    ...inFleet(2, 'unknown', 4),
  ]);
  await expect.poll(frame).toMatch(/Kobe\/pickers[^]*Osaka\/pickers[^]*forklifts[^]*spare/);
  expect(frame()).toMatch(/Kobe\/pickers +■+✗+ +10\/10 +✗ 5/);
  expect(frame()).toMatch(/Osaka\/pickers +■+▲ +301\/301 +▲ 1/);
  expect(frame()).toMatch(/forklifts +\?+ +0\/4 +\? 4/);
  expect(frame()).toMatch(/spare +no robots/);
});

test.each([
  [200, 47],
  [120, 37],
  [100, 20],
  [80, 21],
  [60, 17],
  [60, 12],
])(
  'in %ix%i cells long and odd names, 300 fleets and 50 conditions neither wrap nor reach the terminal',
  async (columns, rows) => {
    const { ui, feeds, frame, lines } = overview({ columns, rows });
    const odd = `${'長'.repeat(40)}\u001b[2J🤖\u202e${'x'.repeat(60)}`;
    const { fleets, sites } = places(
      Array.from({ length: 300 }, (_each, index) => [`${index} ${odd}`, 'site'] as const),
    );
    feeds.fleets.fill(fleets);
    feeds.sites.fill(sites);
    const conditions = Array.from({ length: 50 }, (_each, index) => ({ ...stopped, rule_id: `r${index}`, name: `${index} ${odd}`, message: odd })); // prettier-ignore
    feeds.robots.fill([robotNamed(odd, { fleet_id: 'f0', health_status: 'unhealthy', conditions })]);
    feeds.healthHistory.feed(history(Date.now(), [[1, 1]]));
    for (const pane of screenOf('overview').tabs ?? []) {
      ui.views.setTab(pane);
      const name = pane.split(' ')[0]?.replace('Active', 'Deploying|Active').replace('Recent', 'Events|Recent');
      await expect.poll(frame).toMatch(new RegExp(`\\[(${name})`));
      expect(frame()).not.toMatch(/[\u001b\u202e]/);
      expect(lines().length).toBeLessThanOrEqual(rows);
      expect(Math.max(...lines().map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
    }
  },
);

test('conditions are listed by severity and number of robots, also those that maintenance silences', async () => {
  const { ui, feeds, frame } = overview({ columns: 160, rows: 40 });
  const low = { ...stopped, rule_id: 'low', name: 'battery-low', severity: 'degraded' };
  const maintenance = { id: 'm', until: '2026-11-21T12:00:00.000Z', reason: 'new tyres' };
  feeds.robots.fill([
    robotNamed('amr-1', { conditions: [low] }),
    robotNamed('amr-2', { conditions: [low, stopped] }),
    robotNamed('amr-3', { conditions: [low], maintenance }),
  ]);
  ui.views.setTab('Conditions');
  await expect.poll(frame).toMatch(/✗ unhealthy +e-stop +1 [^]*▲ degraded +battery-low +3 +1/);
});
