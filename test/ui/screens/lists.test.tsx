import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import stringWidth from 'string-width';
import { afterEach, expect, test } from 'vitest';
import { screenOf } from '../../../cli/ui/screens/index.ts';
import { fleet, neverSeen, robot, site, startScene } from '../scene.ts';

const open: (() => void)[] = [];
afterEach(() => open.splice(0).forEach((end) => end()));

/** The body of the screen that one is at, as it is drawn. */
function draw({ ui }: ReturnType<typeof startScene>): () => string {
  const { columns, rows } = ui.terminal.size.get();
  const { current: view } = ui.views.get();
  const { lastFrame, unmount } = render(screenOf(view.place.screen).draw({ ui, view, columns, rows }));
  open.push(unmount);
  return () => stripVTControlCharacters(lastFrame() ?? '');
}

function fillFleet({ ui, fill }: ReturnType<typeof startScene>): void {
  fill(ui.data.sites, [site('north', 'North'), site('south', 'South')]);
  fill(ui.data.fleets, [fleet('pickers', 'north', 'Pickers')]);
  fill(ui.data.robots, [robot('amr-1'), robot('amr-2', { online: false }), neverSeen('amr-3'), robot('\u001b]52;x', { duplicate_agent_at: '2026-11-21T09:00:00Z' })]); // prettier-ignore
}

test.each([
  [200, 50],
  [100, 30],
  [60, 15],
])('a list at %ix%i has no line longer than the terminal and no more lines than it', (columns, rows) => {
  const scene = startScene({ size: { columns, rows } });
  fillFleet(scene);
  const lines = draw(scene)().split('\n');
  expect(lines.length).toBeLessThanOrEqual(rows);
  expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
  expect(lines.find((line) => line.includes('amr-2'))).toMatch(/○ offline/);
});

test('states are told by signs and words, and what a robot is called obeys nothing', () => {
  const scene = startScene();
  fillFleet(scene);
  const frame = draw(scene)();
  expect(frame).toMatch(/▸ {2}amr-1 +● online +Pickers +North/);
  expect(frame).toContain('? never seen');
  expect(frame).toMatch(/␛\]52;x +▲ degraded/);
  expect(frame).toContain('4 robots');
});

test('without other signs than ASCII nothing else is drawn', () => {
  const scene = startScene({ isAscii: true });
  scene.fill(scene.ui.data.robots, [robot('amr-1'), robot('amr-2', { online: false })]);
  expect(draw(scene)()).toMatch(/^[\x20-\x7e\n]*$/);
});

test('an empty list says what to do next', () => {
  const scene = startScene();
  scene.fill(scene.ui.data.robots, []);
  const frame = draw(scene)();
  expect(frame).toContain('No robots yet.');
  expect(frame).toContain('enrollment key');
});

test('a filter that leaves nothing says of how many, and what clears it', () => {
  const scene = startScene({ place: { screen: 'robots', filter: 'name:zzz' } });
  fillFleet(scene);
  expect(draw(scene)()).toContain('0 of 4 match. esc clears.');
});

test('a list that failed before anything came says why, what to do, and the request', () => {
  const scene = startScene();
  const trouble = { message: 'it broke', hint: 'try later', code: 'internal_server_error', requestId: 'r-1' } as const;
  scene.set(scene.ui.data.robots, { value: undefined, freshness: { kind: 'failed', trouble } });
  const frame = draw(scene)();
  expect(frame).toContain('it broke');
  expect(frame).toContain('try later');
  expect(frame).toContain('request r-1');
});

test('a list that cannot be asked for any more stays, and says of when it is', () => {
  const scene = startScene();
  fillFleet(scene);
  const { value } = scene.ui.data.robots.get();
  const trouble = { message: 'nobody answers', code: 'http_error' } as const;
  const atMs = scene.clock.nowMs;
  scene.set(scene.ui.data.robots, { value, freshness: { kind: 'stale', atMs, trouble } });
  const frame = draw(scene)();
  expect(frame).toContain('amr-1');
  expect(frame).toMatch(/as of \d\d:\d\d:\d\d/);
});

test('a list that nobody renewed for long is not told as live', () => {
  const scene = startScene();
  fillFleet(scene);
  scene.clock.nowMs += 60_000;
  expect(draw(scene)()).toMatch(/as of \d\d:\d\d:\d\d/);
});

test('sites hold their fleets and count their robots, and Enter goes to those', () => {
  const scene = startScene({ place: { screen: 'places' } });
  fillFleet(scene);
  const frame = draw(scene)();
  expect(frame).toMatch(/ North +site +2\/4/);
  expect(frame).toMatch(/ {3}Pickers +fleet +2\/4/);
  const { ui } = scene;
  const table = screenOf('places').table?.(ui, ui.views.get().current);
  table?.open?.(ui, table.source.get().value?.[1]);
  expect(ui.views.get().current.place).toEqual({ screen: 'robots', filter: 'fleet:=Pickers site:=North' });
});

test('what comes later is drawn', async () => {
  const scene = startScene();
  const frame = draw(scene);
  await expect.poll(frame).toContain('─');
  fillFleet(scene);
  await expect.poll(frame).toContain('amr-1');
});
