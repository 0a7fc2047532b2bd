import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { removeUnusedPayloads } from '../../../src/deployments/api/remove-unused.ts';
import { deploymentRetention, removedByRetention } from '../../../src/deployments/api/retention.ts';
import { inTransaction } from '../../../src/platform/db/transaction.ts';
import { startIsolatedDeploymentWorld, type DeploymentWorld, type LinkedRobot } from '../engine/support.ts';

const longAgo = '2020-01-01T00:00:00Z';
const start = { orgId: null, key: null };

/** Values of one key, each deployed to the fleet and applied by the robot, years ago, oldest first. */
async function played(it: DeploymentWorld, robot: LinkedRobot, values: number) {
  const ids: string[] = [];
  let configId = '';
  for (let value = 0; value < values; value += 1) {
    configId = await it.config('nav.speed', value);
    const id = await it.deploy({ configId }, { fleet: it.fleetId });
    await it.reaches(id, 'pending');
    await applyOrder(it, robot);
    await it.reaches(id, 'applied');
    ids.push(id);
  }
  await it.db('deployments').update({ ended_at: it.db.raw(`now() - interval '2 years' + rank * interval '1 hour'`) });
  await it.db('config_revisions').update({ created_at: it.db.raw(`now() - interval '2 years'`) });
  await it.db('payloads').update({ created_at: longAgo });
  return { ids, configId };
}

/** Gives the payload that the robot received. */
async function applyOrder(it: DeploymentWorld, robot: LinkedRobot): Promise<string> {
  const [order] = (await it.handOut([robot])).get(robot.robotId) ?? [];
  expect(order?.payload).toBeDefined();
  await it.report(robot, { orderId: order?.orderId ?? '', status: 'applied', digest: order?.digest });
  return order?.payload ?? '';
}

const digests = async ({ db }: DeploymentWorld) => (await db('payloads').pluck<string[]>('digest')).toSorted();

test('payloads of config orders go with these, and a rollback still has what its robots return to', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = (await it.robots(1)) as [LinkedRobot];
  const { ids } = await played(it, robot, 5);
  expect(await digests(it)).toHaveLength(10); // of each deployment, and of each order
  await deploymentRetention(it.db, 30).run();
  expect(await digests(it)).toHaveLength(8);
  expect(await removedByRetention(it.db)).toMatchObject({ targets: 2, orders: 2, payloads: 2 });
  expect((await it.world.call('POST', `/api/configs/deployments/${ids[4]}/rollback`)).status).toBe(200);
  await expect.poll(async () => it.db('targets').where({ status: 'waiting' }).first('robot_id')).toBeDefined();
  expect(await applyOrder(it, robot)).toContain('"value":3');
});

const order = ({ org_id, digest }: { org_id: string; digest: string }) => ({
  org_id,
  id: randomUUID(),
  robot_id: randomUUID(),
  lane: 'config',
  payload_digest: digest,
  proof: digest,
  terms: '{}',
  ended_at: new Date(),
});

const isWaiting = ({ db }: DeploymentWorld) =>
  db('pg_stat_activity').where({ wait_event_type: 'Lock', wait_event: 'transactionid' }).first();

test('a payload that an order uses again stays, whether that order comes before or after its deletion', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { db } = it;
  const [first, second] = [
    { org_id: it.world.orgId, digest: 'a'.repeat(64), body: '{}', created_at: longAgo },
    { org_id: it.world.orgId, digest: 'b'.repeat(64), body: '{}', created_at: longAgo },
  ];
  await db('payloads').insert([first, second]);
  await db('deployment_retention').insert({}).onConflict().ignore();
  // It commits the order only after the retention has looked.
  await db.transaction(async (trx) => {
    await trx('payloads').insert(first).onConflict().ignore();
    await db.transaction((own) => removeUnusedPayloads(own, start));
    await trx('orders').insert(order(first));
  });
  expect(await digests(it)).toEqual([first.digest]);

  await db('payloads').insert(second);
  const deletion = await db.transaction();
  await removeUnusedPayloads(deletion, start);
  const insertion = inTransaction(db, async (trx) => {
    await trx('payloads').insert(second).onConflict().ignore();
    await trx('orders').insert(order(second));
    return { result: undefined, closing: [] };
  });
  await expect.poll(() => isWaiting(it)).toBeDefined();
  await deletion.commit();
  await insertion;
  expect(await digests(it)).toEqual([first.digest, second.digest]);
});

test('a payload that two transactions store at once stays until the second has committed what names it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { db } = it;
  const payload = { org_id: it.world.orgId, digest: 'a'.repeat(64), body: '{}' };
  await db('deployment_retention').insert({}).onConflict().ignore();
  const [first, second] = [await db.transaction(), await db.transaction()];
  await first('payloads').insert(payload);
  const insertion = second('payloads').insert(payload).onConflict().ignore().then();
  await expect.poll(() => isWaiting(it)).toBeDefined();
  await first.commit();
  await insertion;
  await db.transaction((own) => removeUnusedPayloads(own, start));
  await second('orders').insert(order(payload));
  await second.commit();
  expect(await digests(it)).toEqual([payload.digest]);
});

test('old revisions go that nothing deploys or plans; the others are listed, deployed and signed as before', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { db, world } = it;
  const [robot] = (await it.robots(1)) as [LinkedRobot];
  const { configId } = await played(it, robot, 2); // revisions 1 and 2
  for (let value = 3; value <= 6; value += 1) await it.config('nav.speed', value);
  const target = { target_kind: 'robot', target_id: robot.robotId };
  const plan = { kind: 'config', config_id: configId, ...target };
  expect((await world.call('POST', '/api/deployment-plans', { body: { ...plan, revision: 4 } })).status).toBe(201);
  const revisions = () => db('config_revisions').orderBy('revision').pluck('revision');
  await db('config_revisions').where('revision', '<', 6).update({ created_at: '2020-01-01' });
  await deploymentRetention(db, 30).run();
  expect(await revisions()).toEqual([1, 2, 4, 5, 6]); // 5 was the newest until today
  await db('config_revisions').update({ created_at: '2020-01-01' });
  await db('deployment_retention').update({ resume_at: db.fn.now() });
  await deploymentRetention(db, 30).run();
  expect(await revisions()).toEqual([1, 2, 4, 6]);
  expect(await removedByRetention(db)).toMatchObject({ config_revisions: 2 });

  const listed = await world.call('GET', `/api/config-revisions?config_id=${configId}&limit=3`);
  expect(listed.body.items.map(({ revision }: { revision: number }) => revision)).toEqual([1, 2, 4]);
  const next = await world.call(
    'GET',
    `/api/config-revisions?config_id=${configId}&limit=3&cursor=${listed.body.next_cursor}`,
  );
  expect(next.body.items.map(({ revision }: { revision: number }) => revision)).toEqual([6]);
  const deploy = (revision: number) =>
    world.call('POST', '/api/configs/deployments', {
      body: { config_id: configId, revision, ...target },
      headers: { 'Idempotency-Key': randomUUID() },
    });
  expect((await deploy(4)).status).toBe(201);
  const refused = await deploy(5);
  expect([refused.status, refused.body.error.message]).toEqual([
    404,
    'default/nav.speed no longer has revision 5: nothing deployed it, and it was deleted after DEPLOYMENT_RETENTION_DAYS',
  ]);
});

test('an entry that a person deploys or sets at this moment is left for the next time', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { db } = it;
  for (let value = 1; value <= 3; value += 1) await it.config('nav.speed', value);
  await db('config_revisions').update({ created_at: '2020-01-01' });
  await db.transaction(async (trx) => {
    await trx('configs').forShare().select('id');
    await deploymentRetention(db, 30).run();
  });
  expect(await db('config_revisions').pluck('revision')).toHaveLength(3);
  await db('deployment_retention').update({ resume_at: db.fn.now() });
  await Promise.all([deploymentRetention(db, 30).run(), deploymentRetention(db, 30).run()]);
  expect(await db('config_revisions').pluck('revision')).toEqual([3]);
});

test('failures and signatures of a deployment go once no decision about it is due', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { db } = it;
  const [robot] = (await it.robots(1)) as [LinkedRobot];
  const { ids } = await played(it, robot, 3);
  const [, undecided = '', returning = ''] = ids;
  for (const id of ids) {
    const key = { org_id: it.world.orgId, deployment_id: id };
    await db('rollout_failures').insert({ ...key, robot_id: robot.robotId, wave: 1, cause: 'failed' });
    await db('rollback_signatures').insert({ ...key, payload_digest: 'a', signature: 'b', key_id: 'c' });
  }
  await db('deployments').where({ id: undecided }).update({ decide_at: '2100-01-01' });
  const rollout = JSON.stringify({ waves: [] });
  await db.raw(
    `insert into deployments (org_id, id, lane, payload_key, config_id, revision, payload_digest, proof, target_kind, target_id, active_minutes,
                              rollout, rollback_of, due_at)
     select org_id, gen_random_uuid(), lane, payload_key, config_id, revision, payload_digest, proof, target_kind, target_id, active_minutes,
            :rollout::jsonb, id, '2100-01-01' from deployments where id = :returning`,
    { rollout, returning },
  );
  const left = async (table: string) => (await db(table).pluck('deployment_id')).toSorted();
  await deploymentRetention(db, 30).run();
  for (const table of ['rollout_failures', 'rollback_signatures'])
    expect([table, await left(table)]).toEqual([table, [undecided, returning].toSorted()]);
  expect(await removedByRetention(db)).toMatchObject({ rollout_failures: 1, rollback_signatures: 1 });
});
