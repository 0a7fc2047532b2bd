import { expect, test } from 'vitest';
import { logUpkeep } from '../../src/logs/service.ts';
import { logPartitions } from '../../src/logs/partitions.ts';
import { timePartitions } from '../../src/platform/db/time-partitions.ts';
import { daysAgoMs } from '../support/log-counts.ts';
import { startIsolatedWorld } from '../support/world.ts';

test('counts have the days of the logs: those that are stored already, those to come, and none that is too old', async () => {
  await using world = await startIsolatedWorld();
  const days = async (table: string) => timePartitions(world.db, table).list();
  await logPartitions(world.db).make([daysAgoMs(20), daysAgoMs(5)]);
  await timePartitions(world.db, 'log_stats').make([daysAgoMs(20)]);
  await logUpkeep(world.db, 14).run();
  const kept = [5, 0, -1, -2].map(daysAgoMs);
  expect(await days('log_chunks')).toEqual(kept);
  expect(await days('log_stats')).toEqual(kept);
  expect(await days('log_stats_by_fleet')).toEqual(kept);
});
