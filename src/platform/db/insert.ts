import type { Knex } from 'knex';

interface Options<Column> {
  /** Columns of the written row to give back. Default none. */
  returning?: readonly Column[];
  /** Columns of a unique index: where another row has these values already, nothing is written and no row given. Default none. */
  unlessKnown?: readonly string[];
}

/**
 * The statement that inserts one row; it runs when it is awaited. A column that is undefined keeps its default, and a value may be a `db.raw`.
 * The one way in which a store inserts a row. Names of tables and columns are ours, never a caller's.
 */
export function insertRow<Row extends object>(
  db: Knex,
  table: string,
  row: { readonly [Column in keyof Row]?: Row[Column] | Knex.Raw | undefined },
  { returning = [], unlessKnown }: Options<keyof Row & string> = {},
): Knex.Raw<{ rows: Row[] }> {
  const given = Object.entries<unknown>(row).filter(([, value]) => value !== undefined);
  const known = unlessKnown ? ` on conflict (${list(unlessKnown)}) do nothing` : '';
  return db.raw(
    `insert into "${table}" (${list(given.map(([name]) => name))}) values (${given.map(() => '?').join(', ')})${known}` +
      (returning.length === 0 ? '' : ` returning ${list(returning)}`),
    given.map(([, value]) => value as Knex.RawBinding),
  );
}

const list = (names: readonly string[]) => `"${names.join('", "')}"`;
