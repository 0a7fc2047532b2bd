import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { dispatch } from '../../../src/deployments/engine/dispatching.ts';
import type { DueDeployment } from '../../../src/deployments/engine/due-deployments.ts';
import { expand } from '../../../src/deployments/engine/target-expansion.ts';
import { only, some, startDeploymentWorld, type DeploymentWorld } from './support.ts';

/** Lets orders of as many config keys wait for the only robot of the fleet, as if they had been ordered one by one. */
async function letWait(it: DeploymentWorld, keys: number): Promise<void> {
  const configId = await it.config('first', 1);
  const pattern = await it.deploy({ configId }, { fleet: it.fleetId });
  await it.reaches(pattern, 'pending');
  await it.db.raw(
    `with made as (
       insert into deployments (org_id, id, lane, payload_key, config_id, revision, namespace, key, payload_digest, proof, target_kind, target_id,
                                status, active_minutes, started_at, rank)
       select org_id, gen_random_uuid(), lane, 'default/k' || n, config_id, revision, namespace, 'k' || n, payload_digest, proof, target_kind, target_id,
              'pending', active_minutes, started_at, nextval('deployment_rank')
         from deployments, generate_series(1, :keys::int - 1) as n where id = :pattern returning *
     ), counted as (
       insert into deployment_counts (org_id, deployment_id, total, waiting, event_seq) select org_id, id, 1, 1, 1 from made
     ), told as (
       insert into deployment_events (org_id, deployment_id, seq, status) select org_id, id, 1, 'pending' from made
     )
     insert into targets (org_id, deployment_id, robot_id, lane, payload_key, rank, deadline_at)
     select d.org_id, d.id, t.robot_id, d.lane, d.payload_key, d.rank, t.deadline_at from made d, targets t where t.deployment_id = :pattern`,
    { pattern, keys },
  );
  // Autovacuum does it within a minute. Until then each look-up reads all targets of the robot.
  await it.db.raw('analyze targets, open_targets');
}

test('for a robot for which 2,000 orders wait no further key is taken, while the other robots of its fleet get it', async () => {
  await using it = await startDeploymentWorld();
  const [crowded] = some(await it.robots(1));
  await letWait(it, 2_000);
  const [other] = some(await it.robots(1));
  const place = { target_kind: 'robot', target_id: crowded.robotId };
  const order = (path: string, body: object) =>
    it.world.call('POST', path, { body: { ...place, ...body }, headers: { 'Idempotency-Key': randomUUID() } });
  const configId = await it.config('one.more', 1);
  const release = await it.release();
  for (const refused of [
    await order('/api/configs/deployments', { config_id: configId }),
    await order('/api/deployments', { release_id: release.id }),
  ])
    expect([refused.status, refused.body.error]).toEqual([
      409,
      {
        code: 'conflict',
        message:
          '2000 orders are waiting for the robot, which is the maximum; an order for another key or kind is accepted once the robot has received some of them',
      },
    ]);

  const inTime = new Date(Date.now() + 3_600_000).toISOString();
  const later = await it.deploy({ configId }, { robot: crowded.robotId }, { scheduled_at: inTime });
  const ofFleet = await it.deploy({ configId }, { fleet: it.fleetId });
  await it.reaches(ofFleet, 'pending');
  // Before the other begins, which would replace what the robot waits for.
  await expect.poll(async () => (await it.target(ofFleet, crowded))?.status).toBe('failed');
  await it.fallDue(later);
  await it.reaches(later, 'failed');
  expect(await it.target(later, crowded)).toMatchObject({ status: 'failed', reason: 'too_many_orders' });
  expect(await it.story(ofFleet)).toEqual(['scheduled', 'pending', 'pending failed too_many_orders']);
  expect(await it.target(ofFleet, other)).toMatchObject({ status: 'waiting', reason: null });

  // One that takes the place of another adds nothing.
  const again = await it.deploy({ configId: await it.config('first', 2) }, { robot: crowded.robotId });
  await it.reaches(again, 'pending');
  expect(await it.target(again, crowded)).toMatchObject({ status: 'waiting', reason: null });
  await it.handOut([crowded]);
  expect((await order('/api/configs/deployments', { config_id: configId })).status).toBe(201);
  await it.check();
});

test('deployments that are due at once let no more than 2,000 orders wait for a robot', async () => {
  await using it = await startDeploymentWorld();
  const [robot] = some(await it.robots(1));
  await letWait(it, 1_998);
  const at = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
  const ids: string[] = [];
  for (const key of ['a', 'b', 'c', 'd', 'e'])
    ids.push(await it.deploy({ configId: await it.config(key, 1) }, { robot: robot.robotId }, at));
  await it.db('deployments').whereIn('id', ids).update({ due_at: it.db.fn.now() });
  const statusesOf = async () => Promise.all(ids.map(async (id) => (await it.target(id, robot))?.status));
  await expect.poll(statusesOf).toEqual(['waiting', 'waiting', 'failed', 'failed', 'failed']);
  await it.check();
});

test('robots that have more to get than goes into one transaction get it in several, each robot all of its own', async () => {
  await using it = await startDeploymentWorld();
  const robots = await it.robots(2);
  const configs = [await it.config('a', 1), await it.config('b', 2), await it.config('c', 3)];
  for (const { robotId } of robots)
    for (const configId of configs) await it.reaches(await it.deploy({ configId }, { robot: robotId }), 'pending');
  await dispatch(it.db, robots, { limit: 4 });
  const open = await it.orderPort.openOrders(robots);
  for (const robot of robots) expect(only(open, robot).deployments).toHaveLength(3);
  await it.check();
});

test('a fleet with more robots than a deployment may have gets no orders, and it is said why', async () => {
  await using it = await startDeploymentWorld();
  await it.robots(3);
  const { id: releaseId } = await it.release();
  const at = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
  const [taken, refused] = [
    await it.deploy({ releaseId }, { fleet: it.fleetId }, at),
    await it.deploy({ releaseId }, { fleet: it.fleetId }, at),
  ];
  const dueOf = (deploymentId: string): DueDeployment => ({
    orgId: it.world.orgId,
    deploymentId,
    target: { kind: 'fleet', id: it.fleetId },
    rollout: undefined,
    isGradual: false,
    blockedBy: [],
    traceContext: undefined,
    lateSeconds: 0,
  });
  await it.db.transaction(async (trx) => {
    await trx('deployments').where({ org_id: it.world.orgId }).update({ due_at: trx.fn.now() });
    expect(await expand(trx, dueOf(taken), 3)).toMatchObject({ targets: 3 });
    expect(await expand(trx, dueOf(refused), 2)).toMatchObject({ targets: 0 });
  });
  expect(await it.deployment(refused)).toMatchObject({ status: 'failed', reason: 'too_many_targets' });
  expect(await it.story(refused)).toEqual(['scheduled', 'failed too_many_targets']);
  expect(await it.targets(refused)).toEqual([]);
  expect(await it.targets(taken)).toHaveLength(3);
  await it.check();
});
