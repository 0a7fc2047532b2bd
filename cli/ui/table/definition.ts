import type { Readable } from '../data/store.ts';
import type { Snapshot } from '../data/freshness.ts';
import type { Tone } from '../theme.ts';
import type { Ui } from '../ui.ts';

export interface TableColumn<T> {
  title: string;
  /** Cells it takes: it shrinks to `least` before columns of lower rank go. */
  width: number;
  least?: number;
  /** Takes what is left of the line. Default: false. */
  isFlexible?: boolean;
  /** Columns of the highest rank go first where there is no room; 0 never goes. Default: 1. */
  rank?: number;
  /** Shown where `w` asks for all, or the others leave so much room. Default: false. */
  isWide?: boolean;
  align?: 'left' | 'right';
  /** `cells`: those it has on the screen, for what is of no use where it is cut; undefined: as many as it takes. */
  text: (item: T, cells?: number) => string;
  /** What a file holds of it: an instant for an age, a word without its sign; false: nothing. Default: its text. */
  saved?: ((item: T) => string) | false;
  tone?: (item: T) => Tone | undefined;
  /** What it is sorted by; default: its text. */
  order?: (item: T) => string | number;
  /** Whether text without a field is looked for in it; not in what changes by time alone, as an age. Default: true. */
  isSearched?: boolean;
  /** Whether rows can be sorted by it; not where it is known of some rows alone, or where the order is what they tell. Default: true. */
  isSortable?: boolean;
}

/**
 * A list of things: what the engine of tables needs to know. Texts need not be harmless: the engine makes them so. They depend on the item alone
 * (and on the time, and on what is `alongside`): who needs the name of a fleet beside a robot makes items that hold both. There is one definition
 * for all times it is asked for: what is kept of a table goes by it.
 */
export interface TableDefinition<T> {
  /** What the rows are called, as in `robots`. */
  noun: string;
  /** What a single one is called, where that is not the noun without its last letter. */
  one?: string;
  source: Readable<Snapshot<readonly T[]>>;
  id: (item: T) => string;
  /** What a person calls it, for dialogs and messages. */
  name: (item: T) => string;
  columns: readonly TableColumn<T>[];
  /** Values for `field:value` of the filter, by field; text without a field is looked for in these and in all columns. Several values of one field: a line each. */
  fields: Readonly<Record<string, (item: T) => string>>;
  /** Where Enter goes; undefined: nowhere. */
  open?: (ui: Ui, item: T) => void;
  /** How deep in a tree; default 0. */
  depth?: (item: T) => number;
  /** What else is kept up to date for the rows that are on the screen, and drawn in them. `titles`: of the columns that are shown. */
  alongside?: (
    items: readonly T[],
    titles: readonly string[],
  ) => readonly (Readable<unknown> & { want(): () => void })[];
  /** Of a list that has so many only the latest are here, and nothing is looked for in those before. Default: it is whole. */
  most?: number;
  /** What an empty list says, and what to do next. */
  empty: { text: string; next: string };
}

/** A definition of whatever; what is asked of it is asked by id or index. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- screens hold tables of different things; only the engine looks inside, with the item it got from the same table
export type AnyTable = TableDefinition<any>;
