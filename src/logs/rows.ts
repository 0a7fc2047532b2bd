import type { Knex } from 'knex';
import type { LogObjects } from './objects/bodies.ts';

/** Where log records are read. */
export interface LogRows {
  db: Knex; // a transaction with one snapshot
  objects: LogObjects | undefined; // undefined: all records are in the database
}

/**
 * Reads from one snapshot: merging moves records between rows, and moving a day replaces a partition by objects. A partition
 * is dropped for all snapshots at once, so while there are objects, none is during the read.
 */
export const readLogRows = <Page>({ db, objects }: LogRows, read: (rows: LogRows) => Promise<Page>): Promise<Page> =>
  db.transaction(
    async (trx) => {
      if (objects) await trx.raw('lock table only log_chunks in access share mode');
      return read({ db: trx, objects });
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
