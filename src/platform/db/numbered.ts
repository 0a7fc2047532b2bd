import type { Knex } from 'knex';

/*
 * A history whose entries are numbered after their commit. A number taken inside the transaction could be committed
 * after a higher one, and a reader that follows the numbers would never see it.
 */

/** Rows numbered per transaction. */
const batchRows = 5_000;

/**
 * Runs `numberBatch`, which returns the number of rows that it numbered, until none are left. One writer at a time for
 * each history and org, across all replicas.
 */
export async function assignNumbers(
  db: Knex,
  history: string,
  orgId: string,
  numberBatch: (trx: Knex, limit: number) => Promise<number>,
): Promise<void> {
  for (let numbered = batchRows; numbered === batchRows;)
    numbered = await db.transaction<number>(async (trx) => {
      await trx.raw("set local lock_timeout = '9s'"); // waits for other writers: the default is 2 s
      await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`${history} ${orgId}`]);
      return numberBatch(trx, batchRows);
    });
}
