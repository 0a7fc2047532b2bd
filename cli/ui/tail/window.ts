import type { TailLine, TailState } from '../data/data.ts';
import { createStore, type Store } from '../data/store.ts';
import { perView } from '../per-view.ts';

/** The lowest level that is shown. */
export type Level = 'info' | 'warn' | 'error';

/** The visible part of a tail, and how it is shown. */
export interface TailWindow {
  /** The state when it was paused; undefined: it is running. */
  paused: TailState | undefined;
  /** The last shown line, by its number among all received, from 1; undefined: always the newest. */
  end: number | undefined;
  /** Undefined: all. */
  level: Level | undefined;
  isWrapped: boolean;
  hasTime: boolean;
  /** The current match of the search, by line number. */
  match: number | undefined;
}

/** A window, with state that is not drawn. */
export interface TailPane {
  window: Store<TailWindow>;
  /** Lines that fit, as last drawn: the size of a page. */
  rows: number;
  /** Of many robots: the words of the choice, and the chosen robots up to the limit. */
  chosen: { by: string; robotIds: readonly string[] } | undefined;
}

const atFirst: TailWindow = {
  paused: undefined,
  end: undefined,
  level: undefined,
  isWrapped: false,
  hasTime: true,
  match: undefined,
};

/** The window of a view: the same object while the user moves between views. */
export const tailPane = perView((): TailPane => ({ window: createStore(atFirst), rows: 1, chosen: undefined }));

/** A line with its number among all received. */
export interface NumberedLine {
  number: number;
  line: TailLine;
}

const ranks: Readonly<Record<string, number>> = { debug: 0, info: 1, warn: 2, error: 3, fatal: 4 };

/** Whether a line has that level or above. Notes and unknown levels are always shown. */
export const isShown = (line: TailLine, level: Level | undefined) =>
  level === undefined || line.kind === 'note' || (ranks[line.record.level] ?? 4) >= (ranks[level] ?? 0);

/** A search in the lines of a tail. */
export interface Search {
  /** What is searched, as typed. Empty: lines are only hidden. */
  text: string;
  /** Why it is not used as a regular expression, or not at all; undefined: it is one. */
  fault: () => string | undefined;
  isMatch: (line: TailLine) => boolean;
  /** Hidden by `!text`. */
  isHidden: (line: TailLine) => boolean;
  /** Runs a drawing with the expression that marks matches, which it gets without one if it takes too long. */
  marking: <T>(draw: (marked: RegExp | undefined) => T) => T;
  /** Examines new lines together: one by one is slow. */
  prepare: (lines: readonly TailLine[]) => void;
}

/** All lines of the level that the search does not hide, oldest first. */
export function linesAt({ lines, total }: TailState, level: Level | undefined, search?: Search): NumberedLine[] {
  const before = total - lines.length;
  const all = lines.map((line, index) => ({ number: before + index + 1, line }));
  search?.prepare(lines);
  return level === undefined && !search
    ? all
    : all.filter(({ line }) => isShown(line, level) && !(search?.isHidden(line) ?? false));
}

/**
 * The lines in that many rows: up to `end`, and after it if there are not enough. `heightOf` returns the rows of a
 * line. Only shown lines are examined.
 */
export function linesShown(
  { lines, total }: TailState,
  { end, level, search }: Pick<TailWindow, 'end' | 'level'> & { search?: Search | undefined },
  rows: number,
  heightOf: (line: NumberedLine) => number,
): NumberedLine[] {
  const before = total - lines.length;
  search?.prepare(lines);
  const last = Math.min(lines.length, Math.max(1, (end ?? total) - before)) - 1;
  const shown: NumberedLine[] = [];
  let used = 0;
  const take = (index: number, add: (line: NumberedLine) => void): void => {
    const line = lines[index];
    if (!line || !isShown(line, level) || (search?.isHidden(line) ?? false)) return;
    const numbered = { number: before + index + 1, line };
    used += heightOf(numbered);
    add(numbered);
  };
  for (let index = last; index >= 0 && used < rows; index -= 1) take(index, (line) => shown.push(line));
  shown.reverse();
  for (let index = last + 1; index < lines.length && used < rows; index += 1) take(index, (line) => shown.push(line));
  return shown;
}
