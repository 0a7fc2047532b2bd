import type { Readable } from '../data/store.ts';
import type { Segment } from '../components/line.ts';
import type { Snapshot } from '../data/freshness.ts';
import type { Tone } from '../theme.ts';
import type { Ui } from '../ui.ts';
import type { KnownValues } from './filter-words.ts';

export interface TableColumn<T> {
  title: string;
  /** Cells. All columns shrink to `least` before one is dropped. */
  width: number;
  least?: number;
  /** Takes the rest of the line. Default: false. */
  isFlexible?: boolean;
  /** If there is no room, columns of the highest rank are dropped first; 0 is never dropped. Default: 1. */
  rank?: number;
  /** Shown if `w` asks for all columns, or if the others leave room. Default: false. */
  isWide?: boolean;
  align?: 'left' | 'right';
  /** `cells`: its width on the screen, for text that is useless if cut; undefined: no limit. */
  text: (item: T, cells?: number) => string;
  /** Its text in a file: an instant for an age, a word without its sign; false: not saved. Default: its text. */
  saved?: ((item: T) => string) | false;
  /** Value for the filter; default: as saved. */
  filtered?: (item: T) => string;
  tone?: (item: T) => Tone | undefined;
  /** Drawn in place of its text, for a cell of several tones. */
  pieces?: (item: T, cells: number) => readonly Segment[];
  /** Sort key; default: its text. */
  order?: (item: T) => string | number;
  /** Whether words without a field search it; false if it changes with time alone, such as an age. Default: true. */
  isSearched?: boolean;
  /**
   * Whether rows can be sorted by it; false if only some rows have it, or if the order of the list is information.
   * Default: true.
   */
  isSortable?: boolean;
}

/**
 * A list for the table engine. The engine sanitizes texts. They depend only on the item, on the time and on what is
 * `alongside`: a row that shows a robot with its fleet's name has items with both. A list has one definition object, by
 * which its state is kept.
 */
export interface TableDefinition<T> {
  /** Noun for the rows, as in `robots`. */
  noun: string;
  /** Noun for one row, if it is not `noun` without its last letter. */
  one?: string;
  source: Readable<Snapshot<readonly T[]>>;
  id: (item: T) => string;
  /** Display name, for dialogs and messages. */
  name: (item: T) => string;
  columns: readonly TableColumn<T>[];
  /**
   * Values for `field:value` of the filter, by field, beside those of the columns; words without a field search these
   * and all columns. Several values of one field: one per line.
   */
  fields: Readonly<Record<string, (item: T) => string>>;
  /** Called by Enter; undefined: Enter does nothing. */
  /** Fields of a filter that have only these values. Default: none. */
  values?: KnownValues;
  open?: (ui: Ui, item: T) => void;
  /** Depth in a tree; default: 0. */
  depth?: (item: T) => number;
  /**
   * Other data drawn in the rows on the screen, and kept up to date for them. `titles`: of the columns that are shown.
   */
  alongside?: (
    items: readonly T[],
    titles: readonly string[],
  ) => readonly (Readable<unknown> & { want(): () => void })[];
  /**
   * With this many rows, the list holds only the latest, and earlier ones are not searched. Default: it is complete.
   */
  most?: number;
  /** Text of an empty list, and what to do next. */
  empty: { text: string; next: string };
}

/** A definition for any item type; it is accessed by id or index. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- screens hold tables of different things; only the engine looks inside, with the item it got from the same table
export type AnyTable = TableDefinition<any>;
