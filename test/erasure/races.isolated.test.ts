import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { artifactService, artifactStorage } from '../../src/artifacts/service.ts';
import { erasureService, keptOfRobot, rowsOfRobot, tablesOfOrg } from '../../src/erasure/service.ts';
import { released, sha256 as sha256Of } from '../support/artifacts.ts';
import { factories } from '../support/factories.ts';
import { until } from '../support/until.ts';
import { startIsolatedWorld, type IsolatedWorld } from '../support/world.ts';
import { rowsOfOrg, tablesNaming } from './every-table.ts';
import { connect, eraseRobot, settle, workOn } from './support.ts';

const addEntry = ({ db, orgId }: IsolatedWorld, robotId: string) =>
  db('timeline_unnumbered').insert({ org_id: orgId, robot_id: robotId, id: randomUUID(), kind: 'k', details: {} });

test('what a robot sends that connects after the request is erased too', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  const { robot_id: robotId } = (await factories(world).robot()) as { robot_id: string };
  await erasureService(db).beginRobot(orgId, robotId);
  await settle(world);
  await connect(world, robotId);
  await workOn(world).run();
  expect(await db('erasures').first('waits_for', 'finished_at')).toEqual({
    waits_for: ['replicas write what they received before'],
    finished_at: null,
  });
  await addEntry(world, robotId); // as the replica writes it late
  await settle(world);
  await workOn(world).run();
  expect(await db('erasures').first('finished_at')).toEqual({ finished_at: expect.any(Date) });
  expect((await tablesNaming(db, robotId)).filter((table) => !keptOfRobot.includes(table))).toEqual([]);
});

test('an org that was resumed nevertheless loses nothing until it is suspended and its data has settled', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  await db('orgs').where({ id: orgId }).update({ status: 'suspended' });
  await erasureService(db).beginOrg(orgId);
  const erase = async () => {
    await workOn(world).run();
    return (await db('erasures').first('waits_for')).waits_for;
  };
  await settle(world);
  await db('orgs').where({ id: orgId }).update({ status: 'approved' }); // as the previous release does
  const before = await rowsOfOrg(db, orgId);
  expect(await erase()).toEqual(['the org is approved: suspend it']);
  const suspended = await world.call('POST', `/api/admin/orgs/${orgId}/suspend`, { token: world.adminToken });
  expect(suspended.status).toBe(200);
  expect(await erase()).toEqual(['replicas write what they received before']);
  expect((await rowsOfOrg(db, orgId))['tokens']).toEqual(before['tokens']);
  await settle(world);
  expect(await erase()).toEqual([]);
  expect(await db('orgs').where({ id: orgId })).toEqual([]);
});

test('an upload that ends during or after the erasure of its org leaves nothing', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId, dataDir } = world;
  const uploads = [await released(world, 1_000), await released(world, 1_000)];
  const storage = await artifactStorage({ dataDir, s3: undefined });
  await db('orgs').where({ id: orgId }).update({ status: 'suspended' });
  await erasureService(db).beginOrg(orgId);
  await settle(world);
  for (const { bytes } of uploads) {
    const late = async function* () {
      if (bytes !== uploads[0]?.bytes) await workOn(world).run();
      yield bytes;
    };
    const upload = { bytes: late(), length: 1_000, range: undefined };
    const received = artifactService(db, storage).receive({ orgId, sha256: sha256Of(bytes) }, upload);
    await expect(received).rejects.toThrow('release with this artifact not found');
  }
  expect(await db('orgs').where({ id: orgId })).toEqual([]);
  expect(await readdir(join(dataDir, 'artifacts', orgId))).toEqual([]);
});

test('a row that another transaction changes holds up an erasure, and then goes too', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  const robotId = randomUUID();
  const entry = { org_id: orgId, robot_id: robotId, id: randomUUID(), seq: 1, at: new Date(), kind: 'k', details: {} };
  await db('timeline').insert(entry);
  await erasureService(db).beginRobot(orgId, robotId);
  await db.transaction(async (trx) => {
    await trx('timeline').where({ robot_id: robotId }).update({ kind: 'changed' });
    await workOn(world).run();
  });
  expect(await db('erasures').first('finished_at')).toEqual({ finished_at: null });
  await workOn(world).run();
  expect(await db('erasures').first('finished_at')).toEqual({ finished_at: expect.any(Date) });
  expect(await db('timeline').where({ robot_id: robotId })).toEqual([]);
});

test('tables from which rows move are emptied first', () => {
  for (const tables of [rowsOfRobot.map(({ table }) => table), tablesOfOrg])
    expect(tables.filter((table) => table.startsWith('timeline'))).toEqual(['timeline_unnumbered', 'timeline']);
});

test('a replica whose claim has expired does not release that of another one', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  const { robot_id: robotId } = (await factories(world).robot()) as { robot_id: string };
  await erasureService(db).beginRobot(orgId, robotId);
  const until = new Date(Date.now() + 100_000);
  const overtaken = (trx: Knex) => ({
    closing: [trx.raw('update erasures set claimed_until = ?', [until])],
    onCommit: () => undefined,
  });
  await workOn(world, { announcing: overtaken }).run();
  expect(await db('erasures').first('claimed_until')).toEqual({ claimed_until: until });
  await workOn(world).run();
  expect(await db('erasures').first('waits_for')).toEqual({ waits_for: [] });
});

test('a claim from before the clock of the database was set back is taken over', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  const { robot_id: robotId } = (await factories(world).robot()) as { robot_id: string };
  await erasureService(db).beginRobot(orgId, robotId);
  await settle(world);
  await db('erasures').update({ claimed_until: '2100-01-01' });
  await workOn(world).run();
  expect(await db('erasures').first('finished_at')).toEqual({ finished_at: expect.any(Date) });
});

test('times from before the clock of the database was set back hold up an erasure for as long as usual', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  const { robot_id: robotId } = (await factories(world).robot()) as { robot_id: string };
  await connect(world, robotId);
  await db('robot_links').update({ last_seen_at: '2100-01-01', disconnected_at: new Date(), replica_id: null });
  await erasureService(db).beginRobot(orgId, robotId);
  await workOn(world).run();
  await workOn(world).run();
  expect(await db('erasures').first('waits_for')).toEqual({ waits_for: ['replicas write what they received before'] });
  await db('erasures').update({ settles_at: db.raw(`settles_at - interval '5 minutes'`) });
  await workOn(world).run();
  expect(await db('erasures').first('finished_at')).toEqual({ finished_at: expect.any(Date) });
});

test('an org that is resumed while its erasure begins stays suspended', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId, adminToken: token } = world;
  await db('orgs').where({ id: orgId }).update({ status: 'suspended' });
  const beginning = await db.transaction();
  await erasureService(beginning).beginOrg(orgId);
  const resumed = world.call('POST', `/api/admin/orgs/${orgId}/resume`, { token });
  const status = async () => (await db('orgs').where({ id: orgId }).first('status')).status;
  const waiting = db('pg_stat_activity').whereRaw("datname = current_database() and wait_event_type = 'Lock'");
  await until(async () => (await waiting.clone()).length > 0 || (await status()) === 'approved');
  await beginning.commit();
  expect((await resumed).status).toBe(409);
  expect(await status()).toBe('suspended');
});

test('an erasure of a robot that ends after that of its org writes nothing', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  const { robot_id: robotId } = (await factories(world).robot()) as { robot_id: string };
  await erasureService(db).beginRobot(orgId, robotId);
  await db('orgs').where({ id: orgId }).update({ status: 'suspended' });
  await erasureService(db).beginOrg(orgId);
  await eraseRobot(world);
  await eraseRobot(world);
  expect(await db('erasures').where({ finished_at: null })).toEqual([]);
  expect((await tablesNaming(db, orgId)).filter((table) => table !== 'hints')).toEqual(['erasures']);
});

test('the removal of a robot is announced by the transaction that removes it', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  const { robot_id: robotId } = (await factories(world).robot()) as { robot_id: string };
  await erasureService(db).beginRobot(orgId, robotId);
  await db('hints').delete();
  await workOn(world).run();
  const removed = (await db('hints').pluck<string[]>('hint')).filter((hint) => hint.includes('access_changed'));
  expect(removed).toEqual([expect.stringContaining(orgId)]);
});

test('an erasure that is stopped is left to the next run', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  const robotId = randomUUID();
  const ends = new AbortController();
  await addEntry(world, robotId);
  await erasureService(db).beginRobot(orgId, robotId);
  await settle(world);
  await workOn(world).run(AbortSignal.abort());
  expect(await tablesNaming(db, robotId)).toContain('timeline_unnumbered');
  const stopped = workOn(world).run(ends.signal);
  ends.abort();
  await stopped;
  expect(await db('erasures').first('claimed_until', 'finished_at')).toEqual({
    claimed_until: null,
    finished_at: null,
  });
  await workOn(world).run();
  expect(await db('erasures').first('finished_at')).toEqual({ finished_at: expect.any(Date) });
});
