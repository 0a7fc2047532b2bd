import type { Knex } from 'knex';

export interface NumberRange {
  first: number;
  last: number;
}

/** Reads that may fail within one call; a part of the range that then cannot be read is not divided further. */
const maxFailures = 5_000;

/** Whether Postgres cannot read a page of a table or of an index, or finds a value incomplete. */
export const isUnreadable = (error: unknown): boolean =>
  /^XX00[12]$/.test(String((error as { code?: unknown } | null)?.code)); // data_corrupted, index_corrupted

/**
 * Reads what belongs to a range of numbers. If the database is damaged there, it reads halves, and so finds everything that
 * can be read. `unreadable`: the numbers that cannot be read, if something has them. `trx` must be a transaction.
 */
export async function readAround<T>(
  trx: Knex,
  range: NumberRange,
  read: (db: Knex, range: NumberRange) => Promise<readonly T[]>,
): Promise<{ rows: T[]; unreadable: NumberRange[] }> {
  const found: { rows: T[]; unreadable: NumberRange[] } = { rows: [], unreadable: [] };
  let failures = 0;

  async function visit(part: NumberRange): Promise<void> {
    const rows = await readEitherWay(trx, (db) => read(db, part));
    if (rows) {
      for (const row of rows) found.rows.push(row); // one by one: there may be more than a call can have arguments
      return;
    }
    const { first, last } = part;
    failures += 1;
    if (first === last || failures > maxFailures) return void found.unreadable.push(part);
    const middle = Math.floor((first + last) / 2);
    await visit({ first, last: middle });
    await visit({ first: middle + 1, last });
  }

  if (range.first <= range.last) await visit(range);
  return found;
}

/** By indexes, or without them; undefined if neither is possible. `trx` must be a transaction. */
export const readEitherWay = async <T>(trx: Knex, read: (db: Knex) => Promise<T>): Promise<T | undefined> =>
  (await attempt(trx, 'index', read)) ?? (await attempt(trx, 'table', read));

/**
 * Undefined if it is unreadable. By its index alone, a read looks only at the rows that it is for; without one, it does not
 * need an index that is damaged.
 */
async function attempt<T>(trx: Knex, by: 'index' | 'table', read: (db: Knex) => Promise<T>): Promise<T | undefined> {
  const savepoint = await trx.transaction();
  try {
    await savepoint.raw(
      `select set_config('enable_seqscan', :table, true), set_config('enable_indexscan', :index, true),
              set_config('enable_indexonlyscan', :index, true), set_config('enable_bitmapscan', :index, true)`,
      { index: by === 'index' ? 'on' : 'off', table: by === 'table' ? 'on' : 'off' },
    );
    return await read(savepoint);
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  } finally {
    await savepoint.rollback(); // with the settings
  }
}
