import { stripVTControlCharacters } from 'node:util';
import { Box } from 'ink';
import { render } from 'ink-testing-library';
import stringWidth from 'string-width';
import { afterEach, expect, test } from 'vitest';
import { namedPlaces } from '../../../../cli/ui/overlays/palette-places.ts';
import { pressKey } from '../../../../cli/ui/actions/key-dispatch.ts';
import { bannerLine } from '../../../../cli/ui/components/banner.ts';
import { statusBarLine } from '../../../../cli/ui/components/status-bar.ts';
import { OverlayView } from '../../../../cli/ui/overlays/OverlayView.tsx';
import { screenOf } from '../../../../cli/ui/screens/index.ts';
import { footerOf } from '../../../../cli/ui/table/footer.ts';
import { tableModel } from '../../../../cli/ui/table/model.ts';
import { fakeUi, fleet, logLines, neverSeen, robot, robotNamed, site } from '../../../support/fake-ui.ts';
import { pressAll, shown, type } from '../../../support/ui-data-harness.ts';

const open: (() => void)[] = [];
afterEach(() => open.splice(0).forEach((end) => end()));

/** The body of the screen that one is at, as it is drawn. */
function draw({ ui }: ReturnType<typeof fakeUi>): () => string {
  const { columns, rows } = ui.terminal.size.get();
  const { current: view } = ui.views.get();
  const { lastFrame, unmount } = render(screenOf(view.place.screen).draw({ ui, view, columns, rows }));
  open.push(unmount);
  return () => stripVTControlCharacters(lastFrame() ?? '');
}

function fillFleet({ feeds }: ReturnType<typeof fakeUi>): void {
  feeds.sites.fill([site('north', 'North'), site('south', 'South')]);
  feeds.fleets.fill([fleet('pickers', 'north', 'Pickers')]);
  feeds.robots.fill([
    robot('amr-1'),
    robot('amr-2', { online: false }),
    neverSeen('amr-3'),
    robot('\u001b]52;x', { duplicate_agent_at: '2026-11-21T09:00:00Z' }),
  ]);
}

test.each([
  [200, 50],
  [100, 30],
  [60, 15],
])('a list at %ix%i has no line longer than the terminal and no more lines than it', (columns, rows) => {
  const scene = fakeUi({ size: { columns, rows } });
  fillFleet(scene);
  const lines = draw(scene)().split('\n');
  expect(lines.length).toBeLessThanOrEqual(rows);
  expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
  expect(lines.find((line) => line.includes('amr-2'))).toMatch(/○ offline/);
});

test('states are told by signs and words, and what a robot is called obeys nothing', () => {
  const scene = fakeUi();
  fillFleet(scene);
  const frame = draw(scene)();
  expect(frame).toMatch(/^ {3}amr-1 +● online +Pickers +North/m);
  expect(frame).toContain('? never seen');
  expect(frame).toMatch(/▸ {2}␛\]52;x +▲ degraded/);
  expect(frame).toContain('4 robots');
});

test('without other signs than ASCII nothing else is drawn', () => {
  const scene = fakeUi({ isAscii: true });
  scene.feeds.robots.fill([robot('amr-1'), robot('amr-2', { online: false })]);
  expect(draw(scene)()).toMatch(/^[\x20-\x7e\n]*$/);
});

test('an empty list says what to do next', () => {
  const scene = fakeUi();
  scene.feeds.robots.fill([]);
  const frame = draw(scene)();
  expect(frame).toContain('No robots yet.');
  expect(frame).toContain('enrollment key');
});

test('robots stand by name as people count, and again once one is renamed', () => {
  const scene = fakeUi();
  const names = () => draw(scene)().match(/amr-\d+/g);
  scene.feeds.robots.fill(['amr-10', 'amr-2', 'amr-1'].map((name) => robot(name)));
  expect(names()).toEqual(['amr-1', 'amr-2', 'amr-10']);
  scene.feeds.robots.fill([robot('amr-10'), robot('amr-2', { name: 'amr-11' }), robot('amr-1')]);
  expect(names()).toEqual(['amr-1', 'amr-10', 'amr-11']);
});

test.each(['configs', 'keys', 'places', 'people', 'overview'] as const)(
  'what an empty list of %s says to do next fits the mode',
  async (screen) => {
    const { ui, feeds } = fakeUi({ place: { screen } });
    const { configs, keys, sites, fleets, robots, users } = feeds;
    for (const feed of [configs, keys, sites, fleets, robots, users]) feed.fill([]);
    const view = ui.views.get().current;
    const { lastFrame, unmount } = render(screenOf(screen).draw({ ui, view, columns: 100, rows: 30 }));
    open.push(unmount);
    await expect.poll(() => lastFrame()).toMatch(/W allows changes, then [nN] adds one/);
    ui.writes.set(true);
    await expect.poll(() => lastFrame()).not.toContain('W allows changes');
    expect(lastFrame()).toMatch(/[nN] adds one/);
  },
);

test('i tells the notes of a release and its whole digest', () => {
  const { ui, feeds } = fakeUi({ place: { screen: 'releases' } });
  const sha256 = 'ab12'.repeat(16);
  const facts = { kind: 'file', artifact_size: 5, artifact_sha256: sha256, artifact_stored: true };
  feeds.releases.fill([{ id: 'r', tag: 'nav-1', ...facts, notes: 'Slower turns.\n\u001b[2JMind the gap.' } as never]);
  pressAll({ ui }, 'i');
  for (const said of ['nav-1', 'file, 5 B, stored here', `sha256 ${sha256}`, 'not signed', 'Slower turns.', '␛[2JMind'])
    expect(shown({ ui })).toContain(said);
});

test('a filter that leaves nothing says of how many, and what clears it', () => {
  const scene = fakeUi({ place: { screen: 'robots', filter: 'name:zzz' } });
  fillFleet(scene);
  expect(draw(scene)()).toContain('0 of 4 match. esc clears.');
});

test('an unknown key is told while it is typed, in the line and in place of the rows, and its correction shows them again', () => {
  const scene = fakeUi({ place: { screen: 'robots' } });
  fillFleet(scene);
  pressAll(scene, '/');
  type(scene, 'statsu:online');
  expect(shown(scene)).toContain('unknown key "statsu"; did you mean status? known: name state fleet');
  expect(draw(scene)()).toMatch(/unknown key "statsu"; did you mean status\? known: name state/);
  expect(draw(scene)()).not.toContain('match. esc');
  pressAll(scene, ...'statsu:online'.split('').map(() => 'backspace'));
  type(scene, 'status:offline');
  expect(shown(scene)).toContain('enter keeps the filter');
  expect(draw(scene)()).toContain('amr-2');
});

test('robots are filtered by label, by health and by condition, and say what is wrong with them', () => {
  const scene = fakeUi({ place: { screen: 'robots' }, size: { columns: 200, rows: 20 } });
  const bad = {
    health_status: 'unhealthy',
    conditions: [
      { rule_id: 'r', name: 'e-stop', severity: 'unhealthy', since: '2026-11-21T09:00:00Z', message: 'e-stop' },
    ],
  };
  scene.feeds.robots.fill([
    robot('amr-1', { labels: { tier: 'canary' } }),
    robot('amr-2', { ...bad, labels: { tier: 'canary', zone: 'a' } }),
    robot('amr-3', { health_status: 'degraded' }),
  ]);
  const left = (filter: string) => {
    scene.ui.views.setList({ filter });
    return draw(scene)().match(/amr-\d/g);
  };
  expect(left('-l tier=canary')).toEqual(['amr-1', 'amr-2']);
  expect(left('-l tier=canary,!zone')).toEqual(['amr-1']);
  expect(left('health:unhealthy')).toEqual(['amr-2']);
  expect(left('condition:e-stop')).toEqual(['amr-2']);
  expect(left('status=degraded')).toEqual(['amr-3']);
  scene.ui.views.setList({ filter: '' });
  expect(draw(scene)()).toMatch(/amr-2 +✗ unhealthy[^\n]* e-stop/);
  expect(draw(scene)()).toMatch(/amr-3 +▲ degraded/);
});

test('a list that failed before anything came says why, what to do, and the request', () => {
  const scene = fakeUi();
  const failure = { message: 'it broke', hint: 'try later', code: 'internal_server_error', requestId: 'r-1' } as const;
  scene.feeds.robots.set({ value: undefined, freshness: { kind: 'failed', failure } });
  const frame = draw(scene)();
  expect(frame).toContain('it broke');
  expect(frame).toContain('try later');
  expect(frame).toContain('request r-1');
});

test('a list that cannot be asked for any more stays, and says of when it is', () => {
  const scene = fakeUi();
  fillFleet(scene);
  const { value } = scene.ui.data.robots.get();
  const failure = { message: 'nobody answers', code: 'http_error' } as const;
  const atMs = scene.clock.nowMs;
  scene.feeds.robots.set({ value, freshness: { kind: 'stale', atMs, failure } });
  const frame = draw(scene)();
  expect(frame).toContain('amr-1');
  expect(frame).toMatch(/as of \d\d:\d\d:\d\d/);
});

test('a list that nobody renewed for long is not told as live', () => {
  const scene = fakeUi();
  fillFleet(scene);
  scene.clock.nowMs += 60_000;
  expect(draw(scene)()).toMatch(/as of \d\d:\d\d:\d\d/);
});

test('a list that rests for long is as live as one that does not, and what is left of an earlier wish is not', () => {
  const scene = fakeUi();
  fillFleet(scene);
  const { value } = scene.ui.data.robots.get();
  const atMs = scene.clock.nowMs;
  scene.clock.nowMs += 45_000;
  scene.feeds.robots.set({ value, freshness: { kind: 'live', atMs, restMs: 30_000 } });
  expect(draw(scene)()).not.toContain('as of');
  scene.feeds.robots.set({ value, freshness: { kind: 'loading', atMs } });
  expect(draw(scene)()).toMatch(/as of \d\d:\d\d:\d\d/);
});

test('another tab begins with a list of its own, and the same one goes on', () => {
  const { views } = fakeUi({ place: { screen: 'people' } }).ui;
  const changed = { cursorId: 'u-1', filter: 'ann', marks: new Set(['u-1']) };
  views.setTab('Users');
  views.setList(changed);
  views.setTab('Users');
  expect(views.get().current.list).toMatchObject(changed);
  views.setTab('Tokens');
  expect(views.get().current.list).toMatchObject({ cursorId: undefined, cursorIndex: 0, filter: '', marks: new Set() });
});

const hostile = 'a\u001b]52;c;eA==\u0007\nb\u202ec\u009dd';

test('a notice and a line obey nothing, and take one line', () => {
  const { ui } = fakeUi();
  ui.notice.set({ text: hostile, tone: 'warn' });
  const { segments } = statusBarLine(ui, ui.views.get().current, 100);
  expect(segments.map(({ text }) => text).join('')).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u202e]*$/);
});

test('a title and what stands in a field obey nothing', () => {
  const { ui } = fakeUi();
  ui.views.setList({ filter: hostile });
  ui.overlay.set({ kind: 'filter' });
  const drawn = () => {
    const { lastFrame, unmount } = render(
      <Box width={100} height={30}>
        <OverlayView ui={ui} columns={100} rows={30} />
      </Box>,
    );
    open.push(unmount);
    return stripVTControlCharacters(lastFrame() ?? '');
  };
  expect(drawn()).toMatch(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]*$/);
  expect(drawn()).toContain('\u241b]52');
  ui.overlay.set({ kind: 'text', title: hostile, text: 'said' });
  expect(drawn()).toContain('\u241b]52');
  expect(drawn()).toMatch(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]*$/);
});

test.each([
  [401, 'the org is suspended, resuming in 4s · wait'],
  [429, 'the service limits the rate of requests, resuming in 4s · wait'],
  [503, 'the service is unavailable, next retry in 4s · wait · r retries now'],
] as const)('a pause for %s is told as what it is, without what it says to do', (status, said) => {
  const { ui, clock, feeds } = fakeUi();
  const failure = { message: 'wait', hint: 'Sign in again', code: 'http_error' } as const;
  feeds.connection.set({ kind: 'resting', status, nextAtMs: clock.nowMs + 4_000, failure });
  expect(bannerLine(ui, 100)?.segments[0]?.text).toMatch(new RegExp(`${said}$`));
});

test.each([
  [429, 4_000, 'Refreshing after the wait that the service requested.'],
  [503, 0, 'Refreshing.'],
])('a refresh after %s says whether it waits', (status, waitMs, said) => {
  const { ui, clock, feeds } = fakeUi();
  const failure = { message: 'wait', code: 'http_error' } as const;
  feeds.connection.set({ kind: 'resting', status, nextAtMs: clock.nowMs + waitMs, failure });
  pressAll({ ui }, 'r');
  expect(ui.notice.get()?.text).toBe(said);
});

test('logs of more robots than one can read at once say of how many they are', async () => {
  for (const [count, said] of [
    [81, '▲ 50 of 81 online robots. Select with /, or mark'],
    [50, undefined],
  ] as const) {
    const { ui, feeds, tail } = fakeUi({ place: { screen: 'logs' } });
    feeds.robots.fill(Array.from({ length: count }, (_, index) => robotNamed(`amr-${index}`)));
    tail.add(logLines(1, 40));
    const view = ui.views.get().current;
    const { lastFrame, unmount } = render(screenOf('logs').draw({ ui, view, columns: 60, rows: 12 }));
    open.push(unmount);
    await expect.poll(() => lastFrame()).toContain('line 40');
    const frame = stripVTControlCharacters(lastFrame() ?? '');
    if (said === undefined) expect(frame).not.toContain('50 of 50 online');
    else expect(frame).toContain(said);
    expect(frame.split('\n').length).toBeLessThanOrEqual(12);
  }
});

/** What the service lists as measured by a robot. */
const measured = (name: string, values: object) => ({
  id: `id-${name}`,
  name,
  site_id: 'site',
  fleet_id: 'fleet',
  created_at: '2026-11-21T09:00:00.000Z',
  online: true,
  ...values,
});

test('measured values are columns that rows are filtered and sorted by, the worst first', async () => {
  const scene = fakeUi({ place: { screen: 'robots' }, size: { columns: 200, rows: 20 } });
  scene.feeds.robots.fill([robotNamed('amr-1'), robotNamed('amr-2'), robotNamed('amr-3'), robotNamed('amr-4')]);
  scene.feeds.measurements.fill([
    measured('amr-1', { battery: 80, cpu: 20, disk: 50, temperature: 40.4 }),
    measured('amr-2', { battery: 9, cpu: 97, disk: 91, temperature: 85 }),
    measured('amr-3', { battery: 25 }),
  ]);
  const frame = () => draw(scene)();
  expect(frame()).toMatch(/amr-2 .* 9% +97% +91% +85 °C/);
  const names = () => frame().match(/amr-\d/g);
  scene.ui.views.setList({ sort: { title: 'battery', isReverse: false } });
  expect(names()).toEqual(['amr-2', 'amr-3', 'amr-1', 'amr-4']);
  scene.ui.views.setList({ sort: { title: 'temp', isReverse: false } });
  expect(names()?.slice(0, 2)).toEqual(['amr-2', 'amr-1']);
  scene.ui.views.setList({ filter: 'battery<30 cpu>90' });
  expect(names()).toEqual(['amr-2']);
  const table = screenOf('robots').table?.(scene.ui, scene.ui.views.get().current);
  const toneOf = (title: string) =>
    table?.columns.find((column) => column.title === title)?.tone?.(table.source.get().value?.[1]);
  expect(['battery', 'cpu', 'disk', 'temp'].map(toneOf)).toEqual(['bad', 'bad', 'bad', 'bad']);
});

test('measured values are requested only while a list shows, filters or sorts by them', () => {
  const scene = fakeUi({ place: { screen: 'robots' } });
  const isWanted = () =>
    screenOf('robots').wants(scene.ui, scene.ui.views.get().current).includes(scene.feeds.measurements);
  expect(isWanted()).toBe(false);
  scene.ui.views.setList({ filter: 'name:amr' });
  expect(isWanted()).toBe(false);
  scene.ui.views.setList({ filter: 'battery<20' });
  expect(isWanted()).toBe(true);
  scene.ui.views.setList({ filter: '', sort: { title: 'temp', isReverse: false } });
  expect(isWanted()).toBe(true);
});

test('one of a thing is called as one, and a wide terminal has room for health', async () => {
  const { ui, feeds } = fakeUi({ place: { screen: 'robots' } });
  feeds.robots.fill([robotNamed('amr-007')]);
  const point = { atMs: Date.now(), snapshot: { cpu: { percent: 31 } } };
  feeds.health('id-amr-007').feed({ online: true, lastSeenAt: undefined, points: [point] });
  feeds.measurements.fill([measured('amr-007', { cpu: 31 })]);
  for (const columns of [100, 200]) {
    const view = ui.views.get().current;
    const { lastFrame, unmount } = render(screenOf('robots').draw({ ui, view, columns, rows: 12 }));
    open.push(unmount);
    await expect.poll(() => lastFrame()).toMatch(/ 1 robot\b/);
    const frame = stripVTControlCharacters(lastFrame() ?? '');
    if (columns === 100) expect(frame).not.toContain('31%');
    else expect(frame).toMatch(/CPU +.*CPU TREND[^]* 31% .*▃/);
  }
});

test('sites hold their fleets and count their robots, and Enter goes to those', () => {
  const scene = fakeUi({ place: { screen: 'places' } });
  fillFleet(scene);
  const frame = draw(scene)();
  expect(frame).toMatch(/ North +site +2\/4/);
  expect(frame).toMatch(/ {3}Pickers +fleet +2\/4/);
  const { ui } = scene;
  const table = screenOf('places').table?.(ui, ui.views.get().current);
  table?.open?.(ui, table.source.get().value?.[1]);
  expect(ui.views.get().current.place).toEqual({ screen: 'robots', filter: 'fleet:=Pickers site:=North' });
});

test('an entry has its operation in words, and a deployment as what is deployed to which target', () => {
  const scene = fakeUi({ place: { screen: 'activity' }, size: { columns: 120, rows: 20 } });
  const { feeds } = scene;
  feeds.releases.fill([{ id: 'rel-1', tag: 'nav-1.8.2' } as never]);
  feeds.fleets.fill([{ id: 'fleet', name: 'pickers' } as never]);
  feeds.deployments.fill([
    { id: 'dep-1', release_id: 'rel-1', target_kind: 'fleet', target_id: 'fleet' },
    { id: 'dep-2', release_id: 'rel-1', target_kind: 'selector', target_id: 's', target_selector: 'tier=canary' },
  ] as never);
  const entry = { seq: 1, at: '2026-11-21T09:00:00Z', actor_kind: 'user', actor_id: 'u' };
  feeds.activity.feed([
    { ...entry, operation: 'createDeployment', object_kind: 'deployment', object_id: 'dep-1' },
    { ...entry, seq: 2, operation: 'createDeployment', object_kind: 'deployment', object_id: 'dep-2' },
  ] as never);
  const frame = draw(scene)();
  expect(frame).toMatch(/create deployment +deployment +nav-1\.8\.2 to fleet pickers/);
  expect(frame).toMatch(/create deployment +deployment +nav-1\.8\.2 to selector tier=canary/);
  expect(namedPlaces(scene.ui).map(({ text }) => text)).toContain('deployment nav-1.8.2 for tier=canary');
});

test('of a long log the latest entries are here, which the line below says, with a filter too', () => {
  const { ui, feeds } = fakeUi({ place: { screen: 'activity' } });
  const entry = (seq: number) => ({
    seq,
    at: '2026-11-21T09:00:00Z',
    actor_kind: 'user',
    actor_id: 'u',
    operation: `op${seq}`,
    object_kind: 'org',
    object_id: 'o',
  });
  const entries = (count: number) =>
    feeds.activity.set({
      value: Array.from({ length: count }, (_, index) => entry(index) as never),
      freshness: { kind: 'live', atMs: ui.data.now() },
    });
  entries(999);
  const footer = () => {
    const { current: view } = ui.views.get();
    const table = screenOf('activity').table?.(ui, view);
    if (!table) throw new Error('activity is a list');
    return footerOf({ ui, view, table, columns: 100 }, tableModel(ui, view, table)).segments[0]?.text.trim();
  };
  expect(footer()).toBe('999 entries');
  entries(1000);
  expect(footer()).toBe('latest 1,000 entries');
  ui.views.setList({ filter: 'did:op99' });
  expect(footer()).toBe('latest 11/1,000 entries');
});

test('a page is as many rows as are seen, but one', async () => {
  const scene = fakeUi({ size: { columns: 100, rows: 20 } });
  const { ui, feeds } = scene;
  feeds.robots.fill(Array.from({ length: 40 }, (_, index) => robot(`amr-${100 + index}`)));
  const seen = draw(scene)().match(/amr-\d+/g) ?? [];
  pressKey(ui, 'pgdn');
  expect(ui.views.get().current.list.cursorId).toBe(seen.at(-1));
  pressKey(ui, 'ctrl-u');
  expect(ui.views.get().current.list.cursorIndex).toBe(seen.length - 1 - (seen.length >> 1));
});

test('what comes later is drawn', async () => {
  const scene = fakeUi();
  const frame = draw(scene);
  await expect.poll(frame).toContain('─');
  fillFleet(scene);
  await expect.poll(frame).toContain('amr-1');
});
