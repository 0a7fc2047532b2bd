import type { Knex } from 'knex';
import { segmentPartitions } from '../partitions.ts';

const rowsAtATime = 5_000;
/** Longer than a replica relies on what it knows of a robot: `store_log_segment` refuses what is an hour old. */
const knownForMs = 2 * 3_600_000;

/**
 * Deletes the streams of robots that left their fleets more than so many days ago. Only segments name streams, so those of
 * which segments may be left stay, also if merging is late. A robot that returns gets a new number.
 */
export async function dropLeftStreams(db: Knex, days: number): Promise<void> {
  const [oldest] = await segmentPartitions(db).list();
  const before = oldest === undefined ? null : new Date(oldest - knownForMs);
  for (let removed = rowsAtATime; removed === rowsAtATime;) {
    ({ rowCount: removed } = await db.raw<{ rowCount: number }>(
      `delete from log_streams where ctid = any(array(
         select ctid from log_streams where left_at < least(now() - make_interval(days => :days), :before::timestamptz)
          order by left_at limit ${rowsAtATime} for update skip locked))`,
      { days, before },
    ));
  }
}
