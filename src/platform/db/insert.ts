import type { Knex } from 'knex';

interface Options<Column> {
  /** Columns of the inserted row to return. Default none. */
  returning?: readonly Column[];
  /** Columns of a unique index: if another row has these values, nothing is inserted or returned. Default none. */
  unlessKnown?: readonly string[];
}

/**
 * The statement that inserts one row; it runs when awaited. An undefined column gets its default; a value may be a
 * `db.raw`. Stores insert single rows only this way. Names of tables and columns come from code, never from a caller.
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
