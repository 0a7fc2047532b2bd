import type { Api } from '../../api/api.ts';
import type { Listing } from './data.ts';
import { keepIfEqual } from './deep-equal.ts';

/** Maximum page size of the service. */
const pageSize = 1_000;

interface Page<T> {
  cursor: string | undefined;
  etag: string | undefined;
  items: readonly T[];
  next: string | undefined;
}

interface PageReply<T> {
  etag: string | undefined;
  body: { items: readonly T[]; next_cursor?: string };
}

export interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

/** Undefined: the page still has this etag. */
export type AskPage<T> = (api: Api, query: PageQuery, etag: string | undefined) => Promise<PageReply<T> | undefined>;

/** Makes a call, and records its outcome. */
export type Asker = <R>(run: (api: Api) => Promise<R>) => Promise<R>;

/**
 * Reads a list page by page, so that a long one blocks neither the service nor the screen. A page that the service
 * reports as unchanged is not parsed. Unchanged parts keep their objects: the list, each page, each item. After a
 * failed read, the next one still uses the pages of the last complete read.
 */
export function pagesOf<T>(askPage: AskPage<T>, keyOf: (item: T) => string) {
  let pages: readonly Page<T>[] = [];
  let byKey: ReadonlyMap<string, T> = new Map();

  return async (ask: Asker, before: readonly T[] | undefined): Promise<readonly T[]> => {
    if (before === undefined) [pages, byKey] = [[], new Map<string, T>()];
    const fresh: Page<T>[] = [];
    let cursor: string | undefined;
    do {
      const known = pages[fresh.length];
      const page: Page<T> = await read(ask, cursor, known?.cursor === cursor ? known : undefined);
      fresh.push(page);
      cursor = page.next;
    } while (cursor !== undefined);
    const isSame = fresh.length === pages.length && fresh.every(({ items }, index) => items === pages[index]?.items);
    pages = fresh;
    if (isSame && before !== undefined) return before;
    const items = fresh.flatMap((page) => page.items);
    byKey = new Map(items.map((item) => [keyOf(item), item]));
    return items;
  };

  async function read(ask: Asker, cursor: string | undefined, known: Page<T> | undefined): Promise<Page<T>> {
    const reply = await ask((api) => askPage(api, { limit: pageSize, cursor }, known?.etag));
    if (!reply) {
      if (known) return known;
      throw new Error('a page that was never read is said to be the same');
    }
    const items = reply.body.items.map((item) => keepIfEqual(byKey.get(keyOf(item)), item));
    const same = known?.items.length === items.length && items.every((item, index) => item === known.items[index]);
    return { cursor, etag: reply.etag, items: same ? known.items : items, next: reply.body.next_cursor };
  }
}

/** The same, as a listing by id. */
export function listingOf<T extends { id: string }>(askPage: AskPage<T>) {
  const read = pagesOf(askPage, ({ id }: T) => id);
  return async (ask: Asker, before: Listing<T> | undefined): Promise<Listing<T>> => {
    const items = await read(ask, before?.items);
    if (before && items === before.items) return before;
    return { items, byId: new Map(items.map((item) => [item.id, item])) };
  };
}
