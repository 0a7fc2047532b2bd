import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { waitingDeadline } from '../../../src/deployments/engine/holds.ts';
import { control, reachesWave, robotsIn, started } from './controls/support.ts';
import { begin, maintain, pin, receivers, targetOf, unpin, view } from './robot-holds.ts';
import { begun, reaches, rollBack, rollbackOf, work } from './rollbacks/support.ts';
import { newcomerOf, only, some, startIsolatedDeploymentWorld, type DeploymentWorld } from './support.ts';

/** What waits on the robots for too long goes to the sweeper, which looks at it. */
const sweep = async (it: DeploymentWorld, id: string) => {
  await it.db('deployment_counts').where({ deployment_id: id }).update({ next_deadline_at: it.db.fn.now() });
  const looked = () =>
    it.db('deployment_counts').where({ deployment_id: id }).where('next_deadline_at', '>', it.db.fn.now());
  await expect.poll(async () => (await looked()).length).toBe(1);
};

test('a pin that ended while no replica ran gives its robot 7 days', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const [kept, next] = [await it.release(), await it.release()];
  await pin(it, robot, kept.id);
  const id = await begin(it, next.id, {}, robot);
  await it.db.transaction(async (trx) => {
    await trx.raw(`update deployments set started_at = now() - interval '20 days' where id = ?`, [id]);
    await trx.raw(`update targets set deadline_at = now() - interval '9 days' where deployment_id = ?`, [id]);
    await trx.raw(`update robot_pins set until = now() - interval '8 days'`);
    await trx.raw(`update deployment_counts set next_deadline_at = now() where deployment_id = ?`, [id]);
    const { rows } = await trx.raw(
      `select ${waitingDeadline('d', 't')} as at from targets t join deployments d on d.id = t.deployment_id where d.id = ?`,
      [id],
    );
    expect(rows).toEqual([{ at: null }]);
  });
  await expect.poll(async () => (await it.db('freed_robots')).length).toBe(1);
  await sweep(it, id);
  expect((await it.target(id, robot))?.status).toBe('waiting');
  expect(await receivers(it, [robot])).toEqual(new Set([robot.robotId]));
});

test('a pinned robot gets its release, although its fleet gets a newer one meanwhile, and that after the pin', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const [kept, next] = [await it.release(), await it.release()];
  await pin(it, robot, kept.id);
  const own = await begin(it, kept.id, {}, robot);
  const newer = await begin(it, next.id);
  await expect
    .poll(async () => (await it.db('deployments').where({ id: newer, is_superseding: false })).length, {
      timeout: 9_000,
    })
    .toBe(1);
  expect(await it.target(own, robot)).toMatchObject({ status: 'waiting' });
  expect((await targetOf(it, own, robot)).waiting_on.code).toBe('dispatch');
  expect(only(await it.handOut([robot]), robot).deployments).toEqual([own]);
  await work(it, [robot]);
  await it.reaches(own, 'applied');
  expect((await targetOf(it, newer, robot)).waiting_on.code).toBe('pin');
  await unpin(it, robot);
  expect(only(await it.handOut([robot]), robot).deployments).toEqual([newer]);
  await work(it, [robot]);
  await it.reaches(newer, 'applied');
  await it.check();
});

test('what was to bring a robot its pinned release is replaced after the pin', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const [kept, next] = [await it.release(), await it.release()];
  await pin(it, robot, kept.id);
  const own = await begin(it, kept.id, {}, robot);
  const newer = await begin(it, next.id);
  await unpin(it, robot);
  await it.reaches(own, 'cancelled');
  expect(await it.target(own, robot)).toMatchObject({ status: 'cancelled', reason: 'superseded' });
  expect(only(await it.handOut([robot]), robot).deployments).toEqual([newer]);
});

test('a rollback returns a robot to its pinned release, although something newer waits for it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const [good, bad, next] = [await it.release(), await it.release(), await it.release()];
  await begin(it, good.id);
  await work(it, [robot]);
  const id = await begin(it, bad.id);
  await work(it, [robot]);
  await pin(it, robot, good.id);
  await begin(it, next.id);
  expect(await rollbackOf(it, id)).toMatchObject({ returns: [{ release_id: good.id, robots: 1 }], excluded: [] });
  await rollBack(it, id);
  await reaches(it, id, 1);
  await begun(it, id);
  expect(await work(it, [robot])).toEqual(new Map([[robot.robotId, good.sha256]]));
});

test('a retry sends a robot its pinned release again, although something newer waits for it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const [kept, next] = [await it.release(), await it.release()];
  const id = await begin(it, kept.id, {}, robot);
  await work(it, [robot], 'failed');
  await pin(it, robot, kept.id);
  await begin(it, next.id);
  const headers = { 'Idempotency-Key': randomUUID() };
  const answer = await it.world.call('POST', `/api/deployments/${id}/retry`, { headers, body: {} });
  expect(answer.status, answer.text).toBe(201);
  await it.reaches(answer.body.data.id, 'pending');
  expect(only(await it.handOut([robot]), robot).deployments).toEqual([answer.body.data.id]);
});

test('maintenance holds the rollout of a fleet for a robot that joined it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const next = await it.release();
  await begin(it, next.id, { rollout: { waves: [{ percent: 100 }] } });
  await work(it, [robot]);
  const { newcomer, made } = await newcomerOf(it);
  await maintain(it, newcomer);
  expect(await receivers(it, [newcomer])).toEqual(new Set());
  expect((await targetOf(it, made.id, newcomer)).waiting_on.code).toBe('maintenance');
});

test('a machine in maintenance that enrolls again stays in maintenance', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const body = { site_id: it.siteId, fleet_id: it.fleetId };
  const { value: token } = (await it.world.call('POST', '/api/enrollment-keys', { body })).body.data;
  const enroll = async (more: object) =>
    (await it.world.call('POST', '/agent/enroll', { token, body: more })).body.data;
  const before = await enroll({});
  const window = await maintain(it, { orgId: it.world.orgId, robotId: before.robot_id, epoch: 1 });
  const { robot_id: id } = await enroll({ replaces_token: before.robot_token });
  const read = async (robot: string) => (await it.world.call('GET', `/api/robots/${robot}`)).body.data;
  expect((await read(id)).maintenance).toMatchObject({ id: window, reason: 'new battery' });
  await expect.poll(async () => (await read(before.robot_id)).maintenance).toBeUndefined();
  expect(await it.db('condition_reviews')).toEqual([]);
  expect((await read(id)).maintenance).toMatchObject({ id: window });
  await it.world.call('POST', `/api/maintenance-windows/${window}/end`);
  await expect.poll(async () => (await read(id)).maintenance).toBeUndefined();
});

test('a pinned robot does not hold up its wave, whatever the rollout requires to end', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 2 }], advance: { min_ended: 2 } }, 4);
  const [pinned, other] = some(await robotsIn(it, rollout, 1));
  await pin(it, pinned, (await it.release()).id);
  await work(it, [other]);
  await reachesWave(it, rollout.id, 2);
});

test('a wave of pinned robots only waits until it is skipped', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }] }, 3);
  const [canary] = some(await robotsIn(it, rollout, 1));
  await pin(it, canary, (await it.release()).id);
  const decided = async () => (await it.db('deployments').where({ id: rollout.id }).first()).decide_at;
  const first = await decided();
  await expect.poll(decided).not.toEqual(first);
  expect(await view(it, rollout.id)).toMatchObject({
    status: 'pending',
    waiting_on: { code: 'pin' },
    rollout: { wave: 1 },
  });
  await control(it, rollout.id, 'skip', { wave: 1 });
  await reachesWave(it, rollout.id, 2);
});

test('the response of a skip says that the robots of the wave are still to end', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 2 }] }, 4);
  const answer = await control(it, rollout.id, 'skip', { wave: 1 });
  expect(answer.body.data).toMatchObject({
    counts: { waiting: 4, cancelled: 0 },
    rollout: { waves: [{ counts: { waiting: 2 } }, { counts: { waiting: 2 } }] },
    waiting_on: { code: 'cancel_confirmation', since: answer.body.data.rollout.waves[0].skipped_at },
  });
});
