import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { octets, part, put, released } from '../../support/artifacts.ts';
import { patienceMs } from '../../support/until.ts';
import { startStuckStore } from '../../support/stuck-store.ts';
import { watchRobot } from '../../support/watch.ts';
import { startIsolatedWorld } from '../../support/world.ts';

/** With two connections, requests of people have one slot. */
const env = { DATABASE_POOL: '2' };
/** A reader is disconnected after it. */
const stalledMs = 10_000;

test('a request that waits for a robot leaves its slot to others', async () => {
  await using world = await startIsolatedWorld({ env });
  using robot = await watchRobot(world);
  const asked = world.call('GET', `/api/robots/${robot.id}/ros/topics`);
  using list = await robot.come();
  expect((await world.call('GET', '/api/sites')).status).toBe(200);
  list.socket.send('{"topics":[]}');
  expect((await asked).status).toBe(200);
});

test('an upload whose bytes are still to come leaves its slot to others', async () => {
  await using world = await startIsolatedWorld({ env });
  const { bytes, path } = await released(world, 100_000);
  const headers = { ...octets, Authorization: `Bearer ${world.orgToken}`, 'Content-Length': String(bytes.length) };
  const upload = httpRequest(`${world.url}${path}`, { method: 'PUT', headers });
  let isOpen = true;
  upload.on('error', () => undefined).on('close', () => (isOpen = false));
  upload.write(bytes.subarray(0, 1_000));
  await expect.poll(async () => (await world.call('HEAD', path)).headers.get('upload-offset')).toBe('1000');
  expect((await world.call('POST', '/api/sites', { body: { name: 'Osaka' } })).status).toBe(201);
  expect(isOpen).toBe(true);
  upload.destroy();
  await expect.poll(async () => (await put(world, path, bytes)).status).toBeLessThan(300);
});

test('a reader that does not take its list leaves its slot to others', async () => {
  await using world = await startIsolatedWorld({ env });
  await world.db.raw(
    `insert into sites (org_id, id, name) select ?, gen_random_uuid(), repeat('x', 100) || n from generate_series(1, 40000) n`,
    [world.orgId],
  );
  const stalled = new AbortController();
  const headers = { Authorization: `Bearer ${world.orgToken}` };
  const response = await fetch(`${world.url}/api/sites`, { headers, signal: stalled.signal });
  expect(response.status).toBe(200);
  const startedAt = performance.now();
  expect((await world.call('GET', '/api/sites?limit=1')).status).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(stalledMs);
  stalled.abort();
});

/** The store hangs for longer than a test waits. */
const s3Patience = { answerMs: 2 * patienceMs };

test('requests that wait for the object store leave their slots to others', async () => {
  await using store = await startStuckStore();
  await using world = await startIsolatedWorld({ env: { ...env, ...store.env }, s3Patience });
  const { bytes, path } = await released(world, 1_000);
  await world.db('artifacts').insert({ org_id: world.orgId, sha256: path.slice(-64), size: bytes.length });
  const asked = ['GET', 'HEAD'].map((method) => world.call(method, path));
  await expect.poll(() => store.waiting).toBe(2);
  expect((await world.call('GET', '/api/sites')).status).toBe(200);
  expect(store.waiting).toBe(2);
  store.answerAll();
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([503, 503]);
});

/** Connections of a test's pool, whatever `DATABASE_POOL` is. */
const pool = 10;

test('uploads that are recorded while the object store is slow leave connections to others', async () => {
  await using store = await startStuckStore();
  await using world = await startIsolatedWorld({ env: store.env, s3Patience });
  const files = await Promise.all(Array.from({ length: pool + 2 }, () => released(world, 1_000)));
  for (const { path } of files) store.keep(path.slice(-64), 1_000);
  const uploads = files.map(({ path, bytes }) => {
    const last = part(bytes, 999, 999);
    return put(world, path, last.body, last.headers);
  });
  await expect.poll(() => store.waiting).toBe(2);
  expect((await world.call('GET', '/api/sites')).status).toBe(200);
  expect(store.waiting).toBe(2);
  store.answerAll();
  expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual(files.map(() => 200));
});
