import type { Knex } from 'knex';
import { logMerging } from './merging.ts';
import { logPartitions } from './partitions.ts';

/** Maintenance of the logs. Every replica runs it periodically, and finds little left to do. */
export function logUpkeep(db: Knex, retentionDays: number) {
  return {
    async run(): Promise<void> {
      const partitions = logPartitions(db);
      await partitions.makeAhead();
      await partitions.dropOlder(retentionDays);
      await logMerging(db).run();
    },
  };
}
