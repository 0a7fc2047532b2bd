import type { TailLine, TailState } from '../data/data.ts';
import { createStore, type Store } from '../data/store.ts';
import { perView } from '../per-view.ts';

/** The least level that is shown. */
export type Level = 'info' | 'warn' | 'error';

/** What part of a tail one looks at, and how. */
export interface TailWindow {
  /** What was there when it was paused; undefined: it runs. */
  paused: TailState | undefined;
  /** The last line that is shown, by its number among all that came, from 1; undefined: the newest, whatever comes. */
  end: number | undefined;
  /** Undefined: all. */
  level: Level | undefined;
  isWrapped: boolean;
  hasTime: boolean;
  /** The line that the search is at, by its number. */
  match: number | undefined;
}

/** Whose logs are wanted: `who` as in `81 online robots`. */
export interface RobotChoice {
  count: number;
  who: 'online' | 'marked' | 'found';
}

/** A window with what is not drawn. */
export interface TailPane {
  window: Store<TailWindow>;
  /** Lines that fit, as last drawn: what a page is. */
  rows: number;
  /** Of many robots: who was chosen, by which words, and what the number of those is of whom there was room for so many. */
  chosen: { by: string; robotIds: readonly string[]; meant: RobotChoice } | undefined;
}

const atFirst: TailWindow = {
  paused: undefined,
  end: undefined,
  level: undefined,
  isWrapped: false,
  hasTime: true,
  match: undefined,
};

/** The window of a view: the same as long as one goes to and fro. */
export const tailPane = perView((): TailPane => ({ window: createStore(atFirst), rows: 1, chosen: undefined }));

/** A line with its number among all that came. */
export interface NumberedLine {
  number: number;
  line: TailLine;
}

const ranks: Readonly<Record<string, number>> = { debug: 0, info: 1, warn: 2, error: 3, fatal: 4 };

/** Whether a line is of that level or above. Notes, and levels that nobody knows, are always shown. */
export const isShown = (line: TailLine, level: Level | undefined) =>
  level === undefined || line.kind === 'note' || (ranks[line.record.level] ?? 4) >= (ranks[level] ?? 0);

/** All that may be shown, oldest first. */
export function linesAt({ lines, total }: TailState, level: Level | undefined): NumberedLine[] {
  const before = total - lines.length;
  const all = lines.map((line, index) => ({ number: before + index + 1, line }));
  return level === undefined ? all : all.filter(({ line }) => isShown(line, level));
}

/**
 * What is shown in so many rows: lines up to `end`, and behind it where there are not enough. `heightOf` tells how many rows a line takes.
 * Only what is shown is looked at.
 */
export function linesShown(
  { lines, total }: TailState,
  { end, level }: Pick<TailWindow, 'end' | 'level'>,
  rows: number,
  heightOf: (line: NumberedLine) => number,
): NumberedLine[] {
  const before = total - lines.length;
  const last = Math.min(lines.length, Math.max(1, (end ?? total) - before)) - 1;
  const shown: NumberedLine[] = [];
  let used = 0;
  const take = (index: number, add: (line: NumberedLine) => void): void => {
    const line = lines[index];
    if (!line || !isShown(line, level)) return;
    const numbered = { number: before + index + 1, line };
    used += heightOf(numbered);
    add(numbered);
  };
  for (let index = last; index >= 0 && used < rows; index -= 1) take(index, (line) => shown.push(line));
  shown.reverse();
  for (let index = last + 1; index < lines.length && used < rows; index += 1) take(index, (line) => shown.push(line));
  return shown;
}
