import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { Deployment, DeploymentTarget } from '../../../../cli/ui/data/data.ts';
import { pressKey } from '../../../../cli/ui/actions/key-dispatch.ts';
import { deploymentHeader } from '../../../../cli/ui/deployment/header.ts';
import { endedText } from '../../../../cli/ui/deployment/deployment.ts';
import { deploymentScreen } from '../../../../cli/ui/screens/deployment.tsx';
import { deploymentsScreen } from '../../../../cli/ui/screens/deployments.tsx';
import { gridDown, gridLast, gridRight, gridUp, openCell } from '../../../../cli/ui/screens/grid-navigation.ts';
import { createTheme } from '../../../../cli/ui/theme.ts';
import { fakeUi, robotNamed } from '../../../support/fake-ui.ts';

type TargetCounts = Deployment['counts'];

const none: TargetCounts = {
  total: 0,
  waiting: 0,
  dispatched: 0,
  downloading: 0,
  installing: 0,
  verifying: 0,
  cancelling: 0,
  rolling_back: 0,
  applied: 0,
  failed: 0,
  rolled_back: 0,
  cancelled: 0,
};

const order = (counts: Partial<TargetCounts>, more: Partial<Deployment> = {}): Deployment => ({
  id: 'dep-1',
  release_id: 'rel-1',
  target_kind: 'fleet',
  target_id: 'fleet',
  status: 'in_progress',
  active_minutes: 30,
  counts: { ...none, ...counts },
  created_at: new Date(Date.now() - 120_000).toISOString(),
  started_at: new Date(Date.now() - 100_000).toISOString(),
  ...more,
});

const unicode = createTheme({ isAscii: false, colours: 'none' });

const targetsOf = (statuses: readonly string[]): DeploymentTarget[] =>
  statuses.map((status, index) => ({ robot_id: `id-amr-${index}`, status, updated_at: new Date().toISOString() }));

/** A deployment, as it is drawn in so many cells. */
function screen({ columns = 100, rows = 28, isAscii = false } = {}) {
  const fake = fakeUi({
    place: { screen: 'deployment', deployment: { deploymentKind: 'release', id: 'dep-1' } },
    isAscii,
  });
  const { feeds, ui } = fake;
  feeds.releases.fill([{ id: 'rel-1', tag: 'nav-1.8.2' } as never]);
  feeds.fleets.fill([{ id: 'fleet', name: 'pickers' } as never]);
  feeds.robots.fill(Array.from({ length: 30 }, (_, index) => robotNamed(`amr-${index}`)));
  const draw = () => deploymentScreen.draw({ ui, view: ui.views.get().current, columns, rows });
  const shown = render(draw());
  const ordered = (deployment: Deployment, statuses: readonly string[]) => {
    feeds.deployments.fill([deployment] as never);
    feeds.targets('release', 'dep-1').feed(targetsOf(statuses) as never);
  };
  const redraw = () => shown.rerender(draw());
  const frame = () => stripVTControlCharacters(shown.lastFrame() ?? '');
  return { ...fake, ordered, redraw, frame, lines: () => frame().split('\n'), [Symbol.dispose]: () => shown.unmount() };
}

test('each robot is a cell with a letter, below them their meaning, and how far it all is', async () => {
  using shown = screen();
  shown.ordered(order({ total: 6, applied: 3, failed: 1, waiting: 2 }), [
    'applied',
    'applied',
    'failed',
    'applied',
    'waiting',
    'unheard_of',
  ]);
  shown.feeds.events('release', 'dep-1').feed([
    {
      id: 'e',
      seq: 1,
      at: '2026-11-21T09:00:00.000Z',
      status: 'in_progress',
      robot_id: 'id-amr-2',
      target_status: 'failed',
      reason: 'verify_failed',
      message: 'exit 1\nmore',
    },
  ] as never);
  await expect.poll(shown.frame).toContain(' ▸A A F A . ?');
  expect(shown.frame()).toContain('. 1 waiting  A 3 applied  F 1 failed  ? 1 unheard of');
  expect(shown.frame()).toMatch(/◌ in progress {2}nav-1\.8\.2 {2}for fleet pickers/);
  expect(shown.frame()).toContain('4 of 6 ended: 3 applied, 1 failed');
  expect(shown.frame()).toMatch(/about \d+s left at this rate/);
  expect(shown.frame()).toMatch(/failed +amr-2 {2}verify failed {2}exit 1/);
});

test('the bar of a failed deployment shows how much of it was applied', () => {
  using shown = screen();
  shown.ordered(order({ total: 4, applied: 3, failed: 1 }, { status: 'failed' }), []);
  const view = shown.ui.views.get().current;
  const [, progress] = deploymentHeader(shown.ui, view, 'release', 'dep-1', 100, 28);
  const bar = progress?.segments.filter(({ text }) => /^\W+$/.test(text) && text.trim() !== '');
  expect(bar).toEqual([
    { text: '█'.repeat(15), tone: 'good' },
    { text: '█'.repeat(5), tone: 'bad' },
  ]);
});

test('no end is foretold where nothing moves, or too little has', async () => {
  using shown = screen();
  const offline = order({ total: 6, applied: 3, waiting: 3 }, { waiting_on: { code: 'robots_offline' } });
  for (const deployment of [offline, order({ total: 6, applied: 2, waiting: 4 })]) {
    shown.ordered(deployment, ['applied']);
    await expect.poll(shown.frame).toContain(`${deployment.counts.applied} applied`);
    expect(shown.frame()).not.toContain('left at this rate');
  }
});

test('the cursor goes over the cells, says whose one is, and enter goes to that robot', async () => {
  using shown = screen({ columns: 22 });
  shown.ordered(
    order({ total: 25, applied: 25 }),
    Array.from({ length: 25 }, () => 'applied'),
  );
  const { ui, frame } = shown;
  await expect.poll(frame).toContain('▸ amr-0');
  gridRight(ui);
  gridDown(ui);
  await expect.poll(frame).toContain('▸ amr-11');
  gridUp(ui);
  gridUp(ui);
  // There is no cell above.
  await expect.poll(frame).toMatch(/▸ amr-1 {2}/);
  gridLast(ui);
  await expect.poll(frame).toContain('▸ amr-24');
  openCell(ui);
  expect(ui.views.get().current.place).toEqual({ screen: 'robot', robotId: 'id-amr-24' });
});

test('pages of cells are as long as what is seen, stay in their column, and end at the last cell', async () => {
  using shown = screen({ columns: 22, rows: 10 });
  const statuses = Array.from({ length: 195 }, () => 'waiting');
  shown.ordered(order({ total: 195, waiting: 195 }), statuses);
  const { ui, frame } = shown;
  // Five rows of twenty cells.
  await expect.poll(frame).toContain('▸ amr-0');
  gridRight(ui);
  pressKey(ui, 'pgdn');
  await expect.poll(frame).toContain('▸ id-amr-81');
  pressKey(ui, 'ctrl-u');
  await expect.poll(frame).toContain('▸ id-amr-41');
  pressKey(ui, 'pgup');
  await expect.poll(frame).toMatch(/▸ amr-1 {2}/);
  pressKey(ui, 'pgdn');
  pressKey(ui, 'pgdn');
  pressKey(ui, 'ctrl-d');
  await expect.poll(frame).toContain('▸ id-amr-194');
});

test.each([
  { columns: 60, rows: 12 },
  { columns: 100, rows: 27 },
])('of ten thousand robots those are drawn that have room in $columns x $rows, around the cursor', async (size) => {
  using shown = screen({ ...size, isAscii: true });
  const statuses = Array.from({ length: 10_000 }, (_, index) => (index === 9_999 ? 'failed' : 'waiting'));
  shown.ordered(order({ total: 10_000, waiting: 9_999, failed: 1 }), statuses);
  await expect.poll(shown.frame).toContain('> amr-0');
  expect(shown.frame()).toContain('F 1 failed');
  gridLast(shown.ui);
  await expect.poll(shown.frame).toContain('id-amr-9999');
  expect(shown.lines().length).toBeLessThanOrEqual(size.rows);
  for (const line of shown.lines()) expect(stringWidth(line)).toBeLessThanOrEqual(size.columns);
});

test('orders of releases and of configs stand in one list, the newest first', async () => {
  const { ui, feeds } = fakeUi({ place: { screen: 'deployments' } });
  const shown = render(deploymentsScreen.draw({ ui, view: ui.views.get().current, columns: 140, rows: 20 }));
  const frame = () => stripVTControlCharacters(shown.lastFrame() ?? '');
  feeds.deployments.fill([
    order({ total: 24, applied: 12, waiting: 12 }, { waiting_on: { code: 'robots_working' } }),
  ] as never);
  expect(frame()).not.toContain('12/24');
  const config = {
    ...order({}, { id: 'dep-2', status: 'scheduled', created_at: new Date().toISOString() }),
    namespace: 'default',
    key: 'nav.max_speed',
    revision: 3,
  };
  feeds.configDeployments.fill([config] as never);
  feeds.releases.fill([{ id: 'rel-1', tag: 'nav-1.8.2' } as never]);
  feeds.fleets.fill([{ id: 'fleet', name: 'pickers' } as never]);
  await expect.poll(frame).toMatch(/default\/nav\.max_speed #3[^]*nav-1\.8\.2/);
  expect(frame()).toMatch(/◌ in progress +nav-1\.8\.2 +fleet pickers +12\/24 █+─+ +robots are working on it/);
  expect(frame()).toContain('○ scheduled');

  // What a row is called by other lists is searched as it is now.
  ui.views.setList({ filter: 'release:nav-1.9' });
  shown.rerender(deploymentsScreen.draw({ ui, view: ui.views.get().current, columns: 140, rows: 20 }));
  await expect.poll(frame).toContain('0 of 2 match');
  feeds.releases.fill([{ id: 'rel-1', tag: 'nav-1.9.0' } as never]);
  await expect.poll(frame).toMatch(/◌ in progress +nav-1\.9\.0/);
  shown.unmount();
});

test('what goes on stands above what ended, and what the service ordered itself is marked and can be left out', async () => {
  const { ui, feeds } = fakeUi({ place: { screen: 'deployments' } });
  const at = (minute: number) => `2026-11-21T09:0${minute}:00.000Z`;
  const cause = { kind: 'enrolled', deployment_id: 'dep-0' };
  const robot = { target_kind: 'robot', target_id: 'id-amr-7' } as const;
  feeds.deployments.fill([
    order({}, { id: 'dep-3', status: 'applied', created_at: at(3) }),
    order({}, { id: 'dep-2', status: 'applied', created_at: at(2), caused_by: cause, ...robot }),
    order({}, { id: 'dep-1', created_at: at(1) }),
  ] as never);
  feeds.configDeployments.fill([]);
  feeds.robots.fill([robotNamed('amr-7')]);
  const draw = () => deploymentsScreen.draw({ ui, view: ui.views.get().current, columns: 100, rows: 20 });
  const shown = render(draw());
  const frame = () => stripVTControlCharacters(shown.lastFrame() ?? '');
  await expect.poll(frame).toMatch(/in progress[^]*applied +rel-1 +fleet[^]*applied +rel-1 \(enrolled\) +robot/);
  ui.views.setList({ filter: '!cause:enrolled' });
  shown.rerender(draw());
  await expect.poll(frame).toContain('2/3');
  expect(frame()).not.toContain('robot');
  shown.unmount();
});

test('a bar is drawn where it has room as a whole, and never cut', () => {
  const half = order({ total: 24, applied: 12, waiting: 12 });
  const bar = '12/24 █████─────';
  for (const [cells, text] of [
    [undefined, bar],
    [16, bar],
    [15, '12/24'],
  ] as const)
    expect(endedText({ deploymentKind: 'release', deployment: half }, 10, unicode.signs, cells)).toBe(text);
});

test('failed robots come first, with their reasons and what they said, before the events and in the list', async () => {
  using shown = screen({ columns: 80, rows: 24 });
  shown.ordered(order({ total: 5, applied: 2, failed: 2, rolled_back: 1 }), []);
  const reasons = { failed: 'no_space', rolled_back: 'start_failed' } as const;
  const targets = targetsOf(['applied', 'failed', 'applied', 'rolled_back', 'failed']).map((target) => {
    const reason = target.status === 'applied' ? undefined : reasons[target.status as keyof typeof reasons];
    return reason === undefined ? target : { ...target, reason, message: `said ${target.robot_id}\nmore` };
  });
  shown.feeds.targets('release', 'dep-1').feed(targets as never);
  await expect.poll(shown.frame).toContain('▲ Failed: 2 no space, 1 start failed');
  expect(shown.frame()).toMatch(/ amr-1 +no space +said id-amr-1\n +amr-3 +start failed +said id-amr-3\n/);
  shown.ui.views.setTab('Robots');
  const table = deploymentScreen.table?.(shown.ui, shown.ui.views.get().current);
  expect(table?.source.get().value?.map((row: unknown) => table.name(row))).toEqual([
    'amr-1',
    'amr-3',
    'amr-4',
    'amr-0',
    'amr-2',
  ]);
});

/** A rollout of these many waves of one robot each, of which the current one and those before it have begun. */
const rolloutOf = (waves: number, wave: number): Partial<Deployment> => ({
  rollout: {
    wave,
    waves: Array.from({ length: waves }, (_, index) => ({
      number: index + 1,
      name: `step ${index + 1}`,
      counts: { ...none, total: 1, ...(index + 1 < wave ? { applied: 1 } : { waiting: 1 }) },
      ...(index < wave && { started_at: new Date(Date.now() - 60_000).toISOString() }),
    })),
  } as unknown as NonNullable<Deployment['rollout']>,
});

test('the waves of a rollout stand above the cells, with the robots that are offline', async () => {
  using shown = screen();
  shown.feeds.targets('release', 'dep-1').feed([
    { robot_id: 'id-amr-0', status: 'applied', wave: 1 },
    { robot_id: 'id-amr-1', status: 'waiting', wave: 2, waiting_on: { code: 'offline' } },
  ] as never);
  shown.feeds.deployments.fill([order({ total: 3, applied: 1, waiting: 2 }, rolloutOf(3, 2))]);
  await expect.poll(shown.frame).toContain('offline');
  const lines = shown.lines().map((line) => line.trimEnd());
  const begin = lines.findIndex((line) => line.startsWith(' WAVE'));
  expect(lines.slice(begin, begin + 6)).toEqual([
    ' WAVE  NAME    ROBOTS  STATE                     BEGAN',
    ' 1     step 1  1       ended: 1 applied          1m ago',
    ' 2     step 2  1       0 of 1 ended · 1 offline  1m ago',
    ' 3     step 3  1       not begun',
    '',
    ' ▸A .',
  ]);
});

test.each([
  { rows: 28, shown: ['step 7', 'step 8', 'step 9', 'step 10', 'step 11', 'step 12', 'step 13'] },
  { rows: 16, shown: [] },
])('of many waves those around the current one are drawn in $rows rows: $shown', async ({ rows, shown: names }) => {
  using shown = screen({ rows });
  shown.ordered(order({ total: 21, applied: 9, waiting: 12 }, rolloutOf(21, 10)), Array(21).fill('waiting'));
  await expect.poll(shown.frame).toContain('▸.');
  expect(shown.frame().match(/step \d+/g) ?? []).toEqual(names);
});

test('windows that a deployment ignores have a line that says so, also without a rollout', async () => {
  using shown = screen();
  const { rollout } = rolloutOf(2, 1);
  const ignored_windows = { activate: [{ cron: '0 22 * * *', duration: '6h' }], zone: 'UTC', at_end: 'finish' };
  const of = (more: object) => order({ total: 2, waiting: 2 }, { ignore_windows: true, ...more });
  shown.feeds.deployments.fill([of({ rollout: { ...rollout, ignored_windows } as never })]);
  await expect.poll(shown.frame).toMatch(/ Window +0 22 \* \* \* for 6h, UTC, finish at the end, ignored\n/);
  shown.feeds.deployments.fill([of({})]);
  await expect.poll(shown.frame).toMatch(/ Window +ignored\n/);
});

test('robots whose agent asks no gates wait for a newer agent where gates are required, unless it goes to them too', async () => {
  using shown = screen();
  const { rollout } = rolloutOf(2, 1);
  const gates = { max_wait: '30m', required: true };
  const of = (more: object) => order({ total: 2, waiting: 2 }, { rollout: { ...rollout, gates } as never, ...more });
  shown.feeds.deployments.fill([of({})]);
  await expect.poll(shown.frame).toMatch(/ Gates .*, robots whose agent asks no gates wait for a newer agent\n/);
  shown.feeds.deployments.fill([of({ allow_ungated: true })]);
  await expect.poll(shown.frame).toMatch(/ Gates +\S+ after 30m\n/);
});

test('what a deployment retries, that it may be a downgrade, and the pace and approval of its rollout have a line each', async () => {
  using shown = screen();
  const { rollout } = rolloutOf(2, 1);
  const rules = { pace: { per_minute: 10 }, approval: { people: 2, role: 'admin', expires: '1d' } };
  const retry = { attempt: 1, attempts: 3, reasons: ['failed'], backoff: '0s', reason: 'repaired' };
  const more = {
    rollout: { ...rollout, ...rules } as never,
    urgent: true,
    allow_downgrade: true,
    retry_of: 'dep-0',
    retry,
  };
  shown.feeds.deployments.fill([order({ total: 2, waiting: 2 }, more), order({}, { id: 'dep-0' })]);
  await expect.poll(shown.frame).toMatch(/ Retry of +nav-1\.8\.2, dep-0 +attempt 1 of 3: repaired\n/);
  expect(shown.frame()).toMatch(/ Pace +10\/min, ignored: urgent\n/);
  expect(shown.frame()).toMatch(/ Downgrade +allowed\n/);
  expect(shown.frame()).toMatch(/ Approval +2 of role admin within 1d\n/);
  expect(shown.lines().length).toBeLessThanOrEqual(28);
});

test('the retries and rollbacks of a deployment are counted above, listed on a tab, and enter opens one', async () => {
  using shown = screen();
  const { ui, feeds } = shown;
  const [own, retry, again, back] = [
    order({ total: 2, failed: 2 }, { status: 'failed' }),
    order({ total: 2, failed: 2 }, { id: 'dep-2', retry_of: 'dep-1', status: 'failed' }),
    order({ total: 2, waiting: 2 }, { id: 'dep-3', retry_of: 'dep-1' }),
    order({ total: 1, applied: 1 }, { id: 'dep-4', rollback_of: 'dep-1', status: 'applied', release_id: 'rel-0' }),
  ];
  feeds.deployments.fill([own, retry, again, back, order({}, { id: 'dep-5', caused_by: { kind: 'moved', deployment_id: 'dep-3' } })]); // prettier-ignore
  await expect.poll(shown.frame).toMatch(/ Retries +1 failed, 1 in progress, on the tab Related\n/);
  expect(shown.frame()).toMatch(/ Rollbacks +1 applied, on the tab Related\n/);
  pressKey(ui, 'shift-tab');
  shown.redraw();
  await expect.poll(shown.frame).toMatch(/retried by +\S failed +nav-1\.8\.2/);
  expect(shown.frame()).toMatch(/retried by +\S in progress/);
  expect(shown.frame()).toMatch(/rolled back by +\S applied +rel-0/);
  expect(shown.frame()).not.toContain('caused');
  for (const key of ['j', 'enter']) pressKey(ui, key);
  expect(ui.views.get().current.place).toMatchObject({ screen: 'deployment', deployment: { id: 'dep-3' } });
  pressKey(ui, 'shift-tab');
  shown.redraw();
  await expect.poll(shown.frame).toMatch(/retry of +\S failed/);
  expect(shown.frame()).toMatch(/caused +\S in progress/);
});

test.each(['Robots', 'Events'])('the list of the tab %s follows what is polled now, not what was evicted', (tab) => {
  using shown = screen();
  const { ui, feeds } = shown;
  let round = 'first';
  Object.assign(ui.data, { targets: () => feeds.targets(round), events: () => feeds.events(round) });
  ui.views.setTab(tab);
  const { source } = deploymentScreen.table?.(ui, ui.views.get().current) ?? { source: undefined };
  let changes = 0;
  round = 'second';
  source?.subscribe(() => (changes += 1));
  feeds[tab === 'Robots' ? 'targets' : 'events']('second').feed([{ robot_id: 'id-amr-1', status: 'applied' }] as never);
  expect(source?.get().value).toMatchObject([{ robot: 'amr-1' }]);
  expect(changes).toBe(1);
});

test('why a deployment is paused has a line of its own where the first one has no room', async () => {
  using shown = screen({ columns: 80, rows: 24 });
  const since = new Date().toISOString();
  const paused = { code: 'wave_failed', since, reason: 'wave 1: 1 of 3 robots did not apply it' };
  const wait = { waiting_on: { code: 'paused' }, paused, status: 'paused' };
  shown.ordered(order({ total: 20, applied: 2, rolled_back: 1, waiting: 17 }, wait), []);
  await expect
    .poll(shown.frame)
    .toMatch(/17 waiting\n it is paused: wave failed: wave 1: 1 of 3 robots did not apply it\n/);
});
