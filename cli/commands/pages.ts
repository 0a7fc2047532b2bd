import type { Flags } from '../command-line/flag-spec.ts';
import type { ListPage } from '../output/list.ts';

/** What of a list is asked for by one call; empty for all of it. */
export interface PageQuery {
  limit?: number;
  cursor?: string;
}

/** The most the API gives on one page. */
const maxPageSize = 1000;

interface Paged<T> {
  ask(page: PageQuery): Promise<ListPage<T>>;
  /** A log has no end to read to: it is one reply. Default: false. */
  isLog?: boolean;
}

/**
 * The replies that together are what the flags ask for: without any of them one complete list, else pages by cursor until `--limit` items
 * came or the list ends; only the first with `--no-paginate`. A list without a cursor is one reply.
 */
export async function* pagesOf<T>(flags: Flags, { ask, isLog = false }: Paged<T>): AsyncGenerator<ListPage<T>> {
  const limit = flags.has('limit') ? flags.integer('limit') : undefined;
  const begin = flags.has('cursor') ? flags.text('cursor') : undefined;
  if (isLog) {
    yield await ask({ ...(limit !== undefined && { limit }), ...(begin !== undefined && { cursor: begin }) });
    return;
  }
  const all = !flags.has('paginate') || flags.on('paginate');
  const size = flags.has('page-size') ? flags.integer('page-size') : undefined;
  let cursor = begin;
  if (limit === undefined && size === undefined && cursor === undefined && all) {
    yield await ask({});
    return;
  }
  let left = limit ?? Number.POSITIVE_INFINITY;
  do {
    const query = { limit: Math.min(left, size ?? maxPageSize), ...(cursor !== undefined && { cursor }) };
    const page = await ask(query);
    yield page;
    left -= page.body.items.length;
    cursor = page.body.next_cursor;
  } while (all && cursor !== undefined && left > 0);
}
