import type { TailState } from '../data/data.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { saveLines } from './save.ts';
import { matchBeside, matchesIn, searchOf } from './search.ts';
import { isTail, tailOf } from './sources.ts';
import { linesAt, tailPane, type Level, type TailPane, type TailWindow } from './window.ts';

export { isTail };

interface Looked {
  view: View;
  pane: TailPane;
  /** The state that is visible: the paused one, or the live one. */
  state: TailState;
  live: TailState;
}

function looked(ui: Ui): Looked {
  const { current: view } = ui.views.get();
  const pane = tailPane(ui, view.key);
  const live = tailOf(ui, view).get();
  return { view, pane, live, state: pane.window.get().paused ?? live };
}

const change = ({ pane: { window } }: Looked, part: Partial<TailWindow>) =>
  window.update((now) => ({ ...now, ...part }));

/** Pauses the tail, or resumes it. */
export function togglePause(ui: Ui): void {
  const at = looked(ui);
  const { paused } = at.pane.window.get();
  change(at, paused ? { paused: undefined, end: undefined } : { paused: at.live });
}

/** Follows the newest line, or stays at the current one. */
export function toggleFollow(ui: Ui): void {
  const at = looked(ui);
  const { paused, end } = at.pane.window.get();
  const follows = paused === undefined && end === undefined;
  change(at, follows ? { end: at.state.total } : { paused: undefined, end: undefined });
}

export function toggleWrap(ui: Ui): void {
  const at = looked(ui);
  change(at, { isWrapped: !at.pane.window.get().isWrapped });
}

export function toggleTime(ui: Ui): void {
  const at = looked(ui);
  change(at, { hasTime: !at.pane.window.get().hasTime });
}

const levels: readonly (Level | undefined)[] = [undefined, 'info', 'warn', 'error'];

/** Shows all lines, then only higher and higher levels, then all again. */
export function cycleLevel(ui: Ui): void {
  const at = looked(ui);
  change(at, { level: levels[(levels.indexOf(at.pane.window.get().level) + 1) % levels.length] });
}

/** Searches the text of the view's filter, without the words that choose robots. */
function search(ui: Ui, step: 1 | -1): void {
  const at = looked(ui);
  const { level, match } = at.pane.window.get();
  const sought = searchOf(at.view.list.filter);
  if (!sought || sought.text === '')
    return ui.notice.set({ text: 'Press / and type a text or a regular expression to search for', tone: 'warn' });
  const next = matchBeside(matchesIn(at.state, level, sought), match, step);
  if (next === undefined)
    return ui.notice.set({ text: sought.fault() ?? `No line matches ${sought.text}`, tone: 'warn' });
  const numbers = linesAt(at.state, level, searchOf(at.view.list.filter)).map(({ number }) => number);
  // In the middle of the screen, if there are lines below it.
  const end = numbers[Math.min(numbers.length - 1, numbers.indexOf(next) + (at.pane.rows >> 1))];
  change(at, { match: next, end });
}

export const searchNext = (ui: Ui): void => search(ui, 1);
export const searchPrevious = (ui: Ui): void => search(ui, -1);

/** Moves over the shown lines; after the newest, it follows. */
function move(ui: Ui, stepOf: (rows: number) => number): void {
  const at = looked(ui);
  const { end, level, paused, isWrapped } = at.pane.window.get();
  const numbers = linesAt(at.state, level, searchOf(at.view.list.filter)).map(({ number }) => number);
  const last = numbers.length - 1;
  const found = end === undefined ? last : numbers.findLastIndex((number) => number <= end);
  // Wrapped lines fill the screen sooner.
  const least = Math.min(last, isWrapped ? 0 : at.pane.rows - 1);
  const next = Math.max(least, Math.min(last, Math.max(found, least) + stepOf(at.pane.rows)));
  change(at, { end: next === last && paused === undefined ? undefined : numbers[next] });
}

export const up = (ui: Ui): void => move(ui, () => -1);
export const down = (ui: Ui): void => move(ui, () => 1);
export const halfUp = (ui: Ui): void => move(ui, (rows) => -Math.max(1, rows >> 1));
export const halfDown = (ui: Ui): void => move(ui, (rows) => Math.max(1, rows >> 1));
export const pageUp = (ui: Ui): void => move(ui, (rows) => -Math.max(1, rows - 1));
export const pageDown = (ui: Ui): void => move(ui, (rows) => Math.max(1, rows - 1));
export const toFirst = (ui: Ui): void => move(ui, () => -Infinity);
export const toLast = (ui: Ui): void => move(ui, () => Infinity);

/** Discards the lines received so far. */
export function clear(ui: Ui): void {
  const at = looked(ui);
  tailOf(ui, at.view).clear();
  change(at, { paused: undefined, end: undefined, match: undefined });
}

/** Saves all lines of the level that the search does not hide to a file in the working directory, and shows its name in a notice. */
export function save(ui: Ui): void {
  const { view, state, pane } = looked(ui);
  const robots = ui.data.robots.get().value?.byId;
  const nameOf = (id: string) => robots?.get(id)?.name ?? id;
  const { robotId } = view.place;
  const lines = linesAt(state, pane.window.get().level, searchOf(view.list.filter));
  saveLines(lines, '.', robotId === undefined ? 'robots' : nameOf(robotId), nameOf).then(
    (path) => ui.notice.set({ text: `${lines.length} lines saved to ${path}`, tone: 'good' }),
    (error: unknown) =>
      ui.notice.set({ text: `Not saved: ${error instanceof Error ? error.message : String(error)}`, tone: 'bad' }),
  );
}
