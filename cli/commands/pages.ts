import type { Flags } from '../command-line/flag-spec.ts';
import type { ListPage } from '../output/list.ts';

/** Query for one page; empty requests the whole list. */
export interface PageQuery {
  limit?: number;
  cursor?: string;
}

/** The API's maximum page size. */
const maxPageSize = 1000;

interface Paged<T> {
  ask(page: PageQuery): Promise<ListPage<T>>;
  /** A log has no end to read to: it is read in one request. Default: false. */
  isLog?: boolean;
  /** Items to read, page by page as they arrive. Default: what the flags say. */
  atMost?: number | undefined;
}

/**
 * Yields the pages that the flags request. Without flags that is one complete list; with `--no-paginate` only the first
 * page.
 * Otherwise pages follow by cursor until `--limit` items are read or the list ends. A list without a cursor is one
 * page.
 */
export async function* pagesOf<T>(flags: Flags, { ask, isLog = false, atMost }: Paged<T>): AsyncGenerator<ListPage<T>> {
  const limit = flags.has('limit') ? flags.integer('limit') : undefined;
  const begin = flags.has('cursor') ? flags.text('cursor') : undefined;
  if (isLog) {
    yield await ask({ ...(limit !== undefined && { limit }), ...(begin !== undefined && { cursor: begin }) });
    return;
  }
  const all = !flags.has('paginate') || flags.on('paginate');
  const size = flags.has('page-size') ? flags.integer('page-size') : undefined;
  let cursor = begin;
  if (atMost === undefined && limit === undefined && size === undefined && cursor === undefined && all) {
    yield await ask({});
    return;
  }
  let left = atMost ?? limit ?? Number.POSITIVE_INFINITY;
  do {
    const query = { limit: Math.min(left, size ?? maxPageSize), ...(cursor !== undefined && { cursor }) };
    const page = await ask(query);
    yield page;
    left -= page.body.items.length;
    cursor = page.body.next_cursor;
  } while (all && cursor !== undefined && left > 0);
}
