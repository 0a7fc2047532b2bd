import type { Knex } from 'knex';
import pg from 'pg';
import type { ShortClient } from './client.ts';

/** Rows that are only passed on, as JSON. `Column` says which fields they have; a column that is null is left out. */
export interface JsonRows<Column extends string> {
  /** Of each row the JSON of an object. */
  readonly objects: readonly string[];
  /** One value of a row. @throws Error where it is null, or there is no such row or column */
  value(row: number, column: string): unknown;
  /** The column that its list goes by; undefined: `created_at, id`. */
  readonly orderedBy?: string | undefined;
  /** Of the type system alone. */
  readonly columns?: Column;
}

const { UUID, TEXT, TIMESTAMPTZ, JSON: JSON_TEXT, JSONB, BOOL, INT2, INT4, INT8 } = pg.types.builtins;
const asIs = (text: string) => text;

/** From the text of Postgres to JSON, by the type of the column. */
const writers = new Map<number, (text: string) => string>([
  [UUID, (text) => `"${text}"`],
  [TEXT, JSON.stringify],
  [TIMESTAMPTZ, instant],
  [JSON_TEXT, asIs], // as it was written, numbers beyond a double included
  [JSONB, asIs],
  [BOOL, (text) => (text === 't' ? 'true' : 'false')],
  [INT2, asIs],
  [INT4, asIs],
  [INT8, asIs], // counters and sizes, all below 2^53 by contract
]);

/** `2026-11-21 09:00:00.12+00`, as the session is in UTC, to what `toISOString` gives: with three digits of the second. */
function instant(text: string): string {
  return `"${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z"`;
}

/** For the driver, which asks for a parser by the type of each column and takes what that throws for the failure of the statement. */
const types = {
  getTypeParser: (type: number) =>
    writers.get(type) ??
    (() => {
      throw new Error(`no JSON for a column of type ${type}`);
    }),
};

/**
 * Runs a select whose rows go out as they are: from the text of Postgres straight to JSON, without the objects of row, model and answer between.
 * The columns have their names of the wire. @throws Error for a column of a type without a writer
 */
export async function jsonRows<Column extends string>(
  db: Knex,
  { sql, bindings }: { sql: string; bindings: readonly unknown[] },
): Promise<JsonRows<Column>> {
  const statement = { text: sql, values: [...bindings], rowMode: 'array' as const, types };
  const { rows, fields } = await (db.client as ShortClient).arrays<string | null>(statement);
  const names = fields.map(({ name }) => `"${name}":`);
  const objects = rows.map((row) => {
    let members = '';
    for (let column = 0; column < row.length; column += 1) {
      const value = row[column];
      if (typeof value === 'string') members += `${members === '' ? '' : ','}${names[column] ?? ''}${value}`;
    }
    return `{${members}}`;
  });
  return {
    objects,
    value(row, column) {
      const value = rows[row]?.[fields.findIndex(({ name }) => name === column)];
      if (typeof value !== 'string') throw new Error(`row ${row} has no ${column}`);
      return JSON.parse(value) as unknown;
    },
  };
}

/** The answer where a filter can fit nothing. */
export const noRows: JsonRows<never> = {
  objects: [],
  value() {
    throw new Error('there are no rows');
  },
};
