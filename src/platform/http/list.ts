import { badRequest } from '../../kernel/errors.ts';
import { decodeCursor, encodeCursor, type Page, type PageStart } from '../../kernel/page.ts';

/** Rows that a complete list reads at a time. Between two pages it holds no connection. */
const pageSize = 1_000;

/**
 * Answers a list: a page and perhaps `next_cursor` where the caller set a `limit`, else everything, read page by page as the caller takes it.
 * @throws bad_request for a cursor without a limit or one that is not ours
 */
export async function listReply<Row extends PageStart, Item>(
  query: { limit?: number; cursor?: string },
  read: (page: Page) => Promise<Row[]>,
  toWire: (row: Row) => Item,
): Promise<{ status: 200; body: { items: Item[]; next_cursor?: string } | { items: AsyncIterable<Item> } }> {
  const { limit, cursor } = query;
  if (limit === undefined) {
    if (cursor !== undefined) throw badRequest('cursor: goes with limit');
    return { status: 200, body: { items: all(read, toWire) } };
  }
  // One row more than asked for tells whether a next page exists.
  const rows = await read({ limit: limit + 1, ...(cursor === undefined ? {} : { after: decodeCursor(cursor) }) });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    status: 200,
    body: { items: shown.map(toWire), ...(rows.length > limit && last ? { next_cursor: encodeCursor(last) } : {}) },
  };
}

async function* all<Row extends PageStart, Item>(
  read: (page: Page) => Promise<Row[]>,
  toWire: (row: Row) => Item,
): AsyncGenerator<Item> {
  let after: PageStart | undefined;
  for (;;) {
    const rows = await read({ limit: pageSize, ...(after ? { after } : {}) });
    for (const row of rows) yield toWire(row);
    if (rows.length < pageSize) return;
    after = rows.at(-1);
  }
}
