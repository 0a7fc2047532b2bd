import { expect, test } from 'vitest';
import { messagesOf, records, startLogWorld } from './support.ts';

test('records are acknowledged after they are stored, and read as they were sent', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  expect(await logs.send(link, records(1, 3))).toEqual({ kind: 'stored', spool: 'spool', seq: 3 });
  expect(
    await logs.send(link, records(4, 4, { level: 'error', unit: 'nav.service', pid: 812, fields: { a: [1] } })),
  ).toEqual({ kind: 'stored', spool: 'spool', seq: 4 });

  const { body, status } = await logs.get(`/api/robots/${link.robotId}/logs`);
  expect(status).toBe(200);
  expect(body.items.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3, 4]);
  expect(body.items[3]).toEqual({
    seq: 4,
    robot_id: link.robotId,
    received_at: expect.stringMatching(/^20\d\d-.*Z$/) as string,
    ts: '2026-11-21T09:00:00.000000Z',
    level: 'error',
    source: 'journal',
    message: 'line 4',
    unit: 'nav.service',
    pid: 812,
    fields: { a: [1] },
  });
  expect((await logs.get(`/api/fleets/${logs.fleetId}/logs`)).body).toEqual(body);
});

test('what was stored before is dropped and acknowledged again, and what is new in its frame is stored', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  await logs.send(link, records(1, 5));
  const next = await logs.relink(link);
  expect(await logs.send(next, records(2, 4))).toEqual({
    kind: 'stored',
    spool: 'spool',
    seq: 5,
    skipped: { fromSeq: 2, toSeq: 4, records: 3 },
  });
  expect(await logs.send(next, [...records(4, 7), ...records(10, 10)])).toEqual({
    kind: 'stored',
    spool: 'spool',
    seq: 10,
    skipped: { fromSeq: 4, toSeq: 5, records: 2 },
  });
  expect(await logs.send(next, records(1, 1), 'another')).toEqual({ kind: 'stored', spool: 'another', seq: 1 });
  expect(messagesOf(await logs.all(link.robotId))).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 10, 1].map((number) => `line ${number}`),
  );
});

test('a link that was taken over stores nothing more, and its records wait for the new one', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  await logs.send(link, records(1, 1));
  const next = await logs.relink(link);
  expect(await logs.send(link, records(2, 2))).toEqual({ kind: 'stale' });
  expect(await logs.send(next, records(2, 2))).toMatchObject({ kind: 'stored' });
  expect(messagesOf(await logs.all(link.robotId))).toEqual(['line 1', 'line 2']);
});

test('records of a robot that was deleted meanwhile are let go, and those of the others stored', async () => {
  await using logs = await startLogWorld();
  const [gone, here] = [await logs.robot(), await logs.robot()];
  await logs.send(gone, records(1, 1));
  await logs.world.call('DELETE', `/api/robots/${gone.robotId}`);
  const outcomes = await Promise.all([logs.send(gone, records(2, 2)), logs.send(here, records(1, 1))]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['stale', 'stored']);
  expect((await logs.get(`/api/robots/${gone.robotId}/logs`)).status).toBe(404);
  await logs.merge();
  expect(await logs.world.count('log_heads')).toBe(1);
  expect(messagesOf(await logs.all(here.robotId))).toEqual(['line 1']);
  const ofFleet = await logs.get(`/api/logs?fleet_id=${logs.fleetId}`);
  const robots = ofFleet.body.items.map((item: { robot_id: string }) => item.robot_id);
  expect(robots.sort()).toEqual([gone.robotId, here.robotId].sort()); // stored before, and merged after
});

test('records that stand in a frame in another order are all stored, by their numbers', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  const record = (seq: number) => ({ seq, level: 'info', source: 'journal', message: `m${seq}` });
  const outcome = await logs.send(link, [3, 1, 2].map(record));
  expect(outcome).toEqual({ kind: 'stored', spool: 'spool', seq: 3 });
  expect((await logs.all(link.robotId)).map(({ message }) => message)).toEqual(['m1', 'm2', 'm3']);
});

test('a robot that makes up spools has 64 heads once they are merged, those that moved last, and the others theirs', async () => {
  await using logs = await startLogWorld();
  const [link, other] = [await logs.robot(), await logs.robot()];
  await logs.send(other, records(1, 1));
  for (let spool = 1; spool <= 70; spool += 1) {
    await logs.send(link, records(1, 1), `s${spool}`);
    if (spool === 40) await logs.merge(); // as the service may do at any time
  }
  await logs.merge();
  const heads = () => logs.world.db('log_heads').where({ robot_id: link.robotId }).pluck<string[]>('spool');
  expect((await heads()).sort()).toEqual(Array.from({ length: 64 }, (_each, index) => `s${index + 7}`).sort());
  // What is known is not stored again, and moves to the front.
  const next = await logs.relink(link);
  await logs.send(next, records(1, 2), 's7');
  await logs.send(next, records(1, 1), 'new');
  await logs.merge();
  expect(await heads()).toEqual(expect.arrayContaining(['s7', 'new']));
  expect(await heads()).toHaveLength(64);
  expect(await logs.all(link.robotId)).toHaveLength(72);
  expect(await logs.send(other, records(1, 2))).toMatchObject({ seq: 2 });
  expect(await logs.all(other.robotId)).toHaveLength(2);
});

test('a record that arrives while a megabyte is being stored is stored too, though no other comes after it', async () => {
  await using logs = await startLogWorld();
  const [large, small] = [await logs.robot(), await logs.robot()];
  const outcomes = await Promise.all([
    logs.send(large, records(1, 80, { message: 'x'.repeat(16_000) })),
    logs.send(small, records(1, 1)),
  ]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['stored', 'stored']);
}, 45_000);
