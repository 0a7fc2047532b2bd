import type { Knex } from 'knex';
import { timePartitions } from '../platform/db/time-partitions.ts';
import { spanMs } from './model.ts';

/** The days of `received_at`. */
export const logPartitions = (db: Knex) => timePartitions(db, 'log_chunks');

/** Short, as they are dropped once they are merged: without the work of removing single rows. */
export const segmentPartitions = (db: Knex) =>
  timePartitions(db, 'log_segments', { periodMs: spanMs, ahead: 6, storage: 'autovacuum_enabled = false' });

/** Creates those of now and of some time ahead. */
export async function makeLogPartitions(db: Knex): Promise<void> {
  await logPartitions(db).makeAhead();
  await segmentPartitions(db).makeAhead();
}

/**
 * Keeps partitions of the log tables until the transaction ends. It has to be the first statement: a partition is dropped for
 * all snapshots at once, and what replaced it, chunks or objects, is not in an earlier one.
 */
export const keepLogPartitions = (trx: Knex.Transaction) =>
  trx.raw('lock table only log_chunks, only log_segments in access share mode');
