import type { Knex } from 'knex';
import { foreignCursor, type Page, type PageStart } from '../../kernel/page.ts';
import { jsonRows, type JsonRows } from './json-rows.ts';

/** Most bytes of a page: it is in memory, and its ETag is computed in one piece. */
const maxPageBytes = 8 * 1024 * 1024;

/**
 * Definition of a list: columns of one table under their own names, including `id` and `created_at`, and named SQL
 * expressions.
 */
export interface Listing<Column extends string, Computed extends string> {
  table: string;
  columns: readonly Column[];
  computed?: Readonly<Record<Computed, string>>;
  /** SQL conditions for parts of the filter, with `$` for the value. Default: the column of that name has the value. */
  match?: Readonly<Record<string, string>>;
  /** SQL condition for every row of the list. Default: all rows of the table. */
  only?: string;
  /**
   * Further SQL conditions; `bind` gives the placeholder of a value. With these, the IDs of the page are selected first,
   * since a view would join all rows that match.
   */
  also?: readonly ((bind: (value: unknown) => string) => string)[];
  /** Order, if not `created_at, id`: a column of numbers or ids, unique under the filter. */
  order?: { column: Column; holds: 'number' | 'string' };
  /** SQL of the bytes of a row, of which a page has 8 MiB at most. Each row has fewer. Default: pages are bounded by `limit` alone. */
  bytes?: string;
}

/**
 * Reads one page of a list by keyset, so a deep page costs the same as the first. Undefined parts of the filter are
 * ignored. Names and computed fields come from code, never from a caller.
 */
export async function readPage<Column extends string, Computed extends string = never>(
  db: Knex,
  listing: Listing<Column, Computed>,
  filter: Readonly<Record<string, unknown>>,
  page: Page,
): Promise<JsonRows<Column | Computed>> {
  const bindings: unknown[] = [];
  const place = (value: unknown) => `$${bindings.push(value)}`;
  const { table, columns, computed, also = [], order, bytes } = listing;
  const { where, by } = rowsOf(listing, filter, page, place);
  let fields = `"${columns.join('", "')}"`;
  for (const [name, sql] of Object.entries<string>(computed ?? {})) fields += `, ${sql} as "${name}"`;
  let rows = `where ${where} order by ${by} limit ${place(page.limit)}`;
  if (also.length > 0)
    rows = `where org_id = ${place(filter['org_id'])} and id in (select id from "${table}" ${rows}) order by ${by}`;
  const orderedBy = order?.column;
  if (bytes === undefined)
    return { orderedBy, ...(await jsonRows(db, { sql: `select ${fields} from "${table}" ${rows}`, bindings })) };
  const sql = `select ${fields}, bytes_so_far from (
      select *, sum(${bytes}) over (order by ${by}) as bytes_so_far from (select * from "${table}" ${rows}) as page
    ) as measured where bytes_so_far - ${bytes} <= ${maxPageBytes} order by ${by}`;
  const found = await jsonRows<Column | Computed>(db, { sql, bindings, apart: 1 });
  const last = found.objects.length - 1;
  const isCut = last >= 0 && Number(found.value(last, 'bytes_so_far')) > maxPageBytes;
  return { orderedBy, ...found, ...(isCut && { fits: last }) };
}

/**
 * The rows of a list from the start of a page on, as SQL: their condition, and their order. `place` gives the placeholder of
 * a value.
 */
export function rowsOf<Column extends string, Computed extends string>(
  { table, match = {}, only = 'true', also = [], order }: Listing<Column, Computed>,
  filter: Readonly<Record<string, unknown>>,
  { after, newestFirst = false, ids, idEnd }: Page,
  place: (value: unknown) => string,
): { where: string; by: string } {
  let where = only;
  for (const [name, value] of Object.entries(filter))
    if (value !== undefined) where += ` and ${(match[name] ?? `"${name}" = $`).replace('$', () => place(value))}`;
  for (const condition of also) where += ` and ${condition(place)}`;
  if (ids) where += ` and id = any(${place(ids)}::uuid[])`;
  if (idEnd !== undefined) where += ` and ${endsWith(idEnd, table, place(filter['org_id']), place)}`;
  if (after && ('key' in after ? typeof after.key : undefined) !== order?.holds) throw foreignCursor();
  const [behind, direction] = newestFirst ? ['<', ' desc'] : ['>', ''];
  if (after)
    where +=
      'key' in after
        ? ` and "${order?.column ?? ''}" ${behind} ${place(after.key)}`
        : ` and (created_at, id) ${behind} (${place(after.createdAt)}, ${place(after.id)})`;
  const by = order ? `"${order.column}"${direction}` : `created_at${direction}, id${direction}`;
  return { where, by };
}

/**
 * Ids with these last digits, by the index on the reversed id (migration 0022). They are selected first: for a small page
 * the planner would rather walk the list in its order. More than a page can never be told apart, so the rest is not read.
 */
function endsWith(idEnd: string, table: string, orgId: string, place: (value: unknown) => string): string {
  const reversed = Array.from(idEnd).reverse().join('');
  const key = '(reverse(id::text) collate "C")';
  // No digit is above `f`.
  const within = `${key} >= ${place(reversed)} and ${key} < ${place(`${reversed}g`)}`;
  return `id = any(array(select id from "${table}" where org_id = ${orgId} and ${within} limit 1001))`;
}

/** The position of a page's row in its list. */
export const placeOf = (page: JsonRows<string>, row: number): PageStart =>
  page.orderedBy === undefined
    ? { id: page.value(row, 'id') as string, createdAt: new Date(page.value(row, 'created_at') as string) }
    : { key: page.value(row, page.orderedBy) as string | number };
