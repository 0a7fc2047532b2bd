import type { Knex } from 'knex';
import { logMerging } from './merging.ts';
import { logPartitions } from './partitions.ts';

/** What keeps the logs in shape. Every replica does it now and then, each finding little left to do. */
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
