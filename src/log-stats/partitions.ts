import type { Knex } from 'knex';
import { timePartitions } from '../platform/db/time-partitions.ts';

/** Each row is updated several times. So all new versions of a page fit into it. */
const storage = 'fillfactor = 50';

/** The days of both tables of counts. */
export function logStatPartitions(db: Knex) {
  const tables = ['log_stats', 'log_stats_by_fleet'].map((table) => timePartitions(db, table, { storage }));
  return {
    /** Creates the missing ones of these days (their first instants, ms). */
    async make(days: readonly number[]): Promise<void> {
      for (const partitions of tables) await partitions.make(days);
    },

    async dropOlder(retentionDays: number): Promise<void> {
      for (const partitions of tables) await partitions.dropOlder(retentionDays);
    },
  };
}

/** The first instant of the oldest day, in ms; undefined if there is none. */
export const oldestDayMs = async (db: Knex): Promise<number | undefined> =>
  (await timePartitions(db, 'log_stats_by_fleet').list())[0];
