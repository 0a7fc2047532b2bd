import type { Knex } from 'knex';
import { foreignCursor, type Page, type PageStart } from '../../kernel/page.ts';
import { jsonRows, type JsonRows } from './json-rows.ts';

/**
 * Definition of a list: columns of one table under their own names, including `id` and `created_at`, and named SQL
 * expressions.
 */
interface Listing<Column extends string, Computed extends string> {
  table: string;
  columns: readonly Column[];
  computed?: Readonly<Record<Computed, string>>;
  /** SQL condition for every row of the list. Default: all rows of the table. */
  only?: string;
  /** Order, if not `created_at, id`: a column of numbers or ids, unique under the filter. */
  order?: { column: Column; holds: 'number' | 'string' };
}

/**
 * Reads one page of a list by keyset, so a deep page costs the same as the first. Undefined parts of the filter are
 * ignored. Names and computed fields come from code, never from a caller.
 */
export async function readPage<Column extends string, Computed extends string = never>(
  db: Knex,
  { table, columns, computed, only = 'true', order }: Listing<Column, Computed>,
  filter: Readonly<Record<string, unknown>>,
  { after, limit, newestFirst = false }: Page,
): Promise<JsonRows<Column | Computed>> {
  const bindings: unknown[] = [];
  const place = (value: unknown) => `$${bindings.push(value)}`;
  let where = only;
  for (const [name, value] of Object.entries(filter))
    if (value !== undefined) where += ` and "${name}" = ${place(value)}`;
  if (after && ('key' in after ? typeof after.key : undefined) !== order?.holds) throw foreignCursor();
  const [behind, direction] = newestFirst ? ['<', ' desc'] : ['>', ''];
  if (after)
    where +=
      'key' in after
        ? ` and "${order?.column ?? ''}" ${behind} ${place(after.key)}`
        : ` and (created_at, id) ${behind} (${place(after.createdAt)}, ${place(after.id)})`;
  let fields = `"${columns.join('", "')}"`;
  for (const [name, sql] of Object.entries<string>(computed ?? {})) fields += `, ${sql} as "${name}"`;
  const by = order ? `"${order.column}"${direction}` : `created_at${direction}, id${direction}`;
  const sql = `select ${fields} from "${table}" where ${where} order by ${by} limit ${place(limit)}`;
  return { ...(await jsonRows<Column | Computed>(db, { sql, bindings })), orderedBy: order?.column };
}

/** The position of a page's row in its list. */
export const placeOf = (page: JsonRows<string>, row: number): PageStart =>
  page.orderedBy === undefined
    ? { id: page.value(row, 'id') as string, createdAt: new Date(page.value(row, 'created_at') as string) }
    : { key: page.value(row, page.orderedBy) as string | number };
