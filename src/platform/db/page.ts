import type { Knex } from 'knex';
import { foreignCursor, type Page, type PageStart } from '../../kernel/page.ts';
import { jsonRows, type JsonRows } from './json-rows.ts';

/** What a list is made of: columns of one table under their own names, `id` and `created_at` among them, and fields that are SQL, by name. */
interface Listing<Column extends string, Computed extends string> {
  table: string;
  columns: readonly Column[];
  computed?: Readonly<Record<Computed, string>>;
  /** SQL that holds for every row of the list. Default: all rows of the table. */
  only?: string;
  /** Its order, where that is not `created_at, id`: a column of numbers or ids, unique under the filter. */
  order?: { column: Column; holds: 'number' | 'string' };
}

/**
 * Reads a list in its order, from where the page begins: a keyset, so a deep page costs what the first one costs. A part of the filter that is
 * undefined asks for nothing. Names and computed fields are ours, never a caller's.
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

/** Where a row of a page stands in its list. */
export const placeOf = (page: JsonRows<string>, row: number): PageStart =>
  page.orderedBy === undefined
    ? { id: page.value(row, 'id') as string, createdAt: new Date(page.value(row, 'created_at') as string) }
    : { key: page.value(row, page.orderedBy) as string | number };
