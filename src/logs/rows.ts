import type { Knex } from 'knex';
import type { LogObjects } from './objects/bodies.ts';
import { keepLogPartitions } from './partitions.ts';
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

/** Reads from one snapshot, as merging and moving replace rows by others. */
export const readLogRows = <Page>({ db, ...reading }: LogRows, read: (rows: LogRows) => Promise<Page>): Promise<Page> =>
  db.transaction(
    async (trx) => {
      await keepLogPartitions(trx);
      return read({ db: trx, ...reading });
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
