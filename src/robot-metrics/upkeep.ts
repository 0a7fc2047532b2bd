import type { Knex } from 'knex';
import { timePartitions } from '../platform/db/time-partitions.ts';
import { bucketsOf } from './history.ts';
import { bucketsPerSpan, dayMs, rawRetentionDays, rollupRetentionDays, spanMs } from './model.ts';
import { packBuckets } from './packing.ts';
import { metricStore, type PackedRow } from './store.ts';

/** Robots per transaction: up to 1,200 blocks, about 20 ms of this process. */
const robotsAtOnce = 50;
/**
 * How long after its end a span is rolled up: its last blocks are written by then, also after an outage of the database.
 * Samples that are stored later are not in the rollups.
 */
const lateMs = 3_600_000;

/** Maintenance of the metrics. Every replica runs it periodically, and finds little left to do. */
export function metricUpkeep(db: Knex, nowMs: () => number = Date.now) {
  return {
    /**
     * `isClockRight`: false if what seems old may not be, so that nothing is deleted, and no span is skipped as too old;
     * default true.
     */
    async run({ isClockRight = true } = {}): Promise<void> {
      const [blocks, rollups] = [timePartitions(db, 'robot_metric_blocks'), timePartitions(db, 'robot_metric_rollups')];
      await blocks.makeAhead();
      await rollups.makeAhead();
      if (!isClockRight) return;
      while (await db.transaction((trx) => rollUp(trx, nowMs())));
      await blocks.dropOlder(rawRetentionDays);
      await rollups.dropOlder(rollupRetentionDays);
    },
  };
}

/** Rolls up the next robots, and moves the progress with them. Returns whether there may be more to do. */
async function rollUp(trx: Knex, now: number): Promise<boolean> {
  const store = metricStore(trx);
  const progress = await store.claimProgress();
  if (!progress) return false;
  const { spanAt, done } = progress;
  if (spanAt.getTime() + spanMs + lateMs > now) return false;
  // After a long downtime: the samples of older spans are dropped.
  const oldestMs = now - (rawRetentionDays + 1) * dayMs;
  const robots = spanAt.getTime() < oldestMs ? [] : await store.nextRobots(done, robotsAtOnce);
  const last = robots.at(-1);
  if (!last) {
    const nextMs = Math.max(spanAt.getTime() + spanMs, oldestMs - (oldestMs % spanMs));
    await store.setProgress({ spanAt: new Date(nextMs), done: undefined });
    return true;
  }
  const byRobot = new Map<string, PackedRow[]>();
  for (const block of await store.readBlocksOf(robots, spanAt)) {
    const known = byRobot.get(block.robotId);
    if (known) known.push(block);
    else byRobot.set(block.robotId, [block]);
  }
  const rollups = robots.flatMap(({ orgId, robotId }) => {
    const blocks = byRobot.get(robotId);
    if (!blocks) return [];
    const buckets = bucketsOf(spanAt.getTime(), bucketsPerSpan, blocks);
    // The last block of the span before may have no sample in this one.
    if (!buckets.avg.some((row) => row.some((value) => value !== undefined))) return [];
    return [{ orgId, robotId, startedAt: spanAt, body: packBuckets(buckets) }];
  });
  if (rollups.length > 0) await store.insertRollups(rollups);
  await store.setProgress({ spanAt, done: last });
  return true;
}
