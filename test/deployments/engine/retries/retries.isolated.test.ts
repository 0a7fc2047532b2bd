import { expect, test } from 'vitest';
import { apply, work } from '../rollbacks/support.ts';
import { cancel, newcomerOf, only, startIsolatedDeploymentWorld, type LinkedRobot } from '../support.ts';
import { attemptsOf, failOn, preview, retried, retry, view } from './support.ts';

test('a retry sends the release to exactly the robots on which it failed', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(3)) as [LinkedRobot, LinkedRobot, LinkedRobot];
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  await work(it, links.slice(0, 1));
  await work(it, links.slice(1), 'failed');
  await it.reaches(id, 'failed');
  expect(await preview(it, id)).toEqual({ retries: [{ reason: 'rejected', robots: 2 }], excluded: [] });
  const again = await retried(it, id, { reason: 'the access points are repaired' });
  expect(await view(it, again)).toMatchObject({
    release_id: release.id,
    target_kind: 'fleet',
    retry_of: id,
    retry: { attempt: 1, attempts: 1, reasons: ['any'], backoff: '0s', reason: 'the access points are repaired' },
  });
  await it.reaches(again, 'pending');
  expect(await work(it, links)).toEqual(new Map(links.slice(1).map(({ robotId }) => [robotId, release.sha256])));
  await it.reaches(again, 'applied');
  expect((await attemptsOf(it, id)).map((each) => each.id)).toEqual([again]);
  const people = await it.world.call('GET', '/api/deployments?cause_kind=none');
  expect(people.body.items.map((each: { id: string }) => each.id)).toEqual([id]);
  const { items } = (await it.world.call('GET', `/api/deployments/${id}/events`)).body;
  expect(items.at(-1)).toMatchObject({
    status: 'failed',
    reason: 'retry',
    message: `deployment ${again} retries 2 robots: the access points are repaired`,
  });
  const { body: audit } = await it.world.call('GET', `/api/audit?object_id=${again}`);
  expect(audit.items).toMatchObject([
    {
      operation: 'createDeploymentRetry',
      actor_kind: 'org',
      after: { retry: { reason: 'the access points are repaired' } },
    },
  ]);
  await it.check();
});

test('only robots on which it failed for one of the reasons are retried', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(5)) as [LinkedRobot, LinkedRobot, LinkedRobot, LinkedRobot, LinkedRobot];
  const [rejecting, failing, returning, late, away] = links;
  const id = await it.deploy({ releaseId: (await it.release()).id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const orders = await it.handOut(links.slice(0, 4));
  const say = (robot: LinkedRobot, status: string) =>
    it.report(robot, { orderId: only(orders, robot).orderId, status });
  await say(rejecting, 'failed');
  for (const robot of [failing, returning, late]) await say(robot, 'installing');
  await say(failing, 'failed');
  await say(returning, 'rolled_back');
  await it.expire(id);
  await it.reaches(id, 'failed');
  const reasons = ['failed', 'rejected', 'rolled_back', 'timed_out', 'unreached'];
  expect((await preview(it, id)).retries).toEqual(reasons.map((reason) => ({ reason, robots: 1 })));
  expect(await preview(it, id, 'rejected,timed_out')).toEqual({
    retries: [
      { reason: 'rejected', robots: 1 },
      { reason: 'timed_out', robots: 1 },
    ],
    excluded: [],
  });
  const again = await retried(it, id, { reasons: ['rejected', 'timed_out'] });
  await it.reaches(again, 'pending');
  const robots = (await it.targets(again)).map(({ robot_id: robotId }) => robotId);
  expect(robots.sort()).toEqual([rejecting.robotId, late.robotId].sort());
  const others = await retried(it, id, { reasons: ['unreached'] });
  await it.reaches(others, 'pending');
  expect(await it.target(others, away)).toBeDefined();
  await it.check();
});

test('robots that have something newer, are removed, or lack a signature are left out', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(4)) as [LinkedRobot, LinkedRobot, LinkedRobot, LinkedRobot];
  const [updated, removed, strict, plain] = links;
  const bad = await failOn(it, links);
  await it.reaches(bad.deployment, 'failed');
  await apply(it, [updated], { robot: updated.robotId });
  expect((await it.world.call('DELETE', `/api/robots/${removed.robotId}`)).status).toBe(200);
  await it.db('robot_links').where({ robot_id: strict.robotId }).update({ signed_only: true });
  expect(await preview(it, bad.deployment)).toEqual({
    retries: [{ reason: 'rejected', robots: 1 }],
    excluded: ['robot_removed', 'signature_required', 'superseded'].map((code) => ({ code, robots: 1 })),
  });
  const again = await retried(it, bad.deployment);
  await it.reaches(again, 'pending');
  expect((await it.targets(again)).map((each) => each.robot_id)).toEqual([plain.robotId]);
});

test('a retry has the signature of the original, and so reaches robots that require one', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = (await it.robots(1)) as [LinkedRobot];
  const signed = { signature: 'hT8xUv3b2yq0', key_id: 'release-2026' };
  const id = await it.deploy({ releaseId: (await it.release()).id }, { fleet: it.fleetId }, signed);
  await it.reaches(id, 'pending');
  await work(it, [robot], 'failed');
  await it.reaches(id, 'failed');
  await it.db('robot_links').where({ robot_id: robot.robotId }).update({ signed_only: true });
  expect(await view(it, await retried(it, id))).toMatchObject(signed);
});

test('a robot that received something newer before the retry began keeps it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(2)) as [LinkedRobot, LinkedRobot];
  const bad = await failOn(it, links);
  await it.reaches(bad.deployment, 'failed');
  const again = await retried(it, bad.deployment, { backoff: '1h' });
  expect((await view(it, again)).waiting_on.code).toBe('schedule');
  expect((await preview(it, bad.deployment)).excluded).toEqual([{ code: 'retry_scheduled', robots: 2 }]);
  const { status, body } = await retry(it, bad.deployment);
  const at = (await view(it, again)).scheduled_at;
  expect([status, body.error.message]).toEqual([
    ...[409, `deployment ${again} retries these robots at ${at}; cancel it to retry now`],
  ]);
  await apply(it, links.slice(0, 1), { robot: links[0].robotId });
  await it.fallDue(again);
  await it.reaches(again, 'pending');
  expect(await work(it, links)).toEqual(new Map([[links[1].robotId, bad.sha256]]));
  await it.check();
});

test('a retry of which no robot is left when it is due ends with no_targets', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(1)) as [LinkedRobot];
  const bad = await failOn(it, links);
  await it.reaches(bad.deployment, 'failed');
  const again = await retried(it, bad.deployment, { backoff: '1h', attempts: 3 });
  await apply(it, links, { fleet: it.fleetId });
  await it.fallDue(again);
  await it.reaches(again, 'failed');
  expect((await view(it, again)).reason).toBe('no_targets');
});

test('a retry that has not begun is not sent once the deployment was rolled back', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(2)) as [LinkedRobot, LinkedRobot];
  await apply(it, links, { fleet: it.fleetId });
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  await work(it, links.slice(0, 1));
  await work(it, links.slice(1), 'failed');
  await it.reaches(id, 'failed');
  const again = await retried(it, id, { backoff: '1h' });
  expect((await it.world.call('POST', `/api/deployments/${id}/rollback`, { body: {} })).status).toBe(200);
  await it.fallDue(again);
  await it.reaches(again, 'failed');
  expect((await view(it, again)).reason).toBe('no_targets');
});

test('what has not ended, is a rollback, was rolled back or failed on nobody is not retried', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  const refused = async (id: string) => {
    const { status, body } = await retry(it, id);
    return [status, body.error.message];
  };
  const good = await apply(it, links, { fleet: it.fleetId });
  expect(await refused(good.deployment)).toEqual([
    ...[409, 'no robot is to be retried: none failed for these reasons, or all of those are excluded'],
  ]);
  const bad = await apply(it, links, { fleet: it.fleetId });
  await it.world.call('POST', `/api/deployments/${bad.deployment}/rollback`, { body: {} });
  expect(await refused(bad.deployment)).toEqual([
    ...[409, 'the deployment, its cause or one of its retries was rolled back; deploy it again instead'],
  ]);
  const returns = async () => (await it.world.call('GET', `/api/deployments?rollback_of=${bad.deployment}`)).body.items;
  await expect.poll(async () => (await returns()).length).toBe(1);
  expect(await refused((await returns())[0].id)).toEqual([
    ...[409, 'the deployment is a rollback; deploy what it returns to instead'],
  ]);
  const open = await it.deploy({ releaseId: good.id }, { fleet: it.fleetId }, { scheduled_at: '2028-01-01T00:00:00Z' });
  expect(await refused(open)).toEqual([
    ...[409, 'the deployment has not ended: scheduled; wait until it has ended, or cancel it first'],
  ]);
});

test('two requests at the same time retry the robots once', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(3);
  const bad = await failOn(it, links);
  await it.reaches(bad.deployment, 'failed');
  const answers = await Promise.all(Array.from({ length: 4 }, () => retry(it, bad.deployment, { backoff: '1h' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
});

test('an archived release is not retried', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const bad = await failOn(it, await it.robots(1));
  await it.reaches(bad.deployment, 'failed');
  await it.world.call('PATCH', `/api/releases/${bad.id}`, { body: { archived: true } });
  expect((await retry(it, bad.deployment)).body.error.message).toContain('is archived');
});

test('a failed value of a config entry is retried, and a deleted one is not', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = (await it.robots(1)) as [LinkedRobot];
  const configId = await it.config('speed', 1);
  const id = await it.deploy({ configId }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const { orderId } = only(await it.handOut([robot]), robot);
  await it.report(robot, { orderId, status: 'failed', reason: 'refused' });
  await it.reaches(id, 'failed');
  const path = `/api/configs/deployments/${id}/retry`;
  expect((await it.world.call('GET', path)).body.data.retries).toEqual([{ reason: 'rejected', robots: 1 }]);
  expect((await retry(it, id)).status).toBe(404); // it is of the other kind
  const { body } = await retry(it, id, {}, 'configs/deployments');
  expect(body.data).toMatchObject({ config_id: configId, revision: 1, retry_of: id });
  await it.reaches(body.data.id, 'pending');
  await cancel(it, body.data.id);
  await it.reaches(body.data.id, 'cancelled');
  await it.world.call('DELETE', `/api/configs/${configId}`);
  expect((await retry(it, id, {}, 'configs/deployments')).body.error.message).toContain('was deleted');
});

test('a robot that joins the fleet gets the newest deployment, not an older one that is retried', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(1)) as [LinkedRobot];
  const bad = await failOn(it, links);
  await it.reaches(bad.deployment, 'failed');
  const other = await it.world.call('POST', '/api/fleets', { body: { name: 'other', site_id: it.siteId } });
  await it.world.call('PATCH', `/api/robots/${links[0].robotId}`, { body: { fleet_id: other.body.data.id } });
  const [stayed] = (await it.robots(1)) as [LinkedRobot];
  const newest = await apply(it, [stayed], { fleet: it.fleetId });
  const again = await retried(it, bad.deployment);
  await it.reaches(again, 'pending');
  const { made } = await newcomerOf(it);
  expect(made).toMatchObject({ release_id: newest.id, caused_by: { deployment_id: newest.deployment } });
});

test('a robot whose own release was retried keeps that as it moves to another fleet', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(1)) as [LinkedRobot];
  const other = await it.world.call('POST', '/api/fleets', { body: { name: 'other', site_id: it.siteId } });
  const own = await failOn(it, links, links[0]);
  await it.reaches(own.deployment, 'failed');
  const again = await retried(it, own.deployment);
  await it.reaches(again, 'pending');
  await work(it, links);
  await it.reaches(again, 'applied');
  await it.robots(1);
  const fleets = await it.deploy({ releaseId: (await it.release()).id }, { fleet: it.fleetId });
  await it.reaches(fleets, 'pending');
  await work(it, links);
  expect(await it.target(fleets, links[0])).toMatchObject({ status: 'applied' });
  for (const fleet_id of [other.body.data.id as string])
    await it.world.call('PATCH', `/api/robots/${links[0].robotId}`, { body: { fleet_id } });
  expect((await work(it, links)).size).toBe(0);
});

test('the pace of the original holds for its retry, its waves and rules do not', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(2);
  const rollout = { waves: [{ count: 1 }], abort: [{ reasons: ['any'], count: 9 }], pace: { max_in_flight: 1 } };
  const id = await it.deploy({ releaseId: (await it.release()).id }, { fleet: it.fleetId }, { rollout });
  await it.reaches(id, 'pending');
  await expect.poll(async () => (await work(it, links, 'failed')).size).toBe(1);
  await it.reaches(id, 'paused');
  await cancel(it, id);
  await it.reaches(id, 'failed');
  expect((await view(it, await retried(it, id))).rollout).toMatchObject({
    waves: [{ number: 1, percent: 100 }],
    abort: [],
    pace: { max_in_flight: 1 },
  });
});
