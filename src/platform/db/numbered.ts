import type { Knex } from 'knex';

/*
 * A history whose entries are numbered after their commit: a number taken in the transaction could be committed after a higher one, and a
 * reader that follows the numbers would never see it.
 */

/** Rows that are numbered at a time. */
const batchRows = 5_000;

/**
 * Runs `numberBatch`, which gives how many rows it numbered, until nothing is left to number. One writer at a time for each history and org,
 * whatever the replica.
 */
export async function numberAll(
  db: Knex,
  history: string,
  orgId: string,
  numberBatch: (trx: Knex, limit: number) => Promise<number>,
): Promise<void> {
  for (let numbered = batchRows; numbered === batchRows;)
    numbered = await db.transaction<number>(async (trx) => {
      await trx.raw("set local lock_timeout = '9s'"); // others that number this org go first; the statement limit ends it
      await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`${history} ${orgId}`]);
      return numberBatch(trx, batchRows);
    });
}
