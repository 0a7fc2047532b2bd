import { badRequest } from '../../../kernel/errors.ts';
import { decodeCursor, encodeCursor, type Page, type PageStart } from '../../../kernel/page.ts';
import type { JsonRows } from '../../db/json-rows.ts';
import { placeOf } from '../../db/page.ts';

declare const fields: unique symbol;
/** JSON of one or more items of a list, separated by commas. `Field`: the exact set of an item's fields. */
export type ItemsText<Field extends string> = string & { readonly [fields]: (field: Field) => Field };
/** JSON of a whole list, including the envelope. */
export type ListText<Field extends string> = string & { readonly [fields]: (field: Field[]) => Field[] };

/**
 * Rows per read of a complete list, about one piece of the response (`reply.ts`). Other requests wait while a page is
 * read, and a stalled reader holds one page in memory. Between two pages a list holds no database connection.
 */
const pageSize = 250;

/** The query of a list; the parameters that an operation does not declare are never set. */
interface ListQuery {
  limit?: number;
  cursor?: string;
  id?: string; // comma-separated
  id_end?: string;
  order?: 'asc' | 'desc';
}

/**
 * Responds with a list. With `limit`: one page, and `next_cursor` if there are more. Without: everything, page by page
 * as the caller reads it. A page of large rows has fewer than `limit`.
 * @throws bad_request for a cursor without a limit or an invalid cursor
 */
export async function listReply<Field extends string>(
  { limit, cursor, id, id_end: idEnd, order }: ListQuery,
  read: (page: Page) => Promise<JsonRows<Field>>,
): Promise<{ status: 200; body: ListText<Field> | { items: AsyncIterable<ItemsText<Field>> } }> {
  const slice = {
    ...(id !== undefined && { ids: id.split(',') }),
    ...(idEnd !== undefined && { idEnd }),
    ...(order === 'desc' && { newestFirst: true }),
  };
  if (limit === undefined) {
    if (cursor !== undefined) throw badRequest('cursor: requires limit');
    return { status: 200, body: { items: all(read, slice) } };
  }
  // One extra row shows whether a next page exists.
  const page = await read({
    limit: limit + 1,
    ...(cursor === undefined ? {} : { after: decodeCursor(cursor) }),
    ...slice,
  });
  const count = page.fits ?? limit;
  const next = page.objects.length > count ? encodeCursor(placeOf(page, count - 1)) : undefined;
  return { status: 200, body: listText<Field>({ objects: page.objects.slice(0, count) }, next) };
}

/** The JSON of a list that is read in full. `about`: further members beside the items. */
export function listText<Field extends string>(
  { objects }: Pick<JsonRows<Field>, 'objects' | 'columns'>,
  nextCursor?: string,
  about: object = {},
): ListText<Field> {
  const rest = JSON.stringify({ ...(nextCursor !== undefined && { next_cursor: nextCursor }), ...about }).slice(1);
  return `{"items":[${objects.join(',')}]${rest === '}' ? '' : ','}${rest}` as ListText<Field>;
}

async function* all<Field extends string>(
  read: (page: Page) => Promise<JsonRows<Field>>,
  slice: Omit<Page, 'limit'>,
): AsyncGenerator<ItemsText<Field>> {
  let after: PageStart | undefined;
  for (;;) {
    const page = await read({ ...slice, limit: pageSize, ...(after ? { after } : {}) });
    const count = page.fits ?? page.objects.length;
    if (count > 0) yield page.objects.slice(0, count).join(',') as ItemsText<Field>;
    if (page.fits === undefined && count < pageSize) return;
    after = placeOf(page, count - 1);
  }
}
