import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sealingStore } from '../../src/audit/sealing.ts';
import { auditService } from '../../src/audit/service.ts';
import { addEntries, unfit, unguarded, wholeLog } from '../support/audit-log.ts';
import { factories } from '../support/factories.ts';
import { startServer } from '../support/server-process.ts';
import { replicaBeside, startIsolatedWorld, type World } from '../support/world.ts';

async function waiting({ db }: World): Promise<number> {
  const [row] = await db('audit').whereNull('hash').count<{ count: number }[]>();
  return row?.count ?? 0;
}

test('what a reader gets has a number and a hash that follows from the entry before, whatever the entry tells', async () => {
  await using world = await startIsolatedWorld();
  const values = [
    'Ōsaka \u{1F600} "\\\u2028',
    { '10': 1, '9': [1.5, 1e-7, 0.1, -3], a: { '\uFB33': null, '\u{1F600}': '' } },
    ['', false],
    4.5,
  ];
  for (const [index, value] of values.entries()) {
    const body = { key: `nav.${index}`, value };
    expect((await world.call('POST', '/api/configs', { body })).status).toBe(200);
  }
  // Numbers as somebody else's JSON has them: the database keeps the zeros, a reader the value.
  await world.call('POST', '/api/configs', {
    body: '{"key":"nav.text","value":[1.0,2.50,1E3,-0.0,9007199254740991]}',
  });
  const log = await wholeLog(world);
  expect(log).toHaveLength(6);
  expect(unfit(world.orgId, log)).toEqual([]);
});

test('each org has a chain of its own', async () => {
  await using world = await startIsolatedWorld();
  const other = await factories(world).org();
  for (const token of [world.orgToken, other.token, world.orgToken])
    await world.call('POST', '/api/sites', { token, body: { name: 'Osaka' } });
  expect(unfit(world.orgId, await wholeLog(world))).toEqual([]);
  const theirs = await wholeLog(world, other.token);
  expect(unfit(other.id, theirs)).toEqual([]);
  expect(unfit(world.orgId, theirs)).toHaveLength(theirs.length);
});

test('entries are sealed within seconds though nobody reads them, of every org', async () => {
  await using world = await startIsolatedWorld();
  await using server = await startServer(replicaBeside(world));
  const other = await factories(world).org();
  await world.call('POST', '/api/sites', { token: other.token, body: { name: 'Osaka' } });
  await addEntries(world.db, world.orgId, 2_500);
  const startedAt = performance.now();
  await expect.poll(() => waiting(world)).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(30_000); // what else is done for all orgs is done once a minute
  expect(server.stdout()).not.toContain('could not be sealed');
});

test('replicas and readers that seal at the same time, while others write, make one chain without a gap', async () => {
  await using world = await startIsolatedWorld();
  await using other = await startIsolatedWorld({ shares: world });
  let isWriting = true;
  const sealers = [world, other].map(async ({ db }) => {
    while (isWriting) await auditService(db).sealAll();
  });
  const readers = [world, other].map(async ({ call }) => {
    while (isWriting)
      expect((await call('GET', '/api/audit?limit=5')).body.items.at(-1).hash).toMatch(/^[0-9a-f]{64}$/);
  });
  const write = (_: unknown, index: number) =>
    (index % 2 === 0 ? world : other).call('POST', '/api/sites', { body: { name: `site ${index}` } });
  await Promise.all(Array.from({ length: 120 }, write));
  isWriting = false;
  await Promise.all([...sealers, ...readers]);
  const log = await wholeLog(world);
  expect(log).toHaveLength(121);
  expect(unfit(world.orgId, log)).toEqual([]);
});

test('a server that is killed again and again while it seals leaves nothing half done', async () => {
  await using world = await startIsolatedWorld();
  for (let kills = 0; kills < 3; kills += 1) {
    await addEntries(world.db, world.orgId, 2_500);
    const left = await waiting(world);
    await using server = await startServer(replicaBeside(world));
    await expect.poll(() => waiting(world), { interval: 3 }).toBeLessThan(left);
    await server.end('SIGKILL');
  }
  const log = await wholeLog(world);
  expect(log).toHaveLength(7_501);
  expect(unfit(world.orgId, log)).toEqual([]);
});

test('a stop waits for the batch on its way, not for all that is left', async () => {
  await using world = await startIsolatedWorld();
  await addEntries(world.db, world.orgId, 20_000);
  const ends = new AbortController();
  const sealed = auditService(world.db).sealAll(ends.signal);
  await expect.poll(() => waiting(world), { interval: 3 }).toBeLessThan(20_001);
  ends.abort();
  await sealed;
  const left = await waiting(world);
  expect(left).toBeGreaterThan(0);
  expect(left % 1_000).toBe(1);
});

test('an org that another sealer has is left to it, and holds up no other', async () => {
  await using world = await startIsolatedWorld();
  const other = await factories(world).org();
  const held = await world.db.transaction();
  await held.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', `audit ${world.orgId}`);
  await auditService(world.db).sealAll();
  expect(await world.db('audit').whereNull('hash').distinct().pluck('org_id')).toEqual([world.orgId]);
  await held.rollback();
  await auditService(world.db).sealAll();
  expect(await waiting(world)).toBe(0);
  expect(unfit(other.id, await wholeLog(world, other.token))).toEqual([]);
});

test('entries that an earlier release numbered get their hashes in batches; who reads meanwhile sees all, the later ones without', async () => {
  await using world = await startIsolatedWorld();
  await wholeLog(world);
  await addEntries(world.db, world.orgId, 2_300);
  await world.db.raw(
    `update audit set seq = numbered.n + 1 from (select id, row_number() over (order by at, id) as n from audit where seq is null) as numbered
      where audit.id = numbered.id`,
  );
  await world.call('POST', '/api/sites', { body: { name: 'Osaka' } });
  const impatient = await auditService(world.db).list(world.orgId, {}, 0);
  expect([impatient.objects.length, impatient.value(999, 'seq'), impatient.value(999, 'operation')]).toEqual([
    1_000,
    2_302,
    'createSite',
  ]);
  expect(impatient.objects[999]).not.toContain('"hash"');
  await auditService(world.db).sealAll();
  const log = await wholeLog(world);
  expect(log).toHaveLength(2_302);
  expect(unfit(world.orgId, log)).toEqual([]);
});

test('what one transaction seals is limited in bytes, but for an entry that is larger alone', async () => {
  await using world = await startIsolatedWorld();
  await addEntries(world.db, world.orgId, 3, JSON.stringify({ value: 'x'.repeat(9 * 1024 * 1024) }));
  await addEntries(world.db, world.orgId, 40, JSON.stringify({ value: 'x'.repeat(500_000) }));
  const left = [];
  for (let hasMore = true; hasMore;) {
    hasMore = await sealingStore(world.db).sealBatch(world.orgId, 'wait');
    left.push(await waiting(world));
  }
  // The org's own entry, the three, and 16 of 500 kB at a time.
  expect(left).toEqual([43, 42, 41, 40, 24, 8, 0]);
  const numbers = await world.db('audit').orderBy('seq').pluck<number[]>('seq');
  expect(numbers).toEqual(Array.from({ length: 44 }, (_, index) => index + 1));
});

test.each([
  ['a field', "update audit set operation = 'nothing' where seq = 1"],
  ['a number', 'update audit set seq = 9 where seq = 1'],
  ['a hash', 'update audit set hash = null where seq = 1'],
  ['what no seal covers yet', "update audit set actor_kind = 'admin' where seq is null"],
  ['an entry, away', 'delete from audit where seq = 1'],
  ['an entry without a seal, away', 'delete from audit where seq is null'],
  ['all of it, away', 'truncate audit'],
])('Postgres refuses to change %s', async (_, sql) => {
  await using world = await startIsolatedWorld();
  await wholeLog(world);
  await world.call('POST', '/api/sites', { body: { name: 'Osaka' } });
  await expect(world.db.raw(sql)).rejects.toThrow('audit: an entry is neither changed nor removed');
  const log = await wholeLog(world);
  expect([log.length, unfit(world.orgId, log)]).toEqual([2, []]);
});

test('an org with far more entries than the statistics of the table say is sealed and read', async () => {
  await using world = await startIsolatedWorld();
  await world.db.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica'); // no row of an org for each of these
    await trx.raw(
      `insert into audit (org_id, id, seq, hash, actor_kind, operation, object_kind, object_id)
       select gen_random_uuid(), gen_random_uuid(), 1, '\\x00', 'system', 'createOrg', 'org', '' from generate_series(1, 10000)`,
    );
  });
  await world.db.raw('analyze audit');
  await addEntries(world.db, world.orgId, 8_000);
  expect(await wholeLog(world)).toHaveLength(8_001);
});

test('an org whose chain is torn is told of and goes on; the others are sealed', async () => {
  await using world = await startIsolatedWorld();
  const other = await factories(world).org();
  await wholeLog(world, other.token);
  await wholeLog(world);
  // A number that is none of the sealer's, behind which nothing can be sealed.
  await unguarded(world.db, 'update audit set seq = 9223372036854775807, hash = ? where org_id = ? and seq = 1', [
    Buffer.alloc(32),
    other.id,
  ]);
  await world.call('POST', '/api/sites', { token: other.token, body: { name: randomUUID() } });
  await world.call('POST', '/api/sites', { body: { name: randomUUID() } });
  await expect(auditService(world.db).sealAll()).rejects.toThrow('entries of the audit log could not be sealed');
  expect(unfit(world.orgId, await wholeLog(world))).toEqual([]);
});
