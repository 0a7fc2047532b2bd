import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { logUpkeep } from '../../src/logs/service.ts';
import { logMerging } from '../../src/logs/merging.ts';
import { logPartitions } from '../../src/logs/partitions.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { mergeSegments, messagesOf, records, startIsolatedLogWorld, type LogWorld } from './support.ts';

const dayMs = 86_400_000;
const hourAgo = () => Date.now() - 3_600_000;

/** Three robots' records, a chunk each, as they came over an hour; levels and lengths vary. */
async function fill(logs: LogWorld, count = 40): Promise<string[]> {
  const links = [await logs.robot(), await logs.robot(), await logs.robot()];
  for (let seq = 1; seq <= count; seq += 1)
    await Promise.all(
      links.map((link, index) =>
        logs.send(
          link,
          records(seq, seq, {
            level: seq % 7 === 0 ? 'error' : 'info',
            source: seq % 2 ? 'journal' : 'exec:nav',
            message: `robot ${index} line ${seq} ${'x'.repeat((seq * 97) % 3_000)}`,
          }),
        ),
      ),
    );
  return links.map(({ robotId }) => robotId);
}

/** All records of a list, as they were answered. Where pages end also depends on how long they took. */
async function pages(logs: LogWorld, path: string): Promise<string[]> {
  const found: string[][] = [];
  for (let cursor = ''; ;) {
    const { body } = await logs.get(`${path}${cursor}`);
    found.push(body.items.map((item: unknown) => JSON.stringify(item)));
    if (body.next_cursor === undefined) return (path.includes('after=') ? found : found.reverse()).flat();
    cursor = `&cursor=${body.next_cursor}`;
  }
}

async function everyAnswer(logs: LogWorld, robotIds: readonly string[]): Promise<string[][]> {
  const since = new Date(hourAgo() + 600_000).toISOString();
  const until = new Date(hourAgo() + 1_800_000).toISOString();
  const queries = ['limit=1000', 'limit=7', 'limit=5&level=warn', 'limit=9&source=journal', 'limit=50&q=LINE%202'];
  const all = [...queries, `limit=6&since=${since}&until=${until}`];
  const paths = [
    ...all.map((query) => `/api/fleets/${logs.fleetId}/logs?${query}`),
    ...robotIds.flatMap((id) => all.map((query) => `/api/robots/${id}/logs?${query}`)),
    ...robotIds.map((id) => `/api/robots/${id}/logs?after=3&limit=8`),
    ...robotIds.map((id) => `/api/robots/${id}/logs?after=3&limit=4&q=NE%202`),
  ];
  const answers: string[][] = [];
  for (const path of paths) answers.push(await pages(logs, path));
  return answers;
}

test('merging segments changes no answer, to the byte', async () => {
  await using logs = await startIsolatedLogWorld();
  const robotIds = await fill(logs);
  await logs.spread(hourAgo(), 60_000);
  const before = await everyAnswer(logs, robotIds);
  expect(before[0]?.at(-1)).toContain('line 40');
  await logs.merge();
  const merged = await logs.world.count('log_chunks');
  expect(merged).toBeGreaterThanOrEqual(12); // each of three robots has one in each of four or five spans
  expect(merged).toBeLessThan(40);
  expect(await everyAnswer(logs, robotIds)).toEqual(before);
  await logs.world.db.raw('truncate log_segments');
  expect(await everyAnswer(logs, robotIds)).toEqual(before);
});

test('merging chunks changes no answer, to the byte', async () => {
  await using logs = await startIsolatedLogWorld();
  await logs.storeChunks();
  const robotIds = await fill(logs);
  await logs.spread(hourAgo(), 70_000); // forty records over 47 minutes
  const before = await everyAnswer(logs, robotIds);
  const chunks = await logs.world.count('log_chunks');
  await logMerging(logs.world.db).run();
  const merged = await logs.world.count('log_chunks');
  expect(chunks).toBe(120);
  expect(merged).toBeLessThan(30);
  expect(await everyAnswer(logs, robotIds)).toEqual(before);
  await logMerging(logs.world.db).run();
  expect(await logs.world.count('log_chunks')).toBe(merged);
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
