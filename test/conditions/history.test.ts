import { expect, test } from 'vitest';
import { startWorld, type World } from '../support/world.ts';

const fiveMinutesMs = 300_000;
const counts = { total: 9, online: 7, healthy: 4, degraded: 2, unhealthy: 1 };

const read = async (world: World) => {
  const { status, body, text } = await world.call('GET', '/api/health-history');
  expect(status, text).toBe(200);
  return body.data;
};

test('the history of health has the counted intervals of the last 24 hours, oldest first, and nothing of the future', async () => {
  await using world = await startWorld();
  expect(await read(world)).toEqual({ interval_seconds: 300, points: [] });
  const nowMs = Math.floor(Date.now() / fiveMinutesMs) * fiveMinutesMs;
  const ago = (intervals: number) => new Date(nowMs - intervals * fiveMinutesMs);
  const ages = [1, 30, 287, 289, -2, 2];
  await world.db('health_history').insert(
    ages.map((intervals, index) => ({
      ...counts,
      org_id: world.orgId,
      slot: index,
      at: ago(intervals),
      total: 20 + index,
    })),
  );
  expect((await read(world)).points).toEqual(
    [
      [287, 22],
      [30, 21],
      [2, 25],
      [1, 20],
    ].map(([intervals = 0, total = 0]) => ({
      ...counts,
      at: ago(intervals).toISOString(),
      total,
      unknown: total - 7,
    })),
  );
});
