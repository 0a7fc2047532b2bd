import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { findAllStreams } from '../../src/logs/segments/streams.ts';
import { segmentMerging } from '../../src/logs/segments/merging.ts';
import { logService, streamCache } from '../../src/logs/service.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { startIsolatedWorld } from '../support/world.ts';
import { messagesOf, records, startIsolatedLogWorld, type LogWorld } from './support.ts';

/** A pool that counts the streams which the database sends. */
function countingPool({ world }: LogWorld) {
  const db = openDatabase(world.connection);
  let streams = 0;
  db.on('query-response', (response: { rows?: unknown[] } | unknown[], { sql }: { sql: string }) => {
    if (sql.includes('from "log_streams"'))
      streams += Array.isArray(response) ? response.length : (response.rows ?? []).length;
  });
  return {
    db,
    /** Since the last call. */
    streamsRead(): number {
      const read = streams;
      streams = 0;
      return read;
    },
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

const snapshot = (db: Knex) => db.transaction({ isolationLevel: 'repeatable read', readOnly: true });

async function searchAll(db: Knex, orgId: string, streams: ReturnType<typeof streamCache>): Promise<unknown[]> {
  const { records: found } = await logService(db, { objects: undefined, streams }).search(
    orgId,
    {},
    { order: 'oldest', limit: 100 },
  );
  return found.map(({ kept }) => kept.message);
}

/** Streams of robots that send nothing. */
async function addSilentStreams(db: Knex, orgId: string): Promise<void> {
  const silent = Array.from({ length: 20 }, (_each, index) => ({
    org_id: orgId,
    number: 100 + index,
    robot_id: randomUUID(),
    fleet_id: randomUUID(),
  }));
  await db('log_streams').insert(silent);
  await db('log_orgs').where({ org_id: orgId }).update({ streams: 22 });
}

test('a service that searches an org again reads only the streams that are new', async () => {
  await using logs = await startIsolatedLogWorld();
  let streams = 0;
  const count = (response: unknown[], { sql }: { sql: string }) => {
    if (sql.includes('from "log_streams"')) streams += response.length;
  };
  const search = async () => {
    streams = 0;
    const messages = messagesOf((await logs.get('/api/logs?order=asc&limit=100')).body.items);
    return { messages, streams };
  };
  for (let robot = 0; robot < 5; robot += 1) await logs.send(await logs.robot(), records(1, 1));
  logs.world.db.on('query-response', count);
  try {
    expect(await search()).toEqual({ messages: Array(5).fill('line 1'), streams: 5 });
    expect((await search()).streams).toBe(1); // the last one, to see that it is the same
    await logs.send(await logs.robot(), records(1, 1, { message: 'of a new one' }));
    expect(await search()).toEqual({ messages: [...Array(5).fill('line 1'), 'of a new one'], streams: 2 });
    const ofFleet = await logs.get(`/api/fleets/${logs.fleetId}/logs`);
    expect(messagesOf(ofFleet.body.items)).toContain('of a new one');
  } finally {
    logs.world.db.off('query-response', count);
  }
});

test('a search of an org with more streams than are kept reads those of the records that it finds', async () => {
  await using logs = await startIsolatedLogWorld();
  await using pool = countingPool(logs);
  const { orgId } = logs.world;
  for (const message of ['one', 'two']) await logs.send(await logs.robot(), records(1, 1, { message }));
  await addSilentStreams(pool.db, orgId);
  expect(await searchAll(pool.db, orgId, streamCache(12))).toEqual(['one', 'two']);
  expect(pool.streamsRead()).toBe(2);
});

test('merging reads only the streams of what it merges, of an org with more than are kept', async () => {
  await using logs = await startIsolatedLogWorld();
  await using pool = countingPool(logs);
  const { orgId } = logs.world;
  const links = [await logs.robot(), await logs.robot()];
  for (const link of links) await logs.send(link, records(1, 2));
  await addSilentStreams(pool.db, orgId);
  const merging = segmentMerging(pool.db, {
    log: createLogger('silent', []),
    streams: streamCache(12),
    onLost: () => expect.unreachable(),
  });
  await merging.run(true);
  expect(pool.streamsRead()).toBe(2);
  expect(await logs.world.count('log_chunks')).toBe(2);
  for (const { robotId } of links) expect(messagesOf(await logs.all(robotId))).toEqual(['line 1', 'line 2']);
});

test('a snapshot from before a stream was known reads what there was then, and later ones read everything', async () => {
  await using logs = await startIsolatedLogWorld();
  await using pool = countingPool(logs);
  const { orgId } = logs.world;
  const streams = streamCache();
  await logs.send(await logs.robot(), records(1, 1, { message: 'before' }));
  const old = await snapshot(pool.db);
  try {
    expect((await streams.find(old, orgId)).size).toBe(1);
    await logs.send(await logs.robot(), records(1, 1, { message: 'after' }));
    expect(await searchAll(pool.db, orgId, streams)).toEqual(['before', 'after']);
    expect(await searchAll(old, orgId, streams)).toEqual(['before']);
    expect(await searchAll(pool.db, orgId, streams)).toEqual(['before', 'after']);
  } finally {
    await old.rollback();
  }
});

test('after the database was replaced by another one, no record is shown for a robot of the first', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db, orgId } = logs.world;
  const streams = streamCache();
  for (let robot = 0; robot < 3; robot += 1) await logs.send(await logs.robot(), records(1, 1));
  const before = await streams.find(db, orgId);
  await db('log_streams')
    .where({ org_id: orgId })
    .update({ robot_id: db.raw('gen_random_uuid()') });
  const after = await streams.find(db, orgId);
  expect([...after.keys()]).toEqual([...before.keys()]);
  const robotIds = (await db('log_streams').where({ org_id: orgId }).orderBy('number').pluck('robot_id')) as string[];
  expect([...after.values()].map(({ robotId }) => robotId)).toEqual(robotIds);
});

test('of many streams those of the orgs are kept that were read last, and a larger org is read each time', async () => {
  await using logs = await startIsolatedLogWorld();
  await using pool = countingPool(logs);
  const streams = streamCache(12);
  const orgs = [randomUUID(), randomUUID(), randomUUID()];
  const [first = '', second = '', large = ''] = orgs;
  const fleetId = randomUUID();
  const sizes = { [first]: 5, [second]: 4, [large]: 20 };
  for (const [orgId, size] of Object.entries(sizes)) {
    const numbers = Array.from({ length: size }, (_each, index) => index + 1);
    const row = (number: number) => ({
      org_id: orgId,
      number,
      robot_id: randomUUID(),
      fleet_id: number === 1 ? fleetId : randomUUID(),
    });
    await pool.db('log_streams').insert(numbers.map(row));
    await pool.db('log_orgs').insert({ org_id: orgId, streams: size });
  }
  const read = async (orgId: string, fleetIds?: string[]) => {
    pool.streamsRead();
    const { size } = await pool.db.transaction((trx) => streams.find(trx, orgId, fleetIds));
    return { size, read: pool.streamsRead() };
  };
  try {
    expect(await read(first)).toEqual({ size: 5, read: 5 });
    expect(await read(first)).toEqual({ size: 5, read: 1 });
    expect(await read(second)).toEqual({ size: 4, read: 4 });
    expect(await read(first)).toEqual({ size: 5, read: 5 });
    for (let time = 0; time < 2; time += 1) expect(await read(large)).toEqual({ size: 20, read: 20 });
    expect(await read(large, [fleetId])).toEqual({ size: 1, read: 1 });
    expect(await read(second, [fleetId])).toEqual({ size: 1, read: 4 });
    expect(await read(second, [fleetId])).toEqual({ size: 1, read: 1 });
  } finally {
    await pool.db('log_streams').whereIn('org_id', orgs).delete();
    await pool.db('log_orgs').whereIn('org_id', orgs).delete();
  }
});

test.each([1_999, 2_000, 4_001])('all %i streams of an org are read, some at a time', async (count) => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  await db.raw(
    `insert into log_streams (org_id, number, robot_id, fleet_id)
     select ?, n, gen_random_uuid(), gen_random_uuid() from generate_series(1, ?) n`,
    [orgId, count],
  );
  expect([...(await findAllStreams(db, orgId)).keys()]).toEqual(Array.from({ length: count }, (_each, n) => n + 1));
  expect([...(await findAllStreams(db, orgId, count)).keys()]).toEqual([count]);
});
