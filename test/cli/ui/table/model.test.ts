import { expect, test } from 'vitest';
import { screenOf } from '../../../../cli/ui/screens/index.ts';
import { tableModel } from '../../../../cli/ui/table/model.ts';
import { selectedIds, last, markAll, markRange, moveDown, sortNext, sortReverse, toggleMark } from '../../../../cli/ui/table/navigation.ts'; // prettier-ignore
import type { AnyTable } from '../../../../cli/ui/table/definition.ts';
import { fakeUi, neverSeen, robot } from '../../../support/fake-ui.ts';

function startList(ids: readonly string[]) {
  const scene = fakeUi();
  const { ui } = scene;
  const show = (shown: readonly string[]) => scene.feeds.robots.fill(shown.map((id) => robot(id))); // prettier-ignore
  show(ids);
  const table = screenOf('robots').table?.(ui, ui.views.get().current);
  if (!table) throw new Error('robots are a list');
  const model = () => tableModel(ui, ui.views.get().current, table);
  const move = (how: (ui: typeof scene.ui, table: AnyTable, rows: number) => void) => how(ui, table, 10);
  /** Longer than rows rest. */
  const wait = () => void (scene.clock.nowMs += 2000);
  return { ...scene, table, show, model, move, wait, cursor: () => model().ids[model().cursor] };
}

test('the cursor stays with its robot when rows come before it', () => {
  const { show, move, cursor, wait } = startList(['b', 'c']);
  move(moveDown);
  wait();
  show(['a', 'b', 'c']);
  expect(cursor()).toBe('c');
});

test('a cursor that was never moved stays with the robot it is shown on, until the filter is another', () => {
  const { ui, show, cursor, wait } = startList(['b', 'c']);
  expect(cursor()).toBe('b');
  wait();
  show(['a', 'b', 'c']);
  expect(cursor()).toBe('b');
  ui.views.setList({ filter: '!name:z' });
  expect(cursor()).toBe('a');
});

test('the cursor takes the row in place of one that is gone', () => {
  const { show, move, cursor, wait } = startList(['a', 'b', 'c']);
  move(moveDown);
  wait();
  show(['a', 'c']);
  expect(cursor()).toBe('c');
});

test('rows keep their place for a moment after a key, and come then', () => {
  const { show, move, model, wait } = startList(['b', 'c']);
  move(moveDown);
  show(['a', 'c', 'b']);
  expect(model().ids).toEqual(['b', 'c']);
  wait();
  expect(model().ids).toEqual(['a', 'b', 'c']);
});

test('rows keep their place while a dialog is open, but tell what is new of them', () => {
  const { ui, feeds, model, wait } = startList(['a', 'b']);
  expect(model().ids).toEqual(['a', 'b']);
  wait();
  ui.overlay.set({ kind: 'help' });
  feeds.robots.fill([robot('b', { online: false }), robot('c')]);
  expect(model().ids).toEqual(['a', 'b']);
  expect(model().items[1]).toMatchObject({ state: 'offline' });
  ui.overlay.set(undefined);
  expect(model().ids).toEqual(['b', 'c']);
});

test('a filter that is written in a dialog is followed at once', () => {
  const { ui, model } = startList(['a', 'b']);
  expect(model().ids).toEqual(['a', 'b']);
  ui.overlay.set({ kind: 'filter' });
  ui.views.setList({ filter: 'name:b' });
  expect(model().ids).toEqual(['b']);
});

test('what is chosen is what is marked, the robots that the filter hides included, else the one under the cursor', () => {
  const { ui, table, move, model } = startList(['a', 'b', 'c']);
  expect(selectedIds(ui, table)).toEqual(['a']);
  move(toggleMark);
  expect(selectedIds(ui, table)).toEqual(['a']);
  move(moveDown);
  move(markRange);
  expect(selectedIds(ui, table)).toEqual(['a', 'b', 'c']);
  ui.views.setList({ filter: 'name:c' });
  expect(model()).toMatchObject({ ids: ['c'], chosen: ['a', 'b', 'c'], hiddenMarks: 2 });
});

test('all that the filter leaves is marked, and the marks are taken away again', () => {
  const { ui, table, move } = startList(['a', 'ab', 'c']);
  ui.views.setList({ filter: 'name:a' });
  move(markAll);
  expect(selectedIds(ui, table)).toEqual(['a', 'ab']);
  move(markAll);
  expect(selectedIds(ui, table)).toEqual(['a']);
});

test('names sort by the numbers in them, in both directions', () => {
  const { move, model } = startList(['amr-10', 'amr-9', 'amr-100']);
  move(sortNext);
  expect(model().ids).toEqual(['amr-9', 'amr-10', 'amr-100']);
  move(sortReverse);
  expect(model().ids).toEqual(['amr-100', 'amr-10', 'amr-9']);
});

test('robots that were never seen come last, however one sorts', () => {
  const { ui, feeds, model } = startList([]);
  feeds.robots.fill([neverSeen('a'), robot('b')]);
  for (const isReverse of [false, true]) {
    ui.views.setList({ sort: { title: 'seen', isReverse } });
    expect(model().ids).toEqual(['b', 'a']);
  }
});

test('an empty list has nothing to move in and nothing chosen', () => {
  const { ui, table, move, model } = startList([]);
  move(last);
  move(toggleMark);
  expect(model()).toMatchObject({ ids: [], cursor: 0 });
  expect(selectedIds(ui, table)).toEqual([]);
});
