import { randomBytes, randomUUID } from 'node:crypto';
import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openLogObjects } from '../../src/logs/objects/bodies.ts';
import type { ObjectSizes } from '../../src/logs/objects/day-objects.ts';
import { logMover } from '../../src/logs/objects/mover.ts';
import { objectSource } from '../../src/logs/objects/source.ts';
import { logPartitions } from '../../src/logs/partitions.ts';
import { logUpkeep, type LinkRef } from '../../src/logs/service.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { openObjectStore } from '../../src/platform/s3/open.ts';
import type { ObjectStore } from '../../src/platform/s3/object-store.ts';
import { startS3Store, type S3Store } from '../support/s3-store.ts';
import { testWith } from '../support/tools.ts';
import { logWorldOn, records, type LogWorld } from './support.ts';
import { everyAnswer, fill, pages } from './answers.ts';
import { startIsolatedWorld, type IsolatedWorld } from '../support/world.ts';
import { startOnDamagedCopy } from './damage.ts';

const dayMs = 86_400_000;
const daysAgo = (days: number) => Math.floor(Date.now() / dayMs) * dayMs - days * dayMs + 8 * 3_600_000;

let s3: S3Store;
beforeAll(async () => {
  s3 = await startS3Store();
});
afterAll(async () => {
  await s3[Symbol.asyncDispose]();
});

interface Moved extends LogWorld {
  world: IsolatedWorld;
  name: string; // of the database
  bucket: string;
  store: ObjectStore;
  lines: string[];
  /** Moves the days that are due. */
  move(changes?: Partial<ObjectStore>, sizes?: Partial<ObjectSizes>): Promise<void>;
  keys(): Promise<string[]>;
}

/** A world with log records of past days, and a bucket for them. */
async function storing(): Promise<Moved> {
  const bucket = `logs-${randomBytes(4).toString('hex')}`;
  const env = await s3.bucket(bucket);
  const store = await openObjectStore(readConfig(env).s3, { answerMs: 3_000, connectMs: 2_000 });
  if (!store) throw new Error('no store');
  const world = await startIsolatedWorld({ env, s3Patience: { answerMs: 3_000, connectMs: 2_000 } });
  const logs = await logWorldOn(world);
  const lines: string[] = [];
  const log = createLogger('info', [], (line) => void lines.push(line));
  const { signal } = new AbortController();
  return Object.assign(logs, {
    name: world.name,
    bucket,
    store,
    lines,
    async move(changes = {}, sizes = {}) {
      const { db } = logs.world;
      await db('log_mover').delete(); // as the service's own may have the lease
      const mover = logMover({ db, log, signal, sizes, store: { ...store, ...changes }, replicaId: logs.world.orgId });
      await mover.move();
      await db('log_objects')
        .where({ state: 'removing' })
        .update({ changed_at: new Date(0) });
      await mover.clean();
    },
    async keys() {
      const { Contents = [] } = await s3.client.send(new ListObjectsV2Command({ Bucket: bucket }));
      return Contents.map(({ Key = '' }) => Key);
    },
  });
}

const startMs = daysAgo(3);

/** With so many records of one robot, of a day that is due. */
async function storingDay(count: number): Promise<Moved & { link: LinkRef }> {
  const logs = await storing();
  const link = await logs.robot();
  await logs.send(link, records(1, count));
  await logs.spread(startMs, 1_000);
  await logs.merge();
  return Object.assign(logs, { link });
}

/** Moves the days that are due, with a database that does not respond from this statement on. */
async function moveUntil(logs: Moved, statement: number): Promise<void> {
  const { db, connection } = logs.world;
  await db('log_mover').delete();
  const own = openDatabase(connection, { connections: 4 });
  let left = statement;
  own.on('query', () => {
    left -= 1;
    if (left <= 0) throw new Error('the database is gone');
  });
  const { signal } = new AbortController();
  const log = createLogger('silent', []);
  try {
    await logMover({ db: own, log, signal, store: logs.store, replicaId: logs.world.orgId }).move();
  } finally {
    await own.destroy();
  }
}

for (const { kind, sizes, objects } of [
  { kind: 'one object', sizes: {}, objects: 1 },
  { kind: 'many objects of small blocks', sizes: { objectBytes: 1, blockChunks: 2, rowsAtATime: 4 }, objects: 4 },
])
  testWith('python3-swift')(`moving a day into ${kind} changes no answer, to the byte`, async () => {
    await using logs = await storing();
    const { db } = logs.world;
    const robotIds = await fill(logs);
    await logs.spread(startMs, 60_000);
    await logs.merge();
    const before = await everyAnswer(logs, robotIds, startMs);
    expect(before[0]).toHaveLength(120);
    const chunks = await logs.world.count('log_chunks');
    await logs.move({}, sizes);
    expect(await logs.world.count('log_chunks')).toBe(0);
    expect(await logPartitions(db).list()).not.toContain(startMs - (startMs % dayMs));
    expect(await logs.keys()).toHaveLength(objects);
    expect((await db('log_object_blocks').sum('chunks as chunks').first())?.['chunks']).toBeLessThanOrEqual(chunks);
    expect(await everyAnswer(logs, robotIds, startMs)).toEqual(before);
  });

testWith('python3-swift')('records of the last day stay in the database, and lists go over both', async () => {
  await using logs = await storingDay(5);
  const { link } = logs;
  await logs.move();
  await logs.send(link, records(6, 8));
  await logs.merge();
  await logs.send(link, records(9, 9));
  await logs.move();
  expect(await logs.keys()).toHaveLength(1);
  expect((await logs.all(link.robotId)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const latest = await logs.get(`/api/robots/${link.robotId}/logs?limit=6`);
  expect(latest.body.items.map(({ seq }: { seq: number }) => seq)).toEqual([4, 5, 6, 7, 8, 9]);
});

testWith('python3-swift')('records of a day that is older than all moved ones are read from the database', async () => {
  await using logs = await storingDay(5);
  await logs.move();
  const other = await logs.robot();
  await logs.send(other, records(1, 3));
  await logs.spread(daysAgo(6), 1_000);
  await logs.merge();
  expect(await logs.all(other.robotId)).toHaveLength(3);
  const found = await pages(logs, '/api/logs?order=asc&limit=100');
  expect(found.map((item) => (JSON.parse(item) as { seq: number }).seq)).toEqual([1, 2, 3, 1, 2, 3, 4, 5]);
});

testWith('python3-swift')(
  'a store that does not respond loses nothing: the day stays, and is moved later',
  async () => {
    await using logs = await storingDay(5);
    const { link } = logs;
    await s3.kill();
    try {
      await expect(logs.move()).rejects.toThrow('the object store does not respond or refuses');
      expect(await logs.all(link.robotId)).toHaveLength(5);
    } finally {
      await s3.start();
    }
    await logs.move();
    expect(await logs.all(link.robotId)).toHaveLength(5);
    s3.signal('SIGSTOP');
    const answer = await logs.get(`/api/robots/${link.robotId}/logs`).finally(() => s3.signal('SIGCONT'));
    expect([answer.status, answer.body.error.message]).toEqual([
      503,
      'the object store does not respond or refuses, try again',
    ]);
    // What is not older needs no store.
    await logs.send(link, records(6, 6));
    s3.signal('SIGSTOP');
    const latest = await logs.get(`/api/robots/${link.robotId}/logs?limit=1`).finally(() => s3.signal('SIGCONT'));
    expect(latest.body.items).toMatchObject([{ seq: 6 }]);
  },
);

testWith('python3-swift')(
  'a day that the database cannot read stays there, and the days after it are moved',
  async () => {
    const lines: string[] = [];
    await using logs = await storing();
    const link = await logs.robot();
    for (const seq of [1, 2]) await logs.send(link, records(seq, seq));
    const days = [4, 3].map((days) => daysAgo(days) - (daysAgo(days) % dayMs));
    await logs.spread(daysAgo(4), dayMs / 2);
    await logs.merge();
    const [relation = ''] = days.map((day) => logPartitions(logs.world.db).nameOf(day));
    await using damaged = await startOnDamagedCopy(logs, [{ relation, page: 0, with: 'noise' }]);
    await damaged.db('replicas').update({ reads_log_objects: true });
    await damaged.db('log_mover').delete();
    const mover = logMover({
      db: damaged.db,
      store: logs.store,
      replicaId: damaged.orgId,
      log: createLogger('info', [], (line) => void lines.push(line)),
      signal: new AbortController().signal,
    });
    for (let times = 0; times < 2; times += 1) await mover.move();
    const left = await logPartitions(damaged.db).list();
    expect(days.map((day) => left.includes(day))).toEqual([true, false]);
    expect(await logs.keys()).toHaveLength(1);
    expect(lines.filter((line) => line.includes('the database is damaged'))).toHaveLength(2);
  },
);

testWith('python3-swift')(
  'a replica that ends in the middle leaves no object that is not removed, and the next one goes on',
  async () => {
    await using logs = await storing();
    const { db } = logs.world;
    const robotIds = await fill(logs, 10);
    await logs.spread(startMs, 60_000);
    await logs.merge();
    const before = await everyAnswer(logs, robotIds, startMs);
    // It was stored, and nobody knows.
    const lost = logs.move({
      async put(key, parts) {
        await logs.store.put(key, parts);
        throw new Error('ended');
      },
    });
    await expect(lost).rejects.toThrow('ended');
    expect(await logs.keys()).toHaveLength(1);
    await logs.move();
    expect(await logs.keys()).toHaveLength(2);
    expect(await everyAnswer(logs, robotIds, startMs)).toEqual(before);
    await db('log_objects')
      .where({ state: 'writing' })
      .update({ changed_at: db.raw(`now() - interval '61 minutes'`) });
    await logs.move();
    expect(await logs.keys()).toHaveLength(1);
    expect(await logs.world.count('log_objects')).toBe(1);
    expect(await everyAnswer(logs, robotIds, startMs)).toEqual(before);
  },
);

testWith('python3-swift')(
  'at whichever statement a mover loses its database, each record is there once, and the next one goes on',
  async () => {
    await using logs = await storing();
    const { db } = logs.world;
    const robotIds = await fill(logs, 3);
    await logs.spread(startMs, 60_000);
    await logs.merge();
    const answer = () => Promise.all(robotIds.map((id) => logs.all(id)));
    const before = await answer();
    let failures = 0;
    for (let statement = 1, hasMoved = false; !hasMoved; statement += 1) {
      hasMoved = await moveUntil(logs, statement).then(
        () => true,
        () => false,
      );
      failures += hasMoved ? 0 : 1;
      expect(await answer()).toEqual(before);
    }
    expect(failures).toBeGreaterThan(10); // each begins where the one before ended
    expect(await logs.world.count('log_chunks')).toBe(0);
    await db('log_objects')
      .where({ state: 'writing' })
      .update({ changed_at: new Date(0) });
    await logs.move();
    expect(await logs.keys()).toHaveLength(1);
    expect(await answer()).toEqual(before);
  },
);

testWith('python3-swift')('what changes in a day while it is moved is in the objects in the end, once', async () => {
  await using logs = await storingDay(4);
  const { db } = logs.world;
  const { link } = logs;
  await logs.move({
    async put(key, parts) {
      await logs.store.put(key, parts);
      await db('log_chunks').update({ records: 3, last_seq: 3 }); // as if a replica stored something else
    },
  });
  expect(await logs.world.count('log_chunks')).toBe(1);
  expect(logs.lines.join()).toContain('changed while they were moved');
  await db('log_chunks').update({ records: 4, last_seq: 4 });
  await logs.move();
  expect(await logs.world.count('log_chunks')).toBe(0);
  expect(await logs.all(link.robotId)).toHaveLength(4);
  expect(await logs.keys()).toHaveLength(1);
});

testWith('python3-swift')(
  'nothing is moved while a replica of the previous release is alive, or something of the day is not merged',
  async () => {
    await using logs = await storing();
    const { db } = logs.world;
    const link = await logs.robot();
    await logs.send(link, records(1, 4));
    await logs.spread(startMs, 1_000);
    await db.transaction(async (trx) => {
      // The service merges meanwhile, and waits for this.
      await trx.raw('select pg_advisory_xact_lock(log_org_lock(?::uuid))', [logs.world.orgId]);
      await logs.move();
    });
    expect(await logs.keys()).toEqual([]);
    await logs.merge();
    const old = { id: link.robotId, stores_segments: true, lease_until: db.raw(`now() + interval '1 hour'`) };
    await db('replicas').insert(old);
    await logs.move();
    expect(await logs.keys()).toEqual([]);
    await db('replicas').where({ id: old.id }).delete();
    await logs.move();
    expect(await logs.keys()).toHaveLength(1);
  },
);

testWith('python3-swift')(
  'days are moved and objects removed again after the clock of the database was in 2100, but not during the lease of another replica',
  async () => {
    await using logs = await storingDay(4);
    const { db, orgId } = logs.world;
    const { signal } = new AbortController();
    const log = createLogger('silent', []);
    const mover = logMover({ db, log, signal, store: logs.store, replicaId: orgId });
    const lease = (until: Knex.Raw | string) =>
      db('log_mover').insert({ replica_id: randomUUID(), lease_until: until }).onConflict('id').merge();
    await lease(db.raw(`now() + interval '4 minutes'`));
    await mover.move();
    expect(await logs.keys()).toEqual([]);
    await lease('2100-01-01');
    await mover.move();
    expect(await logs.keys()).toHaveLength(1);
    await db('log_objects').update({ state: 'removing', changed_at: '2100-01-01' });
    await lease('2100-01-01');
    await mover.clean();
    expect(await logs.keys()).toEqual([]);
  },
);

testWith('python3-swift')('objects of days beyond the retention are removed whole', async () => {
  await using logs = await storingDay(4);
  const { link } = logs;
  await logs.move();
  await logUpkeep(logs.world.db, 3).run();
  expect(await logs.all(link.robotId)).toHaveLength(4);
  await logUpkeep(logs.world.db, 2).run();
  expect(await logs.all(link.robotId)).toEqual([]);
  await s3.kill();
  await expect(logs.move())
    .rejects.toThrow('the object store does not respond or refuses')
    .finally(() => s3.start());
  await logs.move();
  expect(await logs.keys()).toEqual([]);
  expect(await logs.world.count('log_objects')).toBe(0);
});

testWith('python3-swift')('a chunk that is damaged in the database does not stop its day', async () => {
  await using logs = await storingDay(30);
  const { db } = logs.world;
  const { link } = logs;
  await db('log_chunks').update({ body: Buffer.from('78ffffff', 'hex') });
  await db.raw(
    `insert into log_chunks select org_id, robot_id, fleet_id, first_at + interval '1 s', received_at + interval '1 s', 31, 60, records, bytes,
       max_level, ?, text_filter from log_chunks`,
    [Buffer.from('{"level":"info","source":"journal","message":"whole"}\n'.repeat(30))],
  );
  await logs.move();
  expect(await logs.world.count('log_chunks')).toBe(0);
  expect((await logs.all(link.robotId)).map(({ seq }) => seq)).toEqual(Array.from({ length: 30 }, (_, at) => at + 31));
});

testWith('python3-swift')('the index of a day of quiet robots takes at most 2 bytes for each record', async () => {
  await using logs = await storing();
  const { db } = logs.world;
  for (let robot = 0; robot < 20; robot += 1) await logs.send(await logs.robot(), records(1, 1));
  await logs.spread(startMs, 1);
  await logs.merge();
  // A line each 5 s, merged each two minutes.
  const perChunk = 24;
  const line = '{"level":"info","source":"journal","message":"planner: goal 12.3 4.5 reached in 31.2 s"}\n';
  await db.raw(
    `insert into log_chunks select org_id, robot_id, fleet_id, at, at + interval '115 s', 2 + n * :perChunk, 1 + (n + 1) * :perChunk, :perChunk,
            octet_length(:body::bytea), 2, :body, null
       from log_chunks, generate_series(0, 719) n, lateral (select :day::timestamptz + n * interval '2 minutes' as at) t`,
    { perChunk, body: Buffer.from(line.repeat(perChunk)), day: new Date(startMs - (startMs % dayMs)) },
  );
  await logs.move();
  const { rows } = await db.raw<{ rows: [{ bytes: number; records: number }] }>(
    `select (pg_total_relation_size('log_objects') + pg_total_relation_size('log_object_blocks'))::float8 as bytes,
            (select sum(records)::float8 from log_objects) as records`,
  );
  expect(rows[0].records).toBe(20 * 720 * perChunk + 20);
  expect(rows[0].bytes / rows[0].records).toBeLessThan(2);
});

testWith('python3-swift')('a search for what a robot that changed fleets never had comes to its end', async () => {
  await using logs = await storing();
  const { db } = logs.world;
  const [link, loud] = [await logs.robot(), await logs.robot()];
  for (const each of [link, loud]) await logs.send(each, records(1, 1));
  await logs.spread(startMs, 1);
  await logs.merge();
  // It was in each of six fleets twice, so that their blocks lie side by side. Each of these has errors, of another robot.
  await db.raw(
    `insert into log_chunks
     select org_id, robot_id, md5((n % 6)::text)::uuid, at, at, 2 + n, 2 + n, 1, bytes, case when robot_id = :loud then 4 else 2 end, body, null
       from log_chunks, generate_series(0, 11) n, lateral (select received_at + (n + 1) * interval '10 minutes' as at) t`,
    { loud: loud.robotId },
  );
  await logs.move();
  const numbers = async (query: string) =>
    (await logs.get(`/api/robots/${link.robotId}/logs?${query}`)).body.items.map(({ seq }: { seq: number }) => seq);
  expect(await numbers('after=0&level=error')).toEqual([]);
  expect(await numbers('level=error')).toEqual([]);
  // On a busy machine the first page may end early.
  await expect.poll(() => numbers('after=0')).toEqual(Array.from({ length: 13 }, (_, at) => at + 1));
});

testWith('python3-swift')('a statement that must look at many blocks of a day reads each of them once', async () => {
  await using logs = await storingDay(1);
  const { db, connection, orgId } = logs.world;
  // 40 fleets, which all have a record each morning and each afternoon.
  await db.raw(
    `insert into log_chunks
     select org_id, robot_id, md5((n % 40)::text)::uuid, at, at, 2 + n, 2 + n, 1, bytes, max_level, body, null
       from log_chunks, generate_series(0, 79) n,
            lateral (select received_at + n * interval '1 s' + (n / 40) * interval '6 hours' as at) t`,
  );
  await logs.move();
  const log = createLogger('silent', []);
  const objects = await openLogObjects(db, { store: logs.store, log, readersAtOnce: 1 });
  if (!objects) throw new Error('no objects');
  const own = openDatabase(connection, { connections: 1 });
  const read: string[] = [];
  own.on('query', ({ sql, bindings }: { sql: string; bindings: unknown[] }) => {
    if (sql.includes('join log_object_blocks b using')) read.push(...String(bindings[1]).slice(1, -1).split(','));
  });
  const noonMs = startMs + 4 * 3_600_000;
  for (const [order, filter] of [
    ['asc', { sinceMs: noonMs }],
    ['desc', { untilMs: noonMs }],
  ] as const) {
    const { chunks } = await own.transaction((trx) =>
      objectSource(trx, { orgId }, objects).take(filter, order, { records: 1_000, bytes: 1_000_000 }),
    );
    expect(chunks.length).toBeGreaterThanOrEqual(40);
    expect(read.length).toBeGreaterThanOrEqual(40);
    expect(new Set(read).size).toBe(read.length);
    read.length = 0;
  }
  await own.destroy();
});

testWith('python3-swift')('damage of an object loses the records that it hits, and is reported', async () => {
  await using logs = await storing();
  const links = [await logs.robot(), await logs.robot()];
  for (const link of links) await logs.send(link, records(1, 4));
  await logs.spread(startMs, 1_000);
  await logs.merge();
  await logs.move();
  const [key = ''] = await logs.keys();
  const bytes = (await logs.store.read(key, 0, 100_000)) ?? Buffer.alloc(0);
  bytes.fill(0xff, 8, 12); // in the first body
  await s3.client.send(new PutObjectCommand({ Bucket: logs.bucket, Key: key, Body: bytes }));
  const all = await Promise.all(links.map((link) => logs.all(link.robotId)));
  expect(all.map(({ length }) => length).sort()).toEqual([0, 4]);
  expect(logs.world.lines.join()).toContain('log records in the object store are damaged or missing');
  await s3.client.send(new DeleteObjectCommand({ Bucket: logs.bucket, Key: key }));
  expect(await logs.all(links[0]?.robotId ?? '')).toEqual([]);
});

testWith('python3-swift')('without its settings a service says that older records are in an object store', async () => {
  await using logs = await storingDay(4);
  const { link } = logs;
  await logs.move();
  await logs.world.db('replicas').update({ lease_until: new Date(0) });
  await using other = await startIsolatedWorld({ shares: { ...logs.world, name: logs.name } });
  expect(other.lines.join()).toContain('set S3_BUCKET');
  const answer = await other.call('GET', `/api/robots/${link.robotId}/logs`);
  expect([answer.status, answer.body.error.message]).toEqual([
    503,
    'older log records are in an object store, and S3_BUCKET is not set',
  ]);
});
