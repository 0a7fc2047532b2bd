import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { diskBlobStore } from '../../src/artifacts/blob-store.ts';
import { erasureService, erasureWork } from '../../src/erasure/service.ts';
import { logStatService } from '../../src/log-stats/service.ts';
import { logMover } from '../../src/logs/objects/mover.ts';
import { segmentPartitions } from '../../src/logs/partitions.ts';
import { createLogger } from '../../src/platform/logging.ts';
import type { ObjectStore } from '../../src/platform/s3/object-store.ts';
import { openObjectStore } from '../../src/platform/s3/open.ts';
import { everyAnswer, fill } from '../logs/answers.ts';
import { logWorldOn, records } from '../logs/support.ts';
import { startS3Store, type S3Store } from '../support/s3-store.ts';
import { testWith } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { startIsolatedWorld } from '../support/world.ts';

const dayMs = 86_400_000;
const startMs = Math.floor(Date.now() / dayMs) * dayMs - 3 * dayMs + 8 * 3_600_000;

/** They are merged. */
async function dropSegments(db: Knex): Promise<void> {
  const partitions = segmentPartitions(db);
  await partitions.drop(await partitions.list());
}

let s3: S3Store;
beforeAll(async () => {
  s3 = await startS3Store();
});
afterAll(async () => {
  await s3[Symbol.asyncDispose]();
});

testWith('python3-swift')(
  'an erased robot leaves the log objects, and the logs of others stay the same to the byte',
  async () => {
    const env = await s3.bucket('erased-logs');
    const impatient = { answerMs: 3_000, connectMs: 2_000 };
    const store = await openObjectStore(readConfig(env).s3, impatient);
    if (!store) throw new Error('no store');
    await using world = await startIsolatedWorld({ env, s3Patience: impatient });
    const { db, orgId } = world;
    const logs = await logWorldOn(world);
    const [robotId = '', ...others] = await fill(logs, 14);
    await logs.spread(startMs, 60_000);
    await logs.merge();
    const lines: string[] = [];
    const log = createLogger('info', [], (line) => void lines.push(line));
    const { signal } = new AbortController();
    const mover = logMover({ db, log, signal, store, replicaId: orgId, sizes: { blockChunks: 50 } });
    const cleaned = async () => {
      await db('log_mover').delete(); // as the service's own may have the lease
      await mover.clean();
      expect(await contents()).toContainEqual(object); // it may still be read
      await db('log_objects')
        .where({ state: 'removing' })
        .update({ changed_at: new Date(0) });
      await mover.clean();
    };
    await db('log_mover').delete();
    await mover.move();
    expect(await world.count('log_chunks')).toBe(0);
    const before = await everyAnswer(logs, others, startMs);
    const contents = async () => {
      const { Contents = [] } = await s3.client.send(new ListObjectsV2Command({ Bucket: 'erased-logs' }));
      return Contents.map(({ Key = '', Size = 0 }) => ({ Key, Size }));
    };
    const [object] = await contents();
    const lineOf = (found: string[][]) => found.flat().filter((line) => !line.includes(`"${robotId}"`));

    const failures = [new Error('the connection was closed')];
    // It fails once, and once the object is discarded while it is written.
    const put: ObjectStore['put'] = async (...args) => {
      await store.put(...args);
      const [error] = failures.splice(0, 1);
      if (error) throw error;
      await db('log_objects').where({ state: 'writing' }).update({ state: 'removing' });
      failing.put = store.put;
    };
    const failing = { ...store, put };
    const work = erasureWork(db, {
      log,
      objects: failing,
      bus: world.bus,
      blobs: diskBlobStore(world.dataDir),
    });
    const state = () =>
      db('erasures').first<{ waits_for: string[]; finished_at: Date | null }>('waits_for', 'finished_at');
    await db('robot_links').update({ replica_id: null });
    await erasureService(db).beginRobot(orgId, robotId);
    await s3.kill();
    await work.run();
    await db('erasures').update({ settles_at: new Date() });
    expect(await state()).toEqual({ waits_for: ['the object store'], finished_at: null });
    await s3.start();
    await work.run();
    expect(await db('log_objects').pluck('state')).toEqual(['stored', 'removing']);
    await work.run();
    expect((await state()).waits_for).toContain('log objects are removed from the bucket');
    await cleaned();
    await dropSegments(db);
    await logStatService(db).rollUp({ isAllDue: true });
    await work.run();
    expect(await state(), lines.at(-1)).toEqual({ waits_for: [], finished_at: expect.any(Date) });

    const [left, ...more] = await contents();
    expect(more).toEqual([]);
    expect(await db('log_objects').pluck('state')).toEqual(['stored']);
    expect(await db('log_object_blocks').distinct('object_id')).toEqual(
      await db('log_objects').select('id as object_id'),
    );
    expect(left?.Key).not.toBe(object?.Key);
    expect(left?.Size).toBeLessThan(object?.Size ?? 0);
    expect(lineOf(await everyAnswer(logs, others, startMs))).toEqual(lineOf(before));
    expect((await logs.get(`/api/logs?robot_id=${robotId}`)).body.items).toEqual([]);
  },
);

testWith('python3-swift')('records that are not merged yet hold up an erasure, and then go too', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  const logs = await logWorldOn(world);
  const [link, other] = [await logs.robot(), await logs.robot()];
  for (const each of [link, other]) await logs.send(each, records(1, 3));
  await db('robot_links').update({ replica_id: null });
  await erasureService(db).beginRobot(orgId, link.robotId);
  const work = erasureWork(db, {
    log: createLogger('silent', []),
    objects: undefined,
    bus: world.bus,
    blobs: diskBlobStore(world.dataDir),
  });
  await work.run();
  await db('erasures').update({ settles_at: new Date() });
  expect((await db('erasures').first('waits_for')).waits_for).toContain(
    'its last log records are merged with those of other robots',
  );
  await logs.merge();
  await dropSegments(db);
  await logStatService(db).rollUp({ isAllDue: true });
  await work.run();
  expect((await db('erasures').first('finished_at')).finished_at).not.toBeNull();
  expect(await db('log_chunks').distinct('robot_id').pluck('robot_id')).toEqual([other.robotId]);
});

for (const subject of ['robot', 'org'] as const)
  testWith('python3-swift')(
    `the erasure of ${subject === 'org' ? 'an org' : 'a robot'} waits for an object whose rows were read before they were erased`,
    async () => {
      const bucket = `read-before-${subject}`;
      const env = await s3.bucket(bucket);
      const store = await openObjectStore(readConfig(env).s3);
      if (!store) throw new Error('no store');
      await using world = await startIsolatedWorld({ env });
      const { db, orgId } = world;
      const logs = await logWorldOn(world);
      const [robotId = ''] = await fill(logs, 2);
      await logs.spread(startMs, 60_000);
      await logs.merge();
      await dropSegments(db);
      await logStatService(db).rollUp({ isAllDue: true });
      await db('robot_links').update({ replica_id: null });
      const call = subject === 'robot' ? `/api/robots/${robotId}` : `/api/admin/orgs/${orgId}/suspend`;
      await world.call(subject === 'robot' ? 'DELETE' : 'POST', call, {
        token: subject === 'robot' ? world.orgToken : world.adminToken,
      });
      const erasures = erasureService(db);
      await (subject === 'robot' ? erasures.beginRobot(orgId, robotId) : erasures.beginOrg(orgId));
      await db('erasures').update({ settles_at: new Date() });

      // The mover has read the rows of its object when it renews its lease again, and does nothing until the table is empty.
      await db.raw(`
        create table held as select 1 as one;
        create sequence renewals;
        create function hold() returns trigger language plpgsql as $$
        begin
          if new.replica_id = '${orgId}' and nextval('renewals') = 2 then
            while exists (select from held) loop perform pg_sleep(0.01); end loop;
          end if;
          return new;
        end $$;
        create trigger hold before insert on log_mover for each row execute function hold();
      `);
      await db('log_mover').delete();
      const log = createLogger('silent', []);
      const { signal } = new AbortController();
      const mover = logMover({ db, log, signal, store, replicaId: orgId });
      const moving = mover.move();
      await until(async () => Number((await db('renewals').first('last_value')).last_value) === 2);
      const work = erasureWork(db, {
        log,
        objects: store,
        bus: world.bus,
        blobs: diskBlobStore(world.dataDir),
      });
      const state = () =>
        db('erasures').first<{ waits_for: string[]; finished_at: Date | null }>('waits_for', 'finished_at');
      const waiting = { waits_for: ['log objects are removed from the bucket'], finished_at: null };
      await work.run();
      const whileHeld = await state();
      await db('held').delete();
      await moving;
      expect(whileHeld).toEqual(waiting);

      await work.run();
      expect(await state()).toEqual(waiting); // it is in the bucket
      await db('log_objects')
        .where({ state: 'removing' })
        .update({ changed_at: new Date(0) });
      await mover.clean();
      await work.run();
      expect(await state()).toEqual({ waits_for: [], finished_at: expect.any(Date) });
      const { Contents = [] } = await s3.client.send(new ListObjectsV2Command({ Bucket: bucket }));
      expect(Contents).toEqual([]);
      expect(await world.count('log_objects')).toBe(0);
    },
  );
