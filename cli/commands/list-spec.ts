import type { ListPage } from '../output/list.ts';
import type { View } from '../output/view.ts';
import type { PageQuery } from './pages.ts';

/** One list command: what to ask, and what to tell people. */
export interface List<T> {
  /** What is listed, in the plural. */
  what: string;
  /** What to do when there is none. */
  whenEmpty: string;
  ask(page: PageQuery): Promise<ListPage<T>>;
  /** Called once while the first page is on its way; `--watch` calls it again now and then. */
  view(): View<T> | Promise<View<T>>;
  /** The field by which `--watch` knows an item again. */
  key: keyof T & string;
  /** A log, of which each reply is a part: an item that is not in the next one is not gone. Default: false. */
  isLog?: boolean;
  /** The last line for people, on stderr; not written for an empty list. */
  summary?(items: readonly T[]): string;
}
