import { expect, test } from 'vitest';
import { createLogIngest, type LinkRef, type LogIngest } from '../../src/logs/service.ts';
import { segmentPartitions } from '../../src/logs/partitions.ts';
import { segmentMerging } from '../../src/logs/segments/merging.ts';
import { segmentStore } from '../../src/logs/segments/store.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { addRobotRows, idOfRow, upTo } from '../support/robot-rows.ts';
import {
  mergeSegments,
  messagesOf,
  records,
  sendTo,
  startIsolatedLogWorld,
  waitersFor,
  type LogWorld,
} from './support.ts';

/** An ingest as of another replica. */
const otherReplica = ({ world }: LogWorld) =>
  createLogIngest({ db: world.db, log: createLogger('silent', []), flushEveryMs: 5, retryForMs: 60_000 });

test('what the robots of an org send within a moment is one row', async () => {
  await using logs = await startIsolatedLogWorld();
  const links = await Promise.all(Array.from({ length: 20 }, () => logs.robot()));
  await Promise.all(links.map((link) => logs.send(link, records(1, 1)))); // how far each is stored is read now
  const before = await logs.world.count('log_segments');
  await Promise.all(links.map((link) => logs.send(link, records(2, 4))));
  const counts = await logs.world.db('log_segments').orderBy('id', 'desc').pluck<number[]>('records');
  expect(counts.length - before).toBeLessThan(4);
  expect(counts.slice(0, counts.length - before).reduce((total, records) => total + records, 0)).toBe(60);
  for (const { robotId } of links)
    expect(messagesOf(await logs.all(robotId))).toEqual(['line 1', 'line 2', 'line 3', 'line 4']);
});

test('a robot that moves between replicas, links and fleets has each record once, in order, under its fleet', async () => {
  await using logs = await startIsolatedLogWorld();
  const other = otherReplica(logs);
  const beside = await logs.robot();
  let link = await logs.robot();
  const fleet = await logs.world.call('POST', '/api/fleets', { body: { name: 'second', site_id: logs.siteId } });
  const fleets = [logs.fleetId, fleet.body.data.id as string];
  const ingestOf = ({ epoch }: LinkRef) => (epoch % 2 === 0 ? other : logs.ingest); // a link is on one replica
  for (let seq = 1; seq <= 40; seq += 1) {
    if (seq % 10 === 0)
      await logs.world
        .db('robots')
        .where({ id: link.robotId })
        .update({ fleet_id: fleets[(seq / 10) % 2] });
    const before = link;
    const late = sendTo(ingestOf(before), before, records(seq, seq));
    if (seq % 3 === 0) link = await logs.relink(link);
    // Sent again on the same link and the next one, which is on the other replica.
    const sent = [link, link, before].map((each) => sendTo(ingestOf(each), each, records(seq, seq)));
    const outcomes = await Promise.all([late, ...sent, sendTo(logs.ingest, beside, records(seq, seq))]);
    expect(outcomes.map(({ kind }) => kind)).not.toContain('failed');
    if (seq % 16 === 0) await mergeSegments(logs.world.db);
  }
  await other.close();
  for (const { robotId } of [link, beside]) {
    const all = await logs.all(robotId);
    expect(messagesOf(all)).toEqual(Array.from({ length: 40 }, (_each, index) => `line ${index + 1}`));
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_each, index) => index + 1));
  }
  const ofSecond = await logs.get(`/api/logs?fleet_id=${fleets[1]}&limit=100`);
  expect(messagesOf(ofSecond.body.items).reverse()).toEqual(
    [...range(10, 19), ...range(30, 39)].map((seq) => `line ${seq}`),
  );
});

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_each, index) => from + index);

test.each([0, 4_102_444_800_000])(
  'what was received while the clock of the database was at %d ms is merged, and nothing else with it',
  async (clockMs) => {
    await using logs = await startIsolatedLogWorld();
    const [link, other] = [await logs.robot(), await logs.robot()];

    await logs.send(link, records(1, 3));
    await logs.spread(clockMs, 1_000);

    await logs.send(link, records(4, 5)); // the clock is right again

    await logs.send(other, records(1, 2));
    await logs.merge();

    expect(await logs.world.count('log_chunks')).toBe(3);
    const all = (await logs.all(link.robotId)) as { seq: number; message: string; received_at: string }[];
    const bySeq = all.sort((a, b) => a.seq - b.seq);
    expect(messagesOf(bySeq)).toEqual([1, 2, 3, 4, 5].map((seq) => `line ${seq}`));
    const years = bySeq.map(({ received_at: at }) => new Date(at).getUTCFullYear());
    const wrong = new Date(clockMs).getUTCFullYear();
    expect(years).toEqual([wrong, wrong, wrong, ...Array(2).fill(new Date().getUTCFullYear())]);
    expect(messagesOf(await logs.all(other.robotId))).toEqual(['line 1', 'line 2']);
  },
);

test('how far each of 2,100 robots is stored is read by another replica, of what is merged and of the rest', async () => {
  await using logs = await startIsolatedLogWorld();
  await addRobotRows(logs.world, upTo(2_100));
  const { db, orgId } = logs.world;
  await db.raw(
    `insert into robot_links (org_id, robot_id, epoch, connected_at, last_seen_at, agent_version, boot_id, instance)
     select org_id, id, 1, now(), now(), 'test/1', 'boot', 'boot' from robots`,
  );
  const links = upTo(2_100).map((number): LinkRef => ({ orgId, robotId: idOfRow(number), epoch: 1 }));
  const sendAll = async (ingest: LogIngest, from: number, to: number) => {
    const outcomes = await Promise.all(links.map((link) => sendTo(ingest, link, records(from, to))));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['stored']));
  };
  await sendAll(logs.ingest, 1, 2);
  await logs.merge();
  await sendAll(logs.ingest, 3, 3);
  const other = otherReplica(logs);
  await sendAll(other, 1, 4);
  await other.close();
  await logs.merge();
  expect(await db('log_counters').whereNot({ seq: 4 }).pluck('robot_id')).toEqual([]);
  for (const number of [1, 1_000, 1_001, 2_001, 2_100])
    expect(messagesOf(await logs.all(idOfRow(number)))).toEqual(['line 1', 'line 2', 'line 3', 'line 4']);
});

test('no partition is dropped while a replica reads how far a robot is stored', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db } = logs.world;
  const link = await logs.robot();
  await logs.send(link, records(1, 5));
  const partitions = segmentPartitions(db);
  const all = await partitions.list();
  const other = otherReplica(logs);
  const held = await db.transaction();
  await held.raw('lock table log_heads in access exclusive mode'); // read after the snapshot, before the segments
  const sent = sendTo(other, link, records(1, 6));
  await expect.poll(() => waitersFor(db, 'log_heads')).toHaveLength(1);
  await partitions.drop(all);
  const left = await partitions.list();
  await held.rollback();
  await sent;
  await other.close();
  expect(left).toEqual(all);
  expect((await logs.all(link.robotId)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('what was sent before a robot is read again is refused, though its link is the newest: the network may deliver it late', async () => {
  await using logs = await startIsolatedLogWorld();
  const link = await logs.robot();
  const [early, late] = [segmentStore(logs.world.db), segmentStore(logs.world.db)];
  const line = { text: '{"level":"info","source":"journal","message":"once"}', rank: 2, isRedacted: false };
  const delivery = { ...link, spool: 'spool', fromSeq: 1, toSeq: 1, lines: [line] };
  expect(await late.readHeads([delivery])).toEqual([0]);
  expect(await early.readHeads([delivery])).toEqual([0]);
  expect(await late.store([delivery])).toEqual(['behind']);
  expect(await early.store([delivery])).toEqual(['stored']);
  expect(await late.store([delivery])).toEqual(['behind']);
  expect(await late.readHeads([delivery])).toEqual([1]);
  expect(messagesOf(await logs.all(link.robotId))).toEqual(['once']);
});

test('a change of a robot is noticed, though its transaction has a number that Postgres gave before a crash', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db } = logs.world;
  const link = await logs.robot();
  const store = segmentStore(db);
  const line = { text: '{"level":"info","source":"journal","message":"line"}', rank: 2, isRedacted: false };
  const delivery = (seq: number) => ({ ...link, spool: 'spool', fromSeq: seq, toSeq: seq, lines: [line] });
  await store.readHeads([delivery(1)]);
  expect(await store.store([delivery(1)])).toEqual(['stored']);
  await db.raw('select pg_sleep(0.005)'); // a crash takes longer
  await logs.relink(link);
  await db('log_robot_changes').update({ xact: '3' }); // the first one of any database
  expect(await store.store([delivery(2)])).toEqual(['behind']);
});

test('a damaged group loses its own records, which are counted and reported; the others are merged', async () => {
  await using logs = await startIsolatedLogWorld();
  const [hurt, whole] = [await logs.robot(), await logs.robot()];
  await logs.send(hurt, records(1, 2));
  await logs.send(whole, records(1, 2));
  await logs.send(hurt, records(3, 3));
  const [first] = await logs.world.db('log_segments').orderBy('id').select('id', 'body');
  const body = Buffer.from(first.body);
  body.writeUInt8(body.readUInt8(body.length - 3) ^ 1, body.length - 3);
  await logs.world.db('log_segments').where({ id: first.id }).update({ body });
  expect(messagesOf(await logs.all(hurt.robotId))).toEqual(['line 3']);

  const told: string[] = [];
  let lost = 0;
  const log = createLogger('error', [], (line) => void told.push(line));
  await segmentMerging(logs.world.db, { log, onLost: (count) => (lost += count) }).run(true);
  expect(lost).toBe(2);
  expect(told.join()).toContain('log records are damaged in the database, and are lost');
  expect(messagesOf(await logs.all(hurt.robotId))).toEqual(['line 3']);
  expect(messagesOf(await logs.all(whole.robotId))).toEqual(['line 1', 'line 2']);
  // What was acknowledged is not stored again, and its numbers are not given again.
  expect(await logs.send(await logs.relink(hurt), records(1, 4))).toMatchObject({ seq: 4, skipped: { records: 3 } });
  expect((await logs.all(hurt.robotId)).map(({ seq }) => seq)).toEqual([3, 4]);
});

test('while a replica of the previous release is alive, records are stored as it does, and both formats are read', async () => {
  await using logs = await startIsolatedLogWorld();
  const link = await logs.robot();
  await logs.send(link, records(1, 2));
  // As the previous release stores: refused as long as segments are there that are not merged.
  const storeHead = () =>
    logs.world
      .db('log_heads')
      .insert({ org_id: link.orgId, robot_id: link.robotId, spool: 'spool', stored_seq: 0 })
      .onConflict()
      .ignore();
  await expect(storeHead()).rejects.toMatchObject({ code: '55006' });
  await logs.storeChunks();
  await expect(storeHead()).rejects.toMatchObject({ code: '55006' });
  const waiting = logs.send(link, records(3, 3));
  await logs.merge();
  expect(await waiting).toMatchObject({ kind: 'stored', seq: 3 });
  await storeHead();
  expect(await logs.world.db('log_segments').max('records as most')).toEqual([{ most: 2 }]);
  expect(await logs.world.db('log_heads').pluck('stored_seq')).toEqual([3]);
  expect(messagesOf(await logs.all(link.robotId))).toEqual(['line 1', 'line 2', 'line 3']);

  // It ends: segments again, after what is there.
  await logs.world.db('replicas').whereNot('stores_segments', true).delete();
  await logs.world.db.raw('select choose_log_format()');
  expect(await logs.send(link, records(4, 4))).toMatchObject({ kind: 'stored', seq: 4 });
  await expect(storeHead()).rejects.toMatchObject({ code: '55006' });
  await logs.merge();
  expect(messagesOf(await logs.all(link.robotId))).toEqual(['line 1', 'line 2', 'line 3', 'line 4']);
});
