import type { ListPage } from '../output/list.ts';
import type { View } from '../output/view.ts';
import type { PageQuery } from './pages.ts';

/** One list command: its requests and its texts for people. */
export interface List<T> {
  /** Plural noun of the listed items. */
  what: string;
  /** What to do when the list is empty. */
  whenEmpty: string;
  ask(page: PageQuery): Promise<ListPage<T>>;
  /** Called once while the first page loads; `--watch` calls it again from time to time. */
  view(): View<T> | Promise<View<T>>;
  /** Reads the names that the view shows to people instead of these items' ids. Default: no names. */
  names?(items: readonly T[]): Promise<void>;
  /** Orders a complete list for people, such as by name. Default: the order of the API. */
  sortedBy?(item: T): string;
  /** The field by which `--watch` identifies an item. */
  key: keyof T & string;
  /** True for a log: responses are parts of it, so an item missing from the next one is not removed. Default: false. */
  isLog?: boolean;
  /** Items to print, page by page as they arrive. Default: what the flags say. */
  atMost?: number | undefined;
  /** The last line for people, on stderr; omitted for an empty list. */
  summary?(items: readonly T[]): string;
}
