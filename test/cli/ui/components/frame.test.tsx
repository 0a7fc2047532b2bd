import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { ConnectionState, Robot } from '../../../../cli/ui/data/data.ts';
import type { Failure } from '../../../../cli/ui/data/freshness.ts';
import { App } from '../../../../cli/ui/App.tsx';
import type { Size, Ui } from '../../../../cli/ui/ui.ts';
import type { Place } from '../../../../cli/ui/views.ts';
import { fakeUi, logLines, robotNamed } from '../../../support/fake-ui.ts';

interface Start {
  place?: Place;
  size?: Size;
  isAscii?: boolean;
  robots?: readonly Robot[];
}

/** The whole interface, as it is drawn. */
function start({
  place = { screen: 'robots' },
  size = { columns: 100, rows: 30 },
  isAscii = false,
  robots,
}: Start = {}) {
  const fake = fakeUi({ place, size, isAscii });
  const { ui, feeds } = fake;
  feeds.whoami.feed({ org: { name: 'acme' } } as never);
  feeds.robots.fill(robots ?? [robotNamed('amr-007'), robotNamed('amr-019', { online: false })]);
  const shown = render(<App ui={ui} />);
  const frame = () => stripVTControlCharacters(shown.lastFrame() ?? '');
  return {
    ...fake,
    painted: () => shown.lastFrame() ?? '',
    frame,
    lines: () => frame().split('\n'),
    connect: feeds.connection.set,
    resize: fake.size.set,
    [Symbol.dispose]: () => shown.unmount(),
  };
}

const failure: Failure = {
  message: 'connect ECONNREFUSED 127.0.0.1:8080',
  hint: 'Is it there?',
  code: 'http_error',
  requestId: 'r-1',
};
const inMs = ({ data }: Ui, ms: number) => data.now() + ms;

test('the first line says where one is, whose that is, how the way to it is, and that nothing can be changed yet', async () => {
  using shown = start();
  await expect
    .poll(() => shown.lines()[0])
    .toMatch(/^ Robots {3}acme · default +● live <20ms {3}READ-ONLY {3}\d\d:\d\d$/);
  shown.ui.writes.set(true);
  await expect.poll(() => shown.lines()[0]).toContain('WRITE');
  await expect.poll(() => shown.lines()[0]).not.toContain('READ-ONLY');
});

test('a clock that is off is told beside the time, which ages are told by', async () => {
  using shown = start();
  shown.feeds.clockAheadMs.set(10_800_000);
  await expect.poll(() => shown.lines()[0]).toMatch(/READ-ONLY {3}\d\d:\d\d \(clock 3h\S* ahead\)$/);
  shown.feeds.clockAheadMs.set(-7_000);
  await expect.poll(() => shown.lines()[0]).toMatch(/\(clock 7s behind\)$/);
});

test('where the first line has no room, whose it is goes first, and whether it is live and can be changed never', async () => {
  using shown = start({ place: { screen: 'robot', robotId: 'id-amr-007' }, robots: [robotNamed(`amr-${'7'.repeat(40)}`, { id: 'id-amr-007' })] }); // prettier-ignore
  shown.resize({ columns: 60, rows: 15 });
  await expect.poll(() => shown.lines()[0]).not.toContain('acme');
  expect(shown.lines()[0]).toMatch(/^ Robot: amr-7+… +● live <20ms {3}READ-ONLY$/);
});

test.each<[string, (ui: Ui) => ConnectionState, RegExp, RegExp | undefined]>([
  ['connecting', () => ({ kind: 'connecting' }), /◌ connecting/, undefined],
  ['live', () => ({ kind: 'live', latencyMs: 260 }), /● live 300ms/, undefined],
  [
    'reconnecting',
    (ui) => ({ kind: 'reconnecting', attempt: 3, nextAtMs: inMs(ui, 170_000), failure }),
    /◌ reconnecting/,
    /^ ◌ reconnecting 3, next in 2m \d+s · connect ECONNREFUSED 127\.0\.0\.1:8080 · request r-1 · http:\/\/127\.0\.0\.1:8080 \(from default\) · r retries now$/,
  ],
  [
    'resting',
    (ui) => ({ kind: 'resting', status: 429, nextAtMs: inMs(ui, 170_000), failure }),
    /◌ resting/,
    /^ ◌ the service limits the rate of requests, resuming in 2m \d+s · /,
  ],
  [
    'degraded',
    () => ({ kind: 'degraded', failure, latencyMs: 12 }) as ConnectionState,
    /▲ degraded/,
    /^ ▲ the service responds with errors · .* · request r-1 · Is it there\?$/,
  ],
  [
    'signed out',
    () => ({ kind: 'signedOut', failure }),
    /○ signed out/,
    /^ ○ signed out · .* · : then "Sign in" accepts a token$/,
  ],
])(
  'a way that is %s is told by a sign and a word, and what is wrong with it has a line',
  async (_, stateOf, way, banner) => {
    using shown = start({ size: { columns: 160, rows: 30 } });
    shown.connect(stateOf(shown.ui));
    await expect.poll(() => shown.lines()[0]).toMatch(way);
    await expect.poll(() => shown.lines()[2]).toMatch(banner ?? /NAME/);
    await expect.poll(shown.lines).toHaveLength(30);
  },
);

test.each<[string, (ui: Ui) => ConnectionState, RegExp]>([
  [
    'reconnecting',
    (ui) => ({ kind: 'reconnecting', attempt: 3, nextAtMs: inMs(ui, 170_000), failure }),
    /^ ◌ reconnecting 3, next in 2m \d+s · c.*… · r retries now$/,
  ],
  ['degraded', () => ({ kind: 'degraded', failure }), /^ ▲ the service responds with errors · c.*… · Is it there\?$/],
])('where there is no room for all of what is wrong (%s), what comes next stays whole', async (_, stateOf, banner) => {
  using shown = start({ size: { columns: 70, rows: 15 } });
  shown.connect(stateOf(shown.ui));
  await expect.poll(() => shown.lines()[2]).toMatch(banner);
});

test.each([
  [200, 50],
  [100, 30],
  [80, 24],
  [60, 15],
])('with something wrong at %ix%i there is no more than the terminal has room for', async (columns, rows) => {
  using shown = start({ size: { columns, rows } });
  shown.connect({ kind: 'reconnecting', attempt: 12, nextAtMs: inMs(shown.ui, 30_000), failure });
  shown.ui.notice.set({ text: 'a word '.repeat(60), tone: 'warn' });
  await expect.poll(shown.frame).toContain('a word a word');
  await expect.poll(shown.frame).toContain('reconnecting 12');
  expect(shown.lines()).toHaveLength(rows);
  expect(Math.max(...shown.lines().map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
  await expect.poll(shown.frame).toContain('amr-007');
});

test('the last line has as many keys as fit, the most important first, always the one for help, and brackets what is disabled', async () => {
  using shown = start({ size: { columns: 200, rows: 30 } });
  const wide = shown.lines().at(-1) ?? '';
  expect(wide).toMatch(/\(d deploy[^)]*\)/);
  shown.resize({ columns: 60, rows: 15 });
  await expect.poll(shown.lines).toHaveLength(15);
  const narrow = shown.lines().at(-1) ?? '';
  const help = /  \? help\s*$/;
  for (const line of [wide, narrow]) expect(line).toMatch(help);
  expect(narrow.replace(help, '')).not.toBe('');
  expect(wide.startsWith(narrow.replace(help, ''))).toBe(true);
  expect(wide.length).toBeGreaterThan(narrow.length);
  shown.ui.notice.set({ text: 'copied', tone: 'good' });
  await expect.poll(() => shown.lines().at(-1)).toBe(' copied');
});

test('a terminal that is too small says so and how large it has to be, and nothing else', async () => {
  using shown = start({ size: { columns: 59, rows: 15 } });
  await expect.poll(shown.frame).toBe('This terminal is 59x15. Make it 60x15 or larger; q quits.');
  shown.resize({ columns: 60, rows: 15 });
  await expect.poll(shown.lines).toHaveLength(15);
});

test('without colours nothing has one, and every state still has its sign and its word', async () => {
  using shown = start();
  shown.connect({ kind: 'reconnecting', attempt: 1, nextAtMs: inMs(shown.ui, 1_000), failure });
  await expect.poll(shown.frame).toContain('◌ reconnecting 1');
  expect(shown.painted()).not.toMatch(/\u001b\[[\d;]*(?:3[0-8]|4[0-8]|9\d|10\d)m/);
  await expect.poll(shown.frame).toMatch(/▸ {2}amr-007 +● online/);
  await expect.poll(shown.frame).toMatch(/amr-019 +○ offline/);
});

test('where there is ASCII alone every state has another sign', async () => {
  using shown = start({ isAscii: true });
  shown.connect({ kind: 'reconnecting', attempt: 1, nextAtMs: inMs(shown.ui, 1_000), failure });
  await expect.poll(shown.frame).toContain('% reconnecting 1');
  // These are no states: the painter of the terminal has others for them.
  expect(shown.frame().replaceAll(/[·…]/g, '-')).toMatch(/^[\x20-\x7e\n]*$/);
  await expect.poll(shown.frame).toMatch(/> {2}amr-007 +\* online/);
  await expect.poll(shown.frame).toMatch(/amr-019 +o offline/);
});

test('logs of many robots say of how many they are, and go on with each new line', async () => {
  using shown = start({ place: { screen: 'logs' }, size: { columns: 60, rows: 15 } });
  expect(shown.tailed.at(-1)).toEqual(['id-amr-007']);
  await expect.poll(shown.frame).toContain('No lines yet.');
  await expect.poll(shown.frame).toContain('1 robots, at most 50');
  shown.tail.add(logLines(1, 100));
  await expect.poll(() => shown.lines()[2]).toMatch(/^ ● live {2}100 lines$/);
  await expect.poll(() => shown.lines().at(-2)).toMatch(/line 100$/);
  shown.tail.add(logLines(101, 1));
  await expect.poll(() => shown.lines().at(-2)).toMatch(/line 101$/);
  await expect.poll(shown.lines).toHaveLength(15);
});

test('logs of nobody say how to choose somebody', async () => {
  using shown = start({ place: { screen: 'logs' }, robots: [] });
  await expect.poll(shown.frame).toContain('No robots selected.');
  await expect.poll(shown.frame).toContain('fleet:x');
});
