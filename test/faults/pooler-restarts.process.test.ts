import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openDatabase } from '../../src/platform/db/index.ts';
import { testWith } from '../support/tools.ts';
import { orgAt, startPoolerScene } from './pooler-scene.ts';

const test = testWith('pgbouncer', 'postgresql');
const writers = 8;

test('while a pooler is down writes get 503, afterwards they succeed, and every acknowledged one is stored once', async () => {
  await using scene = await startPoolerScene();
  await using server = await scene.serve();
  const org = await orgAt(server);
  const acknowledged: string[] = [];
  const refused: number[] = [];
  let hasEnded = false;
  const write = async () => {
    while (!hasEnded) {
      const { status, data } = await org.call('POST', '/api/sites', { name: randomUUID() });
      if (status === 201) acknowledged.push(String(data['id']));
      else {
        refused.push(status);
        await sleep(20);
      }
    }
  };
  const load = Array.from({ length: writers }, write);
  const more = async (count = acknowledged.length + 5 * writers) =>
    expect.poll(() => acknowledged.length).toBeGreaterThan(count);
  await more();
  for (let round = 1; round <= 3; round += 1) {
    await scene.pooler.kill();
    const before = refused.length;
    await expect.poll(() => refused.length).toBeGreaterThan(before);
    const ready = () => fetch(`${server.url}/readyz`).then(({ status }) => status);
    await expect.poll(ready).toBe(503);
    await scene.pooler.start();
    await expect.poll(ready).toBe(200);
    await more();
  }
  hasEnded = true;
  await Promise.all(load);
  expect(refused).toContain(503);
  expect(refused.filter((status) => ![503, 429].includes(status))).toEqual([]); // 429: the machine is overloaded

  const db = openDatabase(scene.direct);
  const stored = await db('sites').pluck<string[]>('id');
  await db.destroy();
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(acknowledged.filter((id) => !stored.includes(id))).toEqual([]);
});

test('a burst beyond the clients that PgBouncer allows waits for the connections that the pool has', async () => {
  await using scene = await startPoolerScene({ 'max_client_conn = 500': 'max_client_conn = 3' });
  const db = openDatabase(scene.pooler.url, { pooler: true });
  try {
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => db.raw('select pg_sleep(0.002)')));
    expect(results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))).toEqual([]);
  } finally {
    await db.destroy();
  }
});
