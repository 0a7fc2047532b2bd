import type { Knex } from 'knex';
import type { Page, PageStart } from '../../kernel/page.ts';
import { jsonRows, type JsonRows } from './json-rows.ts';

/** What a list is made of: columns of one table under their own names, `id` and `created_at` among them, and fields that are SQL, by name. */
interface Listing<Column extends string, Computed extends string> {
  table: string;
  columns: readonly Column[];
  computed?: Readonly<Record<Computed, string>>;
}

/**
 * Reads a list in its order, from where the page begins: a keyset, so a deep page costs what the first one costs. A part of the filter that is
 * undefined asks for nothing. Names and computed fields are ours, never a caller's.
 */
export function readPage<Column extends string, Computed extends string = never>(
  db: Knex,
  { table, columns, computed }: Listing<Column, Computed>,
  filter: Readonly<Record<string, unknown>>,
  { after, limit }: Page,
): Promise<JsonRows<Column | Computed>> {
  const bindings: unknown[] = [];
  const place = (value: unknown) => `$${bindings.push(value)}`;
  let where = 'true';
  for (const [name, value] of Object.entries(filter))
    if (value !== undefined) where += ` and "${name}" = ${place(value)}`;
  if (after) where += ` and (created_at, id) > (${place(after.createdAt)}, ${place(after.id)})`;
  let fields = `"${columns.join('", "')}"`;
  for (const [name, sql] of Object.entries<string>(computed ?? {})) fields += `, ${sql} as "${name}"`;
  const sql = `select ${fields} from "${table}" where ${where} order by created_at, id limit ${place(limit)}`;
  return jsonRows(db, { sql, bindings });
}

/** Where a row of a page stands in its list. */
export const placeOf = (page: JsonRows<string>, row: number): PageStart => ({
  id: page.value(row, 'id') as string,
  createdAt: new Date(page.value(row, 'created_at') as string),
});
