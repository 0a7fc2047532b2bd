import { expect, test } from 'vitest';
import { cancel, only, startIsolatedDeploymentWorld, type DeploymentWorld, type LinkedRobot } from './support.ts';

const view = async (it: DeploymentWorld, id: string) =>
  (await it.world.call('GET', `/api/deployments/${id}`)).body.data;

const rolledOut = (supersede: string) => ({ rollout: { waves: [{ percent: 100 }], supersede } });

/** An older deployment to the fleet, which the first of its robots has received. */
async function older(it: DeploymentWorld, robots = 3) {
  const links = await it.robots(robots);
  const [release, next] = [await it.release(), await it.release()];
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const [first] = links as [LinkedRobot];
  const order = only(await it.handOut([first]), first);
  const finish = () => it.report(first, { orderId: order.orderId, status: 'applied', digest: release.sha256 });
  return { id, links, release, next, first, finish };
}

test('a newer deployment that lets older ones finish waits for them, names them, and begins once they have ended', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id: first, links, next, release } = await older(it);
  const id = await it.deploy({ releaseId: next.id }, { fleet: it.fleetId }, rolledOut('finish'));
  await expect.poll(async () => (await view(it, id)).blocked_by as unknown, { interval: 20 }).toEqual([first]);
  expect(await view(it, id)).toMatchObject({ status: 'scheduled', waiting_on: { code: 'deployment' } });
  const [message] = (await it.world.call('GET', `/api/deployments/${id}/events`)).body.items.slice(-1);
  expect(message).toMatchObject({ reason: 'blocked', message: `waits until deployment ${first} has ended` });
  // It is looked at again, and says nothing new.
  await it.fallDue(id);
  await expect.poll(async () => (await it.db('deployments').where({ id }).first()).due_at > new Date()).toBe(true);
  expect(await it.story(id)).toEqual(['scheduled', 'scheduled blocked']);
  expect((await it.deployment(first)).status).toBe('in_progress');

  const orders = await it.handOut(links);
  for (const robot of links)
    await it.report(robot, { orderId: only(orders, robot).orderId, status: 'applied', digest: release.sha256 });
  await it.reaches(first, 'applied');
  await it.reaches(id, 'pending');
  expect(await view(it, id)).not.toHaveProperty('blocked_by');
  await it.check();
});

test('it waits for no deployment to other robots, of another kind, that has not begun, or that has ended', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(2);
  const [one, other] = links as [LinkedRobot, LinkedRobot];
  const release = await it.release();
  const atRobot = await it.deploy({ releaseId: release.id }, { robot: one.robotId });
  await it.reaches(atRobot, 'pending');
  await it.reaches(await it.deploy({ releaseId: (await it.release('script')).id }, { fleet: it.fleetId }), 'pending');
  await it.deploy(
    { releaseId: release.id },
    { fleet: it.fleetId },
    { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() },
  );
  await it
    .db('robots')
    .where({ id: other.robotId })
    .update({ labels: { tier: 'canary' } });
  const beside = await it.deploy({ releaseId: release.id }, { selector: 'tier=canary' }, rolledOut('finish'));
  await it.reaches(beside, 'pending');
  await cancel(it, beside);
  await it.reaches(beside, 'cancelled');

  const waits = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, rolledOut('finish'));
  await expect.poll(async () => (await view(it, waits)).blocked_by as unknown, { interval: 20 }).toEqual([atRobot]);
  await cancel(it, atRobot);
  await it.reaches(waits, 'pending');
  await it.check();
});

test('a deployment that waits for older ones can be cancelled, paused and resumed', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id: first, next } = await older(it);
  const id = await it.deploy({ releaseId: next.id }, { fleet: it.fleetId }, rolledOut('finish'));
  await expect.poll(async () => (await view(it, id)).blocked_by as unknown, { interval: 20 }).toEqual([first]);
  for (const [what, status] of [
    ['pause', 'paused'],
    ['resume', 'scheduled'],
    ['cancel', 'cancelled'],
  ])
    expect((await it.world.call('POST', `/api/deployments/${id}/${what}`)).body.data.status).toBe(status);
  expect(await view(it, id)).not.toHaveProperty('blocked_by');
});

test('a newer deployment that pauses older ones takes their common robots, and the others wait for a resume', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id: first, links, next, finish } = await older(it);
  const [, second, third] = links as [LinkedRobot, LinkedRobot, LinkedRobot];
  await it
    .db('robots')
    .whereIn('id', [links[0]?.robotId ?? '', second.robotId])
    .update({ labels: { tier: 'canary' } });
  const id = await it.deploy({ releaseId: next.id }, { selector: 'tier=canary' }, rolledOut('pause'));
  await it.reaches(id, 'pending');
  expect(await view(it, first)).toMatchObject({
    status: 'paused',
    paused: { code: 'superseded', reason: `deployment ${id} began` },
  });
  await expect.poll(async () => (await it.target(first, second))?.reason).toBe('superseded');
  expect((await it.handOut([third])).size).toBe(0);
  const order = only(await it.handOut([second]), second);
  expect((await it.target(id, second))?.order_id).toBe(order.orderId);
  await finish();

  await it.world.call('POST', `/api/deployments/${first}/resume`, { body: {} });
  expect((await it.handOut([third])).size).toBe(1);
  expect((await it.target(first, third))?.status).toBe('dispatched');
  expect(only(await it.handOut([second]), second).orderId).toBe(order.orderId);
  await it.check();
});

test('a newer deployment that pauses older ones also pauses one that no batch has thawed yet', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id: first, next } = await older(it);
  await it
    .db('deployments')
    .where({ id: first })
    .update({ status: 'paused', pause_code: 'frozen', paused_at: it.db.fn.now() });
  const id = await it.deploy({ releaseId: next.id }, { fleet: it.fleetId }, rolledOut('pause'));
  await it.reaches(id, 'pending');
  await it.world.call('PUT', '/api/deployment-freeze', { body: { reason: 'stop' } });
  await it.world.call('DELETE', '/api/deployment-freeze');
  await it.reaches(id, 'pending');
  expect(await view(it, first)).toMatchObject({ status: 'paused', paused: { code: 'superseded' } });
});

test('by default a newer deployment replaces older ones, whose other robots get theirs', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id: first, links, next } = await older(it);
  const [, second] = links as [LinkedRobot, LinkedRobot];
  await it
    .db('robots')
    .where({ id: second.robotId })
    .update({ labels: { tier: 'canary' } });
  const id = await it.deploy({ releaseId: next.id }, { selector: 'tier=canary' }, rolledOut('replace'));
  await it.reaches(id, 'pending');
  await expect.poll(async () => (await it.target(first, second))?.reason).toBe('superseded');
  expect((await it.deployment(first)).status).toBe('in_progress');
});

test('a plan says what would happen to other deployments', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id: first, next } = await older(it);
  for (const supersede of ['replace', 'finish', 'pause', undefined]) {
    const body = { kind: 'release', release_id: next.id, target_kind: 'fleet', target_id: it.fleetId };
    const rollout = { waves: [{ count: 1 }], supersede };
    const plan = await it.world.call('POST', '/api/deployment-plans', { body: { ...body, rollout } });
    expect(plan.body.data.conflicts).toMatchObject([{ deployment_id: first, supersede: supersede ?? 'replace' }]);
  }
});

test('no replica of the previous release begins a deployment that finishes or pauses older ones', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await it.robots(1);
  const release = await it.release();
  const later = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
  const begun = { status: 'pending', started_at: it.db.fn.now(), open_wave: 0 };
  for (const supersede of ['finish', 'pause']) {
    const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { ...rolledOut(supersede), ...later });
    await expect(it.db('deployments').where({ id }).update(begun)).rejects.toThrow(/deployments_overlaps/);
  }
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { ...rolledOut('replace'), ...later });
  expect(await it.db('deployments').where({ id }).update(begun)).toBe(1);
});
