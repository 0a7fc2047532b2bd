import type { Knex } from 'knex';
import pg from 'pg';
import type { FastPathClient } from './client.ts';

/** Rows that are only passed on, as JSON. `Column`: their fields; a null column is left out. */
export interface JsonRows<Column extends string> {
  /** The JSON object of each row. */
  readonly objects: readonly string[];
  /** One value of a row. @throws Error if it is null, or if there is no such row or column */
  value(row: number, column: string): unknown;
  /** The sort column of the list; undefined: `created_at, id`. */
  readonly orderedBy?: string | undefined;
  /** Rows that fit into a page; undefined: all. The one behind them only shows that the page is cut. */
  readonly fits?: number;
  /** For the type system only. */
  readonly columns?: Column;
}

const { UUID, TEXT, TIMESTAMPTZ, JSON: JSON_TEXT, JSONB, BOOL, INT2, INT4, INT8, FLOAT4 } = pg.types.builtins;
const asIs = (text: string) => text;

/** From the Postgres text format to JSON, by column type. */
const writers = new Map<number, (text: string) => string>([
  [UUID, (text) => `"${text}"`],
  [TEXT, JSON.stringify],
  [TIMESTAMPTZ, instant],
  [JSON_TEXT, asIs], // as written, including numbers beyond a double
  [JSONB, asIs],
  [BOOL, (text) => (text === 't' ? 'true' : 'false')],
  [INT2, asIs],
  [FLOAT4, asIs], // finite by construction
  [INT4, asIs],
  [INT8, asIs], // counters and sizes, all below 2^53 by contract
]);

/**
 * Converts `2026-11-21 09:00:00.12+00` (the session is in UTC) to the format of `toISOString`, with three digits of
 * milliseconds.
 */
function instant(text: string): string {
  return `"${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z"`;
}

/** For the driver, which gets a parser by the type of each column. If that throws, the statement fails. */
const types = {
  getTypeParser: (type: number) =>
    writers.get(type) ??
    (() => {
      throw new Error(`no JSON for a column of type ${type}`);
    }),
};

/**
 * Runs a select whose rows are sent unchanged: from the Postgres text format straight to JSON, without row, model and
 * response objects in between. The columns have their wire names. The last `apart` columns, none by default, are only for
 * `value`.
 * @throws Error for a column type without a writer
 */
export async function jsonRows<Column extends string>(
  db: Knex,
  { sql, bindings, apart = 0 }: { sql: string; bindings: readonly unknown[]; apart?: number },
): Promise<JsonRows<Column>> {
  const statement = { text: sql, values: [...bindings], rowMode: 'array' as const, types };
  const { rows, fields } = await (db.client as FastPathClient).arrays<string | null>(statement);
  const names = fields.map(({ name }) => `"${name}":`);
  const objects = rows.map((row) => {
    let members = '';
    for (let column = 0; column < row.length - apart; column += 1) {
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

/** The result if a filter cannot match anything. */
export const noRows: JsonRows<never> = {
  objects: [],
  value() {
    throw new Error('there are no rows');
  },
};
