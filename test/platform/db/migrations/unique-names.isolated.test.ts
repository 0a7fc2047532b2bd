import { randomBytes, randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { migrate, openDatabase } from '../../../../src/platform/db/index.ts';
import { migrationSource } from '../../../../src/platform/db/migrations/index.ts';
import { digestOf, mintToken } from '../../../../src/kernel/tokens.ts';
import { unfit, wholeLog } from '../../../support/audit-log.ts';
import { startIsolatedWorld } from '../../../support/world.ts';

/** A database with the schema before unique names, and an org in it. */
async function databaseBefore() {
  const postgres = inject('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = openDatabase(postgres);
  await admin.raw(`create database ${name}`);
  const db = openDatabase({ ...postgres, database: name });
  const all = await migrationSource.getMigrations([]);
  const before = all.slice(
    0,
    all.findIndex(([each]) => each === '0018_unique_names'),
  );
  await db.migrate.latest({
    tableName: 'migrations',
    migrationSource: { ...migrationSource, getMigrations: async () => before },
  });
  const orgId = randomUUID();
  await db('orgs').insert({ id: orgId, name: 'Acme', status: 'approved' });
  const { value: orgToken } = mintToken('org');
  await db('tokens').insert({
    org_id: orgId,
    id: randomUUID(),
    kind: 'org',
    digest: digestOf(orgToken),
    last_four: orgToken.slice(-4),
  });
  return {
    db,
    name,
    orgId,
    orgToken,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await admin.raw(`drop database if exists ${name} with (force)`);
      await admin.destroy();
    },
  };
}

test('an upgrade renames duplicates and says so in the audit log and the timelines', { timeout: 60_000 }, async () => {
  await using before = await databaseBefore();
  const { db, orgId } = before;
  const otherOrg = randomUUID();
  await db('orgs').insert({ id: otherOrg, name: 'Other', status: 'approved' });
  const long = 'n'.repeat(128);
  let age = 0;
  /** Each younger than the one before. */
  const created = () => new Date(Date.UTC(2026, 0, 1) + (age += 1) * 1_000);
  const site = async (name: string, org_id = orgId) => {
    const id = randomUUID();
    await db('sites').insert({ org_id, id, name, created_at: created() });
    return id;
  };
  const fleet = async (site_id: string, name: string) => {
    const id = randomUUID();
    await db('fleets').insert({ org_id: orgId, id, site_id, name, created_at: created() });
    return id;
  };
  const robot = async (place: object, name: string) => {
    const id = randomUUID();
    await db('robots').insert({
      org_id: orgId,
      id,
      name,
      ...place,
      enrollment_key_id: randomUUID(),
      created_at: created(),
    });
    return id;
  };

  const osaka = await site('Osaka');
  const kyoto = await site('Kyoto');
  for (const name of ['osaka', 'OSAKA', 'osaka-2', 'Ka\u0308then', 'K\u00e4then', 'STRASSE', 'stra\u00dfe'])
    await site(name);
  await site('Osaka', otherOrg);
  const place = { site_id: osaka, fleet_id: await fleet(osaka, 'pickers') };
  await fleet(kyoto, 'pickers');
  await fleet(osaka, 'Pickers');
  const kept = await robot(place, 'amr');
  const second = await robot(place, 'AMR');
  await robot(place, 'amr-2');
  for (const name of [long, long, long]) await robot(place, name);
  const many = 4_000;
  await db.raw(
    `insert into robots (org_id, id, name, site_id, fleet_id, enrollment_key_id, created_at)
     select ?, gen_random_uuid(), 'cart', ?, ?, gen_random_uuid(), now() + n * interval '1 ms' from generate_series(1, ?) n`,
    [orgId, place.site_id, place.fleet_id, many],
  );

  await migrate(db);

  const named = (table: string, where: object) =>
    db(table).where(where).orderBy(['created_at', 'id']).pluck<string[]>('name');
  expect(await named('sites', { org_id: orgId })).toEqual([
    'Osaka',
    'Kyoto',
    'osaka-3',
    'OSAKA-4',
    'osaka-2',
    'Ka\u0308then',
    'K\u00e4then-2',
    'STRASSE',
    'stra\u00dfe',
  ]);
  expect(await named('sites', { org_id: otherOrg })).toEqual(['Osaka']);
  expect(await named('fleets', { org_id: orgId })).toEqual(['pickers', 'pickers', 'Pickers-2']);
  const robots = await named('robots', { org_id: orgId });
  expect(robots.slice(0, 6)).toEqual(['amr', 'AMR-3', 'amr-2', long, `${'n'.repeat(126)}-2`, `${'n'.repeat(126)}-3`]);
  expect(robots.slice(6)).toEqual(Array.from({ length: many }, (_, n) => (n === 0 ? 'cart' : `cart-${n + 1}`)));

  await using world = await startIsolatedWorld({ shares: before });
  const log = await wholeLog(world);
  expect(unfit(orgId, log)).toEqual([]);
  expect(log).toHaveLength(3 + 1 + 3 + (many - 1));
  expect(log.find(({ object_id: id }) => id === second)).toMatchObject({
    actor_kind: 'system',
    operation: 'updateRobot',
    object_kind: 'robot',
    before: { name: 'AMR' },
    after: { name: 'AMR-3' },
  });
  const timeline = async (id: string) =>
    (await world.call('GET', `/api/robots/${id}/timeline?kind=renamed`)).body.items;
  expect(await timeline(kept)).toEqual([]);
  expect(await timeline(second)).toMatchObject([{ kind: 'renamed', message: 'renamed from AMR to AMR-3' }]);
  expect((await world.call('GET', '/api/robots?limit=1')).status).toBe(200);
});
