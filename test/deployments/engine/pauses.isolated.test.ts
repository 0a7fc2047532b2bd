import { expect, test } from 'vitest';
import { findDue } from '../../../src/deployments/engine/sweep-queries.ts';
import { newcomerOf, only, some, startIsolatedDeploymentWorld, type DeploymentWorld } from './support.ts';

const day = 86_400_000;

const control = (it: DeploymentWorld, id: string, what: 'pause' | 'resume', reason?: string) =>
  it.world.call('POST', `/api/deployments/${id}/${what}`, { body: reason === undefined ? {} : { reason } });

/** As if all of this had happened `days` earlier. */
async function age(it: DeploymentWorld, id: string, days: number): Promise<void> {
  const earlier = (column: string) => it.db.raw(`${column} - make_interval(days => ?)`, [days]);
  await it
    .db('deployments')
    .where({ id })
    .update({
      started_at: earlier('started_at'),
      paused_at: earlier('paused_at'),
      waiting_until: earlier('waiting_until'),
    });
  await it
    .db('targets')
    .where({ deployment_id: id })
    .update({ deadline_at: earlier('deadline_at') });
}

async function started(it: DeploymentWorld, robots = 3) {
  const links = await it.robots(robots);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  return { links, release, id };
}

test('a paused deployment is sent to nobody else, robots that have it finish it, and resumed it goes on', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { links, release, id } = await started(it);
  const [first, ...others] = some(links);
  const order = only(await it.handOut([first]), first);
  expect((await control(it, id, 'pause', 'crashes')).body.data).toMatchObject({
    status: 'paused',
    paused: { since: expect.any(String), reason: 'crashes' },
    waiting_on: { code: 'paused' },
  });
  expect((await it.handOut(others)).size).toBe(0);
  await it.report(first, { orderId: order.orderId, status: 'applied', digest: release.sha256 });
  expect(await it.counts(id)).toMatchObject({ waiting: 2, applied: 1 });
  expect((await it.deployment(id)).status).toBe('paused');

  const resumed = (await control(it, id, 'resume', 'fixed')).body.data;
  expect(resumed).toMatchObject({ status: 'in_progress' });
  expect(resumed).not.toHaveProperty('paused');
  const orders = await it.handOut(others);
  expect(orders.size).toBe(2);
  for (const robot of others)
    await it.report(robot, { orderId: only(orders, robot).orderId, status: 'applied', digest: release.sha256 });
  await it.reaches(id, 'applied');
  const { items } = (await it.world.call('GET', `/api/deployments/${id}/events`)).body;
  const controls = items.filter(({ robot_id: robot }: { robot_id?: string }) => robot === undefined);
  expect(controls.map(({ status, message }: Record<string, string>) => [status, message])).toEqual([
    ['scheduled', undefined],
    ['pending', undefined],
    ['paused', 'crashes'],
    ['in_progress', 'fixed'],
  ]);
  await it.check();
});

test('a pause that commits while targets are dispatched comes before or after, never between', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { links, id } = await started(it, 40);
  const handOuts = links.map((robot) => it.handOut([robot]));
  expect((await control(it, id, 'pause')).status).toBe(200);
  await Promise.all(handOuts);
  const { paused_at: pausedAt } = await it.db('deployments').where({ id }).first('paused_at');
  const late = await it.db('targets').where({ deployment_id: id }).where('dispatched_at', '>', pausedAt);
  expect(late).toEqual([]);
  expect((await it.handOut(links)).size).toBe((await it.counts(id))['dispatched']);
  await it.check();
});

test('what has not begun does not begin while it is paused, and begins at once when its time has passed', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await it.robots(1);
  const release = await it.release();
  const later = { scheduled_at: new Date(Date.now() + day).toISOString() };
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, later);
  expect((await control(it, id, 'pause')).body.data).toMatchObject({ status: 'paused', counts: { total: 0 } });
  await it.fallDue(id);
  const other = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(other, 'pending');
  expect((await it.deployment(id)).status).toBe('paused');
  expect((await control(it, id, 'resume')).body.data.status).toBe('scheduled');
  await it.reaches(id, 'pending');
  expect(await it.story(id)).toEqual(['scheduled', 'paused', 'scheduled', 'pending']);

  const third = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, later);
  await control(it, third, 'pause');
  const cancelled = await it.world.call('POST', `/api/deployments/${third}/cancel`);
  expect(cancelled.body.data).toMatchObject({ status: 'cancelled', ended_at: expect.any(String) });
  await it.check();
});

test('targets do not expire while they are paused, and have their whole time afterwards', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { links, id } = await started(it, 2);
  const [robot] = some(links);
  await age(it, id, 5);
  await control(it, id, 'pause');
  const target = async () => (await it.world.call('GET', `/api/deployments/${id}/targets?limit=1`)).body.items[0];
  expect(await target()).not.toHaveProperty('deadline_at');
  await age(it, id, 20);
  // The sweeper looks each second, and what is due elsewhere it ends.
  const other = await it.deploy({ releaseId: (await it.release('script')).id }, { fleet: it.fleetId });
  await it.reaches(other, 'pending');
  await it.expire(other);
  await it.reaches(other, 'failed');
  expect(await it.counts(id)).toMatchObject({ waiting: 2 });
  // It is not looked at each second.
  const nextLook = async () => {
    const row = await it.db('deployment_counts').where({ deployment_id: id }).first('next_deadline_at');
    return Date.parse(row.next_deadline_at) - Date.now();
  };
  await expect.poll(nextLook).toBeGreaterThan(3_000_000);
  await it.db('deployment_counts').where({ deployment_id: id }).update({ next_deadline_at: new Date() });
  expect(await findDue(it.db)).toEqual([]);

  await control(it, id, 'resume');
  const daysLeft = async (of: string | undefined) => {
    const { items } = (await it.world.call('GET', `/api/deployments/${id}/targets?robot_id=${of ?? ''}`)).body;
    return (Date.parse(items[0].deadline_at) - Date.now()) / day;
  };
  expect(await daysLeft(robot.robotId)).toBeCloseTo(2, 1);
  expect((await it.handOut([robot])).size).toBe(1);
  expect(await daysLeft(robot.robotId)).toBeCloseTo(2, 1);
  expect((await it.deployment(id)).status).toBe('in_progress');
  await age(it, id, 3);
  await it.db('deployment_counts').where({ deployment_id: id }).update({ next_deadline_at: new Date() });
  await it.reaches(id, 'failed');
  expect((await it.targets(id)).map(({ status, reason }) => `${status} ${reason ?? ''}`)).toEqual([
    'failed expired',
    'failed expired',
  ]);
  await it.check();
});

test('a robot that joins the fleet of a paused deployment waits for it too', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id } = await started(it, 1);
  await control(it, id, 'pause');
  const { newcomer, made } = await newcomerOf(it);
  expect(made).toMatchObject({ caused_by: { deployment_id: id }, waiting_on: { code: 'paused' } });
  expect((await it.handOut([newcomer])).size).toBe(0);
  await control(it, id, 'resume');
  expect((await it.handOut([newcomer])).size).toBe(1);
  await it.check();
});

test('what a robot that joined waits for is cancelled with the paused deployment', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id } = await started(it, 1);
  await control(it, id, 'pause');
  const { newcomer, made } = await newcomerOf(it);
  await it.world.call('POST', `/api/deployments/${id}/cancel`);
  expect((await it.handOut([newcomer])).size).toBe(0);
  await it.reaches(made.id, 'cancelled');
  await it.reaches(id, 'cancelled');
  expect(await it.story(made.id)).toEqual(['scheduled', 'pending', 'cancelling', 'cancelled cancelled']);
  await it.check();
});

test('a pause does not keep the target of a removed robot', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { links, id } = await started(it, 2);
  const [robot] = some(links);
  await control(it, id, 'pause');
  expect((await it.world.call('DELETE', `/api/robots/${robot.robotId}`)).status).toBe(200);
  await expect.poll(async () => (await it.target(id, robot))?.reason).toBe('robot_removed');
  expect(await it.counts(id)).toMatchObject({ waiting: 1, cancelled: 1 });
  await it.check();
});

test('a newer deployment replaces a paused one on its robots', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { links, id } = await started(it, 2);
  await control(it, id, 'pause');
  const newer = await it.deploy({ releaseId: (await it.release()).id }, { fleet: it.fleetId });
  await it.reaches(newer, 'pending');
  await it.reaches(id, 'cancelled');
  expect((await it.targets(id)).map(({ reason }) => reason)).toEqual(['superseded', 'superseded']);
  expect((await it.handOut(links)).size).toBe(2);
  await it.check();
});

test('pausing and resuming again change nothing, what has ended or is being cancelled refuses, and so does another org', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { links, id } = await started(it, 1);
  const resumedBefore = await control(it, id, 'resume');
  expect([resumedBefore.status, resumedBefore.body.data.status]).toEqual([200, 'pending']);
  await control(it, id, 'pause', 'first');
  expect((await control(it, id, 'pause', 'second')).body.data.paused.reason).toBe('first');
  const audit = await it.world.call('GET', '/api/audit?operation=pauseDeployment');
  expect(audit.body.items).toMatchObject([{ object_id: id, after: { paused: { reason: 'first' } } }]);
  const without = await it.world.call('POST', `/api/deployments/${id}/pause`);
  expect(without.status).toBe(200);
  expect((await control(it, id, 'pause', '')).body.error.message).toContain('body.reason');
  const unknown = await it.world.call('POST', `/api/configs/deployments/${id}/pause`);
  expect(unknown.status).toBe(404);

  await it.handOut(links);
  await control(it, id, 'resume');
  await it.handOut(links);
  await it.world.call('POST', `/api/deployments/${id}/cancel`);
  expect((await control(it, id, 'pause')).body.error).toMatchObject({
    code: 'conflict',
    message: 'the deployment is being cancelled',
  });
  await expect.poll(async () => (await it.targets(id))[0]?.status).toBe('cancelling');
  await it.expire(id);
  await it.reaches(id, 'cancelled');
  expect((await control(it, id, 'resume')).body.error.message).toBe('the deployment has ended: cancelled');
});

test('an entry of a paused config deployment is left out of the document of its robot until it goes on', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const one = await it.deploy({ configId: await it.config('a', 1) }, { fleet: it.fleetId });
  await it.reaches(one, 'pending');
  expect((await it.world.call('POST', `/api/configs/deployments/${one}/pause`)).status).toBe(200);
  const other = await it.deploy({ configId: await it.config('b', 2) }, { fleet: it.fleetId });
  await it.reaches(other, 'pending');
  const order = only(await it.handOut([robot]), robot);
  expect(order.deployments).toEqual([other]);
  await it.report(robot, { orderId: order.orderId, status: 'applied', digest: order.digest });
  expect((await it.world.call('POST', `/api/configs/deployments/${one}/resume`)).status).toBe(200);
  expect(only(await it.handOut([robot]), robot).deployments).toEqual([one]);
  await it.check();
});
