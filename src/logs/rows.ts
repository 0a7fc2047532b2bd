import type { Knex } from 'knex';
import type { LogObjects } from './objects/bodies.ts';
import type { StreamCache } from './segments/stream-cache.ts';

/** What all readers of a replica share. */
export interface LogReading {
  objects: LogObjects | undefined; // undefined: all records are in the database
  streams: StreamCache;
}

/** Where log records are read. */
export interface LogRows extends LogReading {
  db: Knex; // a transaction with one snapshot
}

/**
 * Reads from one snapshot: merging moves records between rows, and moving a day replaces a partition by objects. A partition
 * is dropped for all snapshots at once, so while there are objects, none is during the read.
 */
export const readLogRows = <Page>({ db, ...reading }: LogRows, read: (rows: LogRows) => Promise<Page>): Promise<Page> =>
  db.transaction(
    async (trx) => {
      if (reading.objects) await trx.raw('lock table only log_chunks in access share mode');
      return read({ db: trx, ...reading });
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
