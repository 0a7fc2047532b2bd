import { hash, randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recount } from '../../src/deployments/engine/recount.ts';
import { erasureService, keptOfRobot } from '../../src/erasure/service.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { begun } from '../support/applied.ts';
import { unguarded } from '../support/audit-log.ts';
import { factories } from '../support/factories.ts';
import { startIsolatedWorld } from '../support/world.ts';
import { fillTables, rowsOfOrg, tablesNaming } from './every-table.ts';
import { connect, eraseRobot, settle, workOn } from './support.ts';

test('an erased robot is named by no row but the documented ones, and no row of another robot or org changes', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  const make = factories(world);
  const other = await make.org();
  const key = await make.key();
  const robot = (await make.robot('amr-secret', key as { value: string })) as { robot_id: string };
  const robotId = robot.robot_id;
  await world.stop(0);
  await fillTables(db, { orgId: other.id, robotId: randomUUID() });
  await fillTables(db, { orgId, robotId });
  const before = await rowsOfOrg(db, other.id);
  const [mine] = Object.entries(await rowsOfOrg(db, orgId)).filter(([table]) => table === 'deployments');
  expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(60);

  await erasureService(db).beginRobot(orgId, robotId);
  await eraseRobot(world);
  expect(await db('erasures').first('waits_for', 'finished_at'), world.lines.at(-1)).toEqual({
    waits_for: [],
    finished_at: expect.any(Date),
  });
  const naming = await tablesNaming(db, robotId);
  expect(naming.filter((table) => !keptOfRobot.includes(table))).toEqual([]);
  expect(await tablesNaming(db, 'amr-secret')).toEqual(['audit']);
  expect(await rowsOfOrg(db, other.id)).toEqual(before);
  expect((await rowsOfOrg(db, orgId))['deployments']).toEqual(mine?.[1]);
});

test('an org is erased whole, with its artifacts and its audit log, and no row of another org changes', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId, dataDir } = world;
  const make = factories(world);
  const other = await make.org();
  const robotId = randomUUID();
  const [sha256, unrecorded] = [hash('sha256', ''), hash('sha256', 'stored before a crash')];
  for (const each of [sha256, unrecorded]) await make.release({ artifact_sha256: each, artifact_size: 0 });
  await world.call('PUT', `/api/artifacts/${sha256}`, { headers: { 'Content-Type': 'application/octet-stream' } });
  await writeFile(join(dataDir, 'artifacts', orgId, unrecorded), '');
  await world.call('POST', `/api/users`, { body: { email: 'someone@example.com', role: 'admin' } });
  await expect(erasureService(db).beginOrg(orgId)).rejects.toThrow('the org is approved: suspend it first');
  await world.call('POST', `/api/admin/orgs/${orgId}/suspend`, { token: world.adminToken });
  await expect(db('audit').where({ org_id: orgId }).delete()).rejects.toThrow('neither changed nor removed');
  await world.stop(0);
  await fillTables(db, { orgId: other.id, robotId: randomUUID() });
  await fillTables(db, { orgId, robotId });
  for (const table of ['log_objects', 'log_object_blocks']) await db(table).where({ org_id: orgId }).delete();
  const before = await rowsOfOrg(db, other.id);

  await erasureService(db).beginOrg(orgId);
  await settle(world);
  await workOn(world).run();
  expect(await db('erasures').first('waits_for', 'finished_at'), world.lines.at(-1)).toEqual({
    waits_for: [],
    finished_at: expect.any(Date),
  });
  expect(await tablesNaming(db, orgId)).toEqual(['artifact_uploads', 'erasures', 'hints']);
  expect(await tablesNaming(db, 'someone@example.com')).toEqual([]);
  expect(await readdir(join(dataDir, 'artifacts', orgId))).toEqual([]);
  expect(await rowsOfOrg(db, other.id)).toEqual(before);
  await expect(db('audit').where({ org_id: other.id }).delete()).rejects.toThrow('neither changed nor removed');
});

test('an erasure that is killed after any statement is continued, and counts each row once', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId, connection } = world;
  const key = (await factories(world).key()) as { value: string };
  const robots = [];
  for (const name of ['a', 'b']) robots.push((await factories(world).robot(name, key)) as { robot_id: string });
  await world.stop(0);
  for (const { robot_id: robotId } of robots) await fillTables(db, { orgId, robotId });
  const removed = async (robotId: string) =>
    (await db('erasures').where({ robot_id: robotId }).first('removed')).removed;
  const [whole = '', killed = ''] = robots.map(({ robot_id: robotId }) => robotId);
  // Its number is taken by the other one.
  await db('log_streams').insert({ org_id: orgId, number: 2, robot_id: killed, fleet_id: randomUUID() });
  const begin = async (robotId: string) => {
    await db('robot_links').delete();
    await erasureService(db).beginRobot(orgId, robotId);
    await settle(world);
  };
  await begin(whole);
  await eraseRobot(world);

  await begin(killed);
  for (let statements = 1; (await db('erasures').where({ finished_at: null })).length > 0; statements += 7) {
    const own = openDatabase(connection, { connections: 2 });
    let left = statements;
    own.on('query', () => {
      left -= 1;
      if (left <= 0) throw new Error('killed');
    });
    await workOn({ ...world, db: own })
      .run()
      .catch(() => undefined);
    await own.destroy();
    await db('erasures').update({ claimed_until: null });
    await settle(world);
  }
  expect(await removed(killed)).toEqual(await removed(whole));
});

test('of an erased robot only the ID stays in an active deployment, until that ends', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  const make = factories(world);
  const key = (await make.key()) as { value: string; fleet_id: string };
  const [robot] = [await make.robot('a', key), await make.robot('b', key)] as { robot_id: string }[];
  const robotId = robot?.robot_id ?? '';
  const order = { release_id: (await make.release()).id, target_kind: 'fleet', target_id: key.fleet_id };
  const { id } = (await make.deployment(order)) as { id: string };
  await begun(world, id);
  await db('targets').where({ robot_id: robotId }).update({ message: 'secret' });
  await erasureService(db).beginRobot(orgId, robotId);
  const erase = async () => {
    await settle(world);
    await workOn(world).run();
    return (await db('erasures').first('waits_for')).waits_for;
  };
  expect(await erase()).toContain('the end of its orders');
  await expect.poll(() => db('targets').where({ robot_id: robotId }).first('status')).toEqual({ status: 'cancelled' });
  expect(await erase()).toEqual(['active deployments, which count it as one of their robots']);
  // All events of the org are not read again until something changed.
  const event = { org_id: orgId, deployment_id: id };
  await db('deployment_events').where(event).update({ robot_id: robotId });
  await erase();
  expect(await db('deployment_events').where({ robot_id: robotId })).not.toEqual([]);
  expect(await db('targets').where({ robot_id: robotId }).first('message')).toEqual({ message: null });
  expect(await recount(db)).toEqual([]);
  expect((await world.call('POST', `/api/deployments/${id}/cancel`)).status).toBe(200);
  await expect.poll(() => db('deployments').where({ id }).whereNotNull('ended_at')).toHaveLength(1);
  expect(await erase()).toEqual([]);
  expect(await db('deployment_events').where({ robot_id: robotId })).toEqual([]);
  expect(await db('targets').where({ robot_id: robotId })).toEqual([]);
});

test('a robot that was removed is found by its timeline, if its audit entries were exported and deleted', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  const { robot_id: robotId } = (await factories(world).robot()) as { robot_id: string };
  expect((await world.call('DELETE', `/api/robots/${robotId}`)).status).toBe(200);
  await unguarded(db, 'delete from audit where object_id = ?', [robotId]);
  await db('timeline').insert({ org_id: orgId, id: randomUUID(), robot_id: robotId, seq: 1, kind: 'renamed' });
  expect(await erasureService(db).beginRobotOfAnyOrg(robotId)).toMatchObject({ orgId, robotId });
});

test('a connected robot is not erased, and neither is one that nobody knows', async () => {
  await using world = await startIsolatedWorld();
  const { db } = world;
  const robot = (await factories(world).robot()) as { robot_id: string };
  await connect(world, robot.robot_id);
  const erasures = erasureService(db);
  await expect(erasures.beginRobotOfAnyOrg(robot.robot_id)).rejects.toThrow('the robot is connected');
  await expect(erasures.beginRobotOfAnyOrg(randomUUID())).rejects.toThrow('not found');
  expect(await db('erasures')).toEqual([]);
  await db('robot_links').update({ disconnected_at: new Date() });
  const first = await erasures.beginRobotOfAnyOrg(robot.robot_id);
  expect(await erasures.beginRobotOfAnyOrg(robot.robot_id)).toEqual(first);
  expect(first.settlesAt.getTime()).toBeGreaterThan(Date.now() + 240_000);
});

test('an org whose data is being erased is not resumed', async () => {
  await using world = await startIsolatedWorld();
  const move = (name: string) =>
    world.call('POST', `/api/admin/orgs/${world.orgId}/${name}`, { token: world.adminToken });
  await move('suspend');
  await erasureService(world.db).beginOrg(world.orgId);
  expect((await move('resume')).body).toEqual({
    error: { code: 'conflict', message: 'the data of the org is being erased' },
  });
});
