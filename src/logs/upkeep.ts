import type { Knex } from 'knex';
import { logStatPartitions } from '../log-stats/service.ts';
import { logMerging } from './merging.ts';
import { objectIndex } from './objects/index-store.ts';
import { logPartitions, makeLogPartitions } from './partitions.ts';
import { dropLeftStreams } from './segments/left-streams.ts';

/** Maintenance of the logs. Every replica runs it periodically, and finds little left to do. */
export function logUpkeep(db: Knex, retentionDays: number) {
  return {
    /** `isClockRight`: false if what seems old may not be, so that nothing is deleted; default true. */
    async run({ isClockRight = true } = {}): Promise<void> {
      await makeLogPartitions(db);
      await logStatPartitions(db).make(await logPartitions(db).list());
      if (isClockRight) await deleteOld(db, retentionDays);
      await logMerging(db).run();
    },
  };
}

async function deleteOld(db: Knex, retentionDays: number): Promise<void> {
  await logPartitions(db).dropOlder(retentionDays);
  await objectIndex(db).expire(retentionDays);
  await logStatPartitions(db).dropOlder(retentionDays);
  await dropOldChanges(db);
  await dropLeftStreams(db, retentionDays);
}

const changesAtATime = 5_000;

/** Deletes changes of robots that replicas know, as they read them within an hour or read everything again. */
async function dropOldChanges(db: Knex): Promise<void> {
  for (let removed = changesAtATime; removed === changesAtATime;) {
    ({ rowCount: removed } = await db.raw<{ rowCount: number }>(
      `delete from log_robot_changes where ctid = any(array(
         select ctid from log_robot_changes where changed_at < now() - interval '2 hours'
          limit ${changesAtATime} for update skip locked))`,
    ));
  }
}
