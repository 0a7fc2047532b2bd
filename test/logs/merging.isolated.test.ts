import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { logUpkeep } from '../../src/logs/service.ts';
import { logMerging } from '../../src/logs/merging.ts';
import { logPartitions } from '../../src/logs/partitions.ts';
import { segmentMerging } from '../../src/logs/segments/merging.ts';
import { logSettling } from '../../src/logs/settling.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { everyAnswer, fill } from './answers.ts';
import { mergeSegments, messagesOf, records, startIsolatedLogWorld, waitersFor } from './support.ts';

const dayMs = 86_400_000;
const hourAgo = () => Date.now() - 3_600_000;

test('merging segments changes no answer, to the byte', async () => {
  await using logs = await startIsolatedLogWorld();
  const robotIds = await fill(logs);
  await logs.spread(hourAgo(), 60_000);
  const before = await everyAnswer(logs, robotIds, hourAgo());
  expect(before[0]?.at(-1)).toContain('line 40');
  await logs.merge();
  const merged = await logs.world.count('log_chunks');
  expect(merged).toBeGreaterThanOrEqual(12); // each of three robots has one in each of four or five spans
  expect(merged).toBeLessThan(40);
  expect(await everyAnswer(logs, robotIds, hourAgo())).toEqual(before);
  await logs.world.db.raw('truncate log_segments');
  expect(await everyAnswer(logs, robotIds, hourAgo())).toEqual(before);
});

test('merging chunks changes no answer, to the byte', async () => {
  await using logs = await startIsolatedLogWorld();
  await logs.storeChunks();
  const robotIds = await fill(logs);
  await logs.spread(hourAgo(), 70_000); // forty records over 47 minutes
  const before = await everyAnswer(logs, robotIds, hourAgo());
  const chunks = await logs.world.count('log_chunks');
  await logMerging(logs.world.db).run();
  const merged = await logs.world.count('log_chunks');
  expect(chunks).toBe(120);
  expect(merged).toBeLessThan(30);
  expect(await everyAnswer(logs, robotIds, hourAgo())).toEqual(before);
  await logMerging(logs.world.db).run();
  expect(await logs.world.count('log_chunks')).toBe(merged);
});

test('what is merged is settled, also long after the first merge of its robot, and chunks of the previous release once they are', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db, orgId } = logs.world;
  const link = await logs.robot();
  const atMs = hourAgo();
  const isSettled = () => db.transaction((trx) => logSettling(trx, orgId).isSettled(atMs));
  await logs.send(link, records(1, 3));
  await logs.spread(atMs, 1);
  expect(await isSettled()).toBe(false);
  await logs.merge();
  const firstMerge = new Date(atMs - dayMs);
  await db('log_counters').update({ merged_until: firstMerge });
  expect(await isSettled()).toBe(true);
  await logs.storeChunks();
  await logs.send(link, records(4, 6));
  await logs.spread(atMs, 1);
  expect(await isSettled()).toBe(false);
  await logMerging(db).run();
  expect(await isSettled()).toBe(true);
});

test('what is merged while its org is erased is not written', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db } = logs.world;
  await logs.send(await logs.robot(), records(1, 3));
  const merging = segmentMerging(db, { log: createLogger('silent', []), onLost: () => undefined });
  const held = await db.transaction();
  await held.raw('lock table log_chunks in share mode');
  const merged = merging.run(true);
  await expect.poll(() => waitersFor(db, 'log_chunks')).toHaveLength(1);
  for (const table of ['log_segments', 'log_orgs']) await db(table).delete(); // as erasing does
  await held.commit();
  await expect(merged).rejects.toThrow('the org was erased while its log records were merged');
  expect(await logs.world.count('log_chunks')).toBe(0);
});

test('what came in the last minute, and what a robot sent as part of another fleet, is not merged', async () => {
  await using logs = await startIsolatedLogWorld();
  await logs.storeChunks();
  const link = await logs.robot();
  for (let seq = 1; seq <= 4; seq += 1) await logs.send(link, records(seq, seq));
  await logs.spread(Math.floor(hourAgo() / 600_000) * 600_000, 1_000); // in one span
  const [fleet] = await logs.world.db('fleets').select('id').limit(1);
  await logs.world.db('log_chunks').where('first_seq', '<=', 2).update({ fleet_id: link.robotId });
  await logs.send(link, records(5, 5));
  await logs.send(link, records(6, 6));
  await logMerging(logs.world.db).run();
  expect(fleet).toEqual({ id: logs.fleetId });
  const isFiltered = logs.world.db.raw('text_filter is not null as is_filtered');
  const chunks = await logs.world
    .db('log_chunks')
    .select('first_seq', 'last_seq', 'fleet_id', isFiltered)
    .orderBy('first_seq');
  expect(chunks).toEqual([
    { first_seq: 1, last_seq: 2, fleet_id: link.robotId, is_filtered: true },
    { first_seq: 3, last_seq: 4, fleet_id: logs.fleetId, is_filtered: true },
    { first_seq: 5, last_seq: 5, fleet_id: logs.fleetId, is_filtered: false },
    { first_seq: 6, last_seq: 6, fleet_id: logs.fleetId, is_filtered: false },
  ]);
});

test.each(['segments', 'chunks'])(
  'two replicas that merge %s, and readers meanwhile, see every record once',
  async (format) => {
    await using logs = await startIsolatedLogWorld();
    if (format === 'chunks') await logs.storeChunks();
    const robotIds = await fill(logs, 60);
    await logs.spread(hourAgo(), 45_000);
    const other = openDatabase(logs.world.connection);
    try {
      const state = { merging: true };
      const merge = (db: Knex) => (format === 'chunks' ? logMerging(db).run() : mergeSegments(db));
      const both = Promise.all([merge(logs.world.db), merge(other)]).then(() => (state.merging = false));
      const expected = Array.from({ length: 60 }, (_each, index) => index + 1);
      for (let round = 0; state.merging || round < 3; round += 1) {
        for (const robotId of robotIds) expect((await logs.all(robotId)).map(({ seq }) => seq)).toEqual(expected);
        const { body } = await logs.get(`/api/fleets/${logs.fleetId}/logs?limit=1000`);
        expect(body.items).toHaveLength(180);
      }
      await both;
    } finally {
      await other.destroy();
    }
    expect(await logs.world.count('log_chunks')).toBeLessThan(40);
  },
);

test('days are made ahead, and dropped whole when they are old', async () => {
  await using logs = await startIsolatedLogWorld();
  const link = await logs.robot();
  await logs.send(link, records(1, 3));
  await logs.spread(Date.now() - 20 * dayMs, 1);
  await logs.merge();
  await logs.send(link, records(4, 4));
  const upkeep = logUpkeep(logs.world.db, 21);
  await upkeep.run();
  expect(messagesOf(await logs.all(link.robotId))).toEqual(['line 1', 'line 2', 'line 3', 'line 4']);
  await logUpkeep(logs.world.db, 19).run();
  expect(messagesOf(await logs.all(link.robotId))).toEqual(['line 4']);
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  expect(await logPartitions(logs.world.db).list()).toEqual([today, today + dayMs, today + 2 * dayMs]);
  // What was stored once is not stored again, though it is gone.
  expect(await logs.send(await logs.relink(link), records(1, 4))).toMatchObject({ kind: 'stored', seq: 4 });
  await logs.merge();
  expect(await logs.world.count('log_chunks')).toBe(1);
});
