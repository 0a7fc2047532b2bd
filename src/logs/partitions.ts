import type { Knex } from 'knex';
import { dayPartitions } from '../platform/db/day-partitions.ts';

/** The days of `received_at`. */
export const logPartitions = (db: Knex) => dayPartitions(db, 'log_chunks');
