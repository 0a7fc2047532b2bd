import type { Knex } from 'knex';
import { logStatPartitions } from '../log-stats/service.ts';
import { logMerging } from './merging.ts';
import { objectIndex } from './objects/index-store.ts';
import { logPartitions, makeLogPartitions } from './partitions.ts';
import { dropLeftStreams } from './segments/left-streams.ts';

/** Maintenance of the logs. Every replica runs it periodically, and finds little left to do. */
export function logUpkeep(db: Knex, retentionDays: number) {
  return {
    async run(): Promise<void> {
      await makeLogPartitions(db);
      await logPartitions(db).dropOlder(retentionDays);
      await objectIndex(db).expire(retentionDays);
      await logStatPartitions(db).make(await logPartitions(db).list());
      await logStatPartitions(db).dropOlder(retentionDays);
      // Replicas read them within an hour, or read everything again.
      await db('log_robot_changes').where('changed_at', '<', db.raw(`now() - interval '2 hours'`)).delete();
      await dropLeftStreams(db, retentionDays);
      await logMerging(db).run();
    },
  };
}
