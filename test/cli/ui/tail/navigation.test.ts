import { readFile, stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { TailLine } from '../../../../cli/ui/data/data.ts';
import {
  cycleLevel,
  down,
  pageUp,
  searchNext,
  searchPrevious,
  toFirst,
  toLast,
  toggleFollow,
  togglePause,
  up,
} from '../../../../cli/ui/tail/navigation.ts';
import { saveLines } from '../../../../cli/ui/tail/save.ts';
import { robotsLeftOut, tailRobots } from '../../../../cli/ui/tail/sources.ts';
import { linesAt, linesShown, tailPane } from '../../../../cli/ui/tail/window.ts';
import { fakeUi, logLines, robotNamed } from '../../../support/fake-ui.ts';
import { pressAll } from '../../../support/ui-data-harness.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const rows = 10;

/** A tail of a robot on the screen, and the lines that are seen of it. */
function tailed(lineCount: number) {
  const fake = fakeUi({ place: { screen: 'robot', robotId: 'id-amr-007' } });
  fake.feeds.robots.fill([robotNamed('amr-007')]);
  fake.tail.add(logLines(1, lineCount));
  const view = () => fake.ui.views.get().current;
  const pane = tailPane(fake.ui, view().key);
  pane.rows = rows;
  const seen = () => {
    const window = pane.window.get();
    return linesShown(window.paused ?? fake.tail.get(), window, rows, () => 1).map(({ number }) => number);
  };
  return { ...fake, pane, seen, window: () => pane.window.get() };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('a tail follows the newest line, stays where one moves to, and follows again from its end', () => {
  const { ui, tail, seen, window } = tailed(100);
  expect(seen()).toEqual(range(91, 100));
  tail.add(logLines(101, 5));
  expect(seen()).toEqual(range(96, 105));
  up(ui);
  tail.add(logLines(106, 50));
  expect(seen()).toEqual(range(95, 104));
  pageUp(ui);
  expect(seen()).toEqual(range(86, 95));
  down(ui);
  expect(seen()).toEqual(range(87, 96));
  toLast(ui);
  expect(window().end).toBeUndefined();
  tail.add(logLines(156, 1));
  expect(seen()).toEqual(range(147, 156 + 0));
});

test('at its beginning there is no way further up, and the first key down moves again', () => {
  const { ui, seen } = tailed(100);
  toFirst(ui);
  up(ui);
  up(ui);
  expect(seen()).toEqual(range(1, 10));
  down(ui);
  expect(seen()).toEqual(range(2, 11));
});

test('lines that fall out of memory take the place with them', () => {
  const { ui, tail, seen } = tailed(100);
  up(ui);
  tail.add(logLines(101, 6_000));
  expect(seen()).toEqual(range(1_101, 1_110));
});

test('a paused tail holds what was there, even what has fallen out since, until it goes on', () => {
  const { ui, tail, seen, window } = tailed(100);
  togglePause(ui);
  tail.add(logLines(101, 6_000));
  expect(seen()).toEqual(range(91, 100));
  up(ui);
  expect(seen()).toEqual(range(90, 99));
  down(ui);
  // At the end of what is held it does not go on by itself.
  expect(window().paused).toBeDefined();
  togglePause(ui);
  expect(seen()).toEqual(range(6_091, 6_100));
  toggleFollow(ui);
  tail.add(logLines(6_101, 3));
  expect(seen()).toEqual(range(6_091, 6_100));
});

test('the level hides records below it, and never a gap', () => {
  const { ui, tail, seen } = tailed(3);
  const gap: TailLine = {
    kind: 'note',
    robotId: 'id-amr-007',
    at: '2026-11-21T09:00:00Z',
    text: '9 lost',
    isGap: true,
  };
  tail.add([
    ...logLines(4, 1, { level: 'error' }),
    gap,
    ...logLines(6, 1, { level: 'warn' }),
    ...logLines(7, 1, { level: 'debug' }),
  ]);
  cycleLevel(ui);
  expect(seen()).toEqual([1, 2, 3, 4, 5, 6]);
  cycleLevel(ui);
  expect(seen()).toEqual([4, 5, 6]);
  cycleLevel(ui);
  expect(seen()).toEqual([4, 5]);
  cycleLevel(ui);
  expect(seen()).toEqual(range(1, 7));
});

test('a search begins with the newest line that has the text, goes both ways, and on at the other end', () => {
  const { ui, tail, seen, window } = tailed(40);
  tail.add(logLines(41, 1, { text: ' Motor (left) stalled' }));
  tail.add(logLines(42, 40));
  tail.add(logLines(82, 1, { text: ' motor (LEFT) stalled' }));
  tail.add(logLines(83, 40));
  searchNext(ui);
  expect(ui.notice.get()?.text).toBe('Press / and type a text or a regular expression to search for');
  ui.views.setList({ filter: 'fleet:pickers motor (left)' });
  const found: (number | undefined)[] = [];
  for (const go of [searchNext, searchPrevious, searchPrevious, searchNext]) {
    go(ui);
    found.push(window().match);
    expect(seen()).toContain(window().match);
  }
  expect(found).toEqual([82, 41, 82, 41]);
  ui.views.setList({ filter: 'nobody says that' });
  searchNext(ui);
  expect(ui.notice.get()?.text).toMatch(/^No line matches /);
});

test('what is saved is harmless on a terminal, and takes the place of no file', async () => {
  await using folder = await tempDir();
  const { tail } = tailed(0);
  tail.add(logLines(1, 1, { text: ' \u001b]52;c;AAAA\u0007' }));
  const lines = linesAt(tail.get(), undefined);
  const paths = [1, 2].map(() => saveLines(lines, folder.path, '../amr 7', () => 'amr-007'));
  const [one = '', other = ''] = await Promise.all(paths);
  expect(one).not.toBe(other);
  expect(one).toMatch(/\/_amr_7-\d{8}T\d{6}Z(_2)?\.log$/);
  expect((await stat(one)).mode & 0o777).toBe(0o600);
  expect(await readFile(one, 'utf8')).toBe(
    '2026-11-21T09:00:00.000Z\tamr-007\tinfo\tjournal\tline 1 \u241b]52;c;AAAA\u2407\n',
  );
});

test('logs of many are those of the marked robots, else of a fleet, else of those that are online', () => {
  const { ui, feeds } = fakeUi({ place: { screen: 'robots' } });
  const view = () => ui.views.get().current;
  ui.views.setList({ marks: new Set(['id-b', 'id-c']) });
  ui.views.go({ screen: 'logs' });
  expect(tailRobots(ui, view())).toBeUndefined();
  feeds.robots.fill([
    robotNamed('a'),
    robotNamed('b'),
    robotNamed('c', { online: false }),
    robotNamed('d', { fleet_id: 'other' }),
  ]);
  feeds.sites.fill([]);
  feeds.fleets.fill([{ id: 'fleet', name: 'pickers' } as never, { id: 'other', name: 'movers' } as never]);
  expect(tailRobots(ui, view())).toEqual(['id-b', 'id-c']);
  ui.views.setList({ filter: 'fleet:movers motor' });
  expect(tailRobots(ui, view())).toEqual(['id-d']);
  ui.views.setList({ filter: '!fleet:movers' });
  expect(tailRobots(ui, view())).toEqual(['id-a', 'id-b', 'id-c']);
  const { ui: other, feeds: otherFeeds } = fakeUi({ place: { screen: 'logs' } });
  otherFeeds.robots.fill([robotNamed('a'), robotNamed('c', { online: false })]);
  const chosen = tailRobots(other, other.views.get().current);
  expect(chosen).toEqual(['id-a']);
  otherFeeds.robots.fill([robotNamed('a'), robotNamed('c')]);
  // Who comes later does not begin the tail anew.
  expect(tailRobots(other, other.views.get().current)).toBe(chosen);
});

test('a choice without a robot is made again, one that lacks some says so, and r makes it again', () => {
  const { ui, feeds } = fakeUi({ place: { screen: 'logs' } });
  const chosen = () => tailRobots(ui, ui.views.get().current);
  const leftOut = () => robotsLeftOut(ui, ui.views.get().current);
  feeds.robots.fill([robotNamed('a', { online: false }), robotNamed('b', { online: false })]);
  expect(chosen()).toEqual([]);
  feeds.robots.fill([robotNamed('a'), robotNamed('b', { online: false })]);
  expect(chosen()).toEqual(['id-a']);
  expect(leftOut()).toBeUndefined();
  feeds.robots.fill([robotNamed('a'), robotNamed('b')]);
  expect(chosen()).toEqual(['id-a']);
  expect(leftOut()).toEqual({ who: 'online', shown: 1, count: 2 });
  pressAll({ ui }, 'r');
  expect(chosen()).toEqual(['id-a', 'id-b']);
});

test('after a sign-in to another org, neither its robots nor its marks choose', () => {
  const { ui, feeds } = fakeUi({ place: { screen: 'robots' } });
  const chosen = () => tailRobots(ui, ui.views.get().current);
  feeds.robots.fill([robotNamed('a'), robotNamed('b')]);
  ui.views.setList({ marks: new Set(['id-a']) });
  ui.views.go({ screen: 'logs' });
  expect(chosen()).toEqual(['id-a']);
  feeds.robots.fill([robotNamed('x'), robotNamed('y')]);
  expect(chosen()).toEqual(['id-x', 'id-y']);
});
