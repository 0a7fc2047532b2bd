import { expect, test } from 'vitest';
import { records, startIsolatedLogWorld, type LogWorld } from '../logs/support.ts';

const minuteMs = 60_000;

/** How long ago, in ms. */
async function countedToAge({ get }: LogWorld): Promise<number> {
  const { body } = await get('/api/log-stats');
  return Date.now() - Date.parse(body.data.counted_to as string);
}

/** A world that has sent a record, of which all were counted, and nothing for an hour. */
async function startIdle() {
  const logs = await startIsolatedLogWorld();
  const link = await logs.robot();
  await logs.send(link, records(1, 1));
  await logs.merge();
  await logs.world.db('log_stats_progress').update({ counted_to: new Date(Date.now() - 60 * minuteMs) });
  return Object.assign(logs, { link });
}

test('of an idle org everything is counted up to a minute ago, and of another one up to its first record that is not', async () => {
  await using logs = await startIdle();
  const idleMs = await countedToAge(logs);
  expect(idleMs).toBeGreaterThanOrEqual(minuteMs);
  expect(idleMs).toBeLessThan(2 * minuteMs);

  await logs.send(logs.link, records(2, 2));
  await logs.spread(Date.now() - 1.5 * minuteMs, 1); // it is not merged before it is two minutes old
  const segment = await logs.world.db('log_segments').orderBy('id', 'desc').first<{ received_at: Date }>('received_at');
  const { body } = await logs.get('/api/log-stats');
  expect(body.data.counted_to).toBe(segment.received_at.toISOString());
});

test('while records are stored as chunks, which are not counted, nothing more is called counted', async () => {
  await using logs = await startIdle();
  await logs.storeChunks();
  expect(await countedToAge(logs)).toBeGreaterThan(59 * minuteMs);
});
