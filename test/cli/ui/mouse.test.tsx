import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { App } from '../../../cli/ui/App.tsx';
import { handleKeystroke } from '../../../cli/ui/actions/key-dispatch.ts';
import { keystrokeOf } from '../../../cli/ui/actions/keys.ts';
import { keySplitter } from '../../../cli/ui/terminal/key-splitter.ts';
import type { Place } from '../../../cli/ui/views.ts';
import { fakeUi, fleet, logLines, robotNamed, site } from '../../support/fake-ui.ts';
import { pressAll } from '../../support/ui-data-harness.ts';

/** The whole interface as drawn, with a mouse whose events are those of a terminal. */
function start(place: Place = { screen: 'robots' }, size = { columns: 120, rows: 30 }) {
  const fake = fakeUi({ place, size });
  fake.feeds.sites.fill([site('north', 'North'), site('south', 'South')]);
  fake.feeds.fleets.fill([fleet('pickers', 'north', 'Pickers')]);
  fake.feeds.robots.fill(
    Array.from({ length: 60 }, (_, index) => robotNamed(`amr-${100 + index}`, { online: index !== 3, site_id: 'north', fleet_id: 'pickers' })), // prettier-ignore
  );
  for (const feed of [fake.feeds.deployments, fake.feeds.configDeployments, fake.feeds.releases]) feed.fill([]);
  const shown = render(<App ui={fake.ui} />);
  const lines = () => stripVTControlCharacters(shown.lastFrame() ?? '').split('\n');
  const send = (button: number, column: number, row: number) => {
    keySplitter((keys) => {
      for (const key of keys) {
        const keystroke = keystrokeOf(key);
        if (keystroke) handleKeystroke(fake.ui, keystroke);
      }
    }).feed(`\u001b[<${button};${column + 1};${row + 1}M\u001b[<${button};${column + 1};${row + 1}m`);
  };
  return {
    ...fake,
    lines,
    place: () => fake.ui.views.get().current.place,
    list: () => fake.ui.views.get().current.list,
    wheel: (button: 64 | 65, row = 10) => send(button, 5, row),
    /** A click on the first cell of a text on the screen. */
    async click(text: string, { button = 0, from = 0 } = {}) {
      await expect.poll(() => lines().slice(from).join('\n')).toContain(text);
      const row = lines().findIndex((line, index) => index >= from && line.includes(text));
      send(button, (lines()[row] ?? '').indexOf(text), row);
    },
    [Symbol.dispose]: () => shown.unmount(),
  };
}

test('a click on a tab opens its screen, on a row moves the cursor there, and on that row again opens it', async () => {
  using shown = start({ screen: 'overview' });
  await shown.click('2 Robots');
  expect(shown.place()).toEqual({ screen: 'robots' });
  await shown.click('amr-104');
  expect(shown.list().cursorId).toBe('id-amr-104');
  await shown.click('amr-104');
  expect(shown.place()).toEqual({ screen: 'robot', robotId: 'id-amr-104' });
});

test('a click on a title sorts by it, and again in reverse', async () => {
  using shown = start();
  await shown.click('STATE');
  expect(shown.list().sort).toEqual({ title: 'state', isReverse: false });
  await shown.click('STATE');
  expect(shown.list().sort).toEqual({ title: 'state', isReverse: true });
});

test.each([
  [120, 40],
  [80, 40],
])('on the overview at %ix%i a click goes to the list that it is on', async (columns, rows) => {
  using shown = start({ screen: 'overview' }, { columns, rows });
  await shown.click('amr-103', { from: 4 });
  expect(shown.ui.views.get().current.tab).toBe('Unhealthy robots');
  await shown.click('amr-103', { from: 4 });
  expect(shown.place()).toEqual({ screen: 'robot', robotId: 'id-amr-103' });
});

test('the wheel moves over rows, lines of logs and texts', async () => {
  using shown = start();
  await shown.click('amr-101');
  shown.wheel(65);
  expect(shown.list().cursorId).toBe('id-amr-104');
  shown.wheel(64);
  expect(shown.list().cursorId).toBe('id-amr-101');
  shown.ui.views.go({ screen: 'logs' });
  shown.tail.add(logLines(1, 200));
  await expect.poll(() => shown.lines().join('\n')).toContain('line 200');
  shown.wheel(64);
  await expect.poll(() => shown.lines().join('\n')).not.toContain('line 200');
  pressAll(shown, '?');
  await expect.poll(() => shown.lines().join('\n')).toMatch(/ 1-\d+ of/);
  shown.wheel(65);
  await expect.poll(() => shown.lines().join('\n')).toMatch(/ 4-\d+ of/);
});

test('no click does anything while a dialog is open, with another button, or while the mouse is off', async () => {
  using shown = start();
  await shown.click('amr-104', { button: 2 });
  expect(shown.list().cursorId).toBeUndefined();
  pressAll(shown, 'C');
  await shown.click('1 Overview');
  expect(shown.place()).toEqual({ screen: 'robots' });
  pressAll(shown, 'esc', 'm');
  expect(shown.ui.preferences.get().mouse).toBe(false);
  expect(shown.listened).toEqual([false]);
  await shown.click('1 Overview');
  expect(shown.place()).toEqual({ screen: 'robots' });
  pressAll(shown, 'm');
  await shown.click('1 Overview');
  expect(shown.place()).toEqual({ screen: 'overview' });
});

test('a click on a topic opens that one, and one on its messages none', async () => {
  using shown = start({ screen: 'robot', robotId: 'id-amr-101' });
  const topics = ['/a', '/imu', '/scan'].map((name) => ({ name, type: 'a/B', source: 'ros1://m' }));
  shown.feeds.topics('id-amr-101').feed({ topics, nodes: [] } as never);
  shown.ui.views.setTab('Topics');
  await shown.click('/scan');
  expect(shown.list().cursorId).toBe('/scan ros1://m');
  await shown.click('/scan');
  await shown.click('No messages yet.');
  await shown.click('/imu');
  expect(shown.list().cursorId).toBe('/imu ros1://m');
});
