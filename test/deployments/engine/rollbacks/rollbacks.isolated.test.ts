import { expect, test } from 'vitest';
import { cancelLeftCaused } from '../../../../src/deployments/engine/controls/cancel.ts';
import { newcomerOf, only, startIsolatedDeploymentWorld, type LinkedRobot } from '../support.ts';
import { apply, begun, reaches, returnsOf, rollBack, rollbackOf, view, work } from './support.ts';

test('each robot returns to the release that it applied last before', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [one, other, fresh] = (await it.robots(3)) as [LinkedRobot, LinkedRobot, LinkedRobot];
  const old = await apply(it, [one], { robot: one.robotId });
  const older = await apply(it, [other], { robot: other.robotId });
  const bad = await apply(it, [one, other, fresh], { fleet: it.fleetId });
  const preview = { returns: [{ robots: 1 }, { robots: 1 }], excluded: [{ code: 'nothing_earlier', robots: 1 }] };
  expect(await rollbackOf(it, bad.deployment)).toMatchObject(preview);
  expect(await rollbackOf(it, bad.deployment)).not.toHaveProperty('request');
  expect((await rollBack(it, bad.deployment)).body.data).toMatchObject({
    ...preview,
    request: { code: 'requested', reason: 'robots lose their map' },
  });
  await reaches(it, bad.deployment, 2);
  await begun(it, bad.deployment);
  expect(await work(it, [one, other, fresh])).toEqual(
    new Map([
      [one.robotId, old.sha256],
      [other.robotId, older.sha256],
    ]),
  );
  const returns = await returnsOf(it, bad.deployment);
  for (const { id } of returns) await it.reaches(id, 'applied');
  expect(returns.map(({ target_kind: kind, target_id: id }: Record<string, string>) => [kind, id])).toEqual(
    Array(2).fill(['fleet', it.fleetId]),
  );
  expect((await rollbackOf(it, bad.deployment)).returns.map((each: object) => Object.keys(each).sort())).toEqual(
    Array(2).fill(['deployment_id', 'release_id', 'robots']),
  );
  expect(await view(it, bad.deployment)).toMatchObject({ status: 'applied', rollback: { code: 'requested' } });
  await it.check();
});

test('a rollback cancels the deployment, and robots that never applied it are not touched', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(4);
  const old = await apply(it, links, { fleet: it.fleetId });
  const bad = await it.release();
  const id = await it.deploy({ releaseId: bad.id }, { fleet: it.fleetId }, { rollout: { waves: [{ count: 2 }] } });
  await it.reaches(id, 'pending');
  const reached = await work(it, links);
  expect(reached.size).toBe(2);
  await rollBack(it, id);
  await it.reaches(id, 'applied'); // its other targets end cancelled
  expect(await it.counts(id)).toMatchObject({ applied: 2, cancelled: 2 });
  await reaches(it, id, 1);
  await begun(it, id);
  expect(await work(it, links)).toEqual(new Map([...reached.keys()].map((robotId) => [robotId, old.sha256])));
  await it.check();
});

test('robots return in the waves of the original, newest first, and a failure holds up no other', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(3);
  await apply(it, links, { fleet: it.fleetId });
  const bad = await it.release();
  const rollout = { waves: [{ name: 'canary', count: 1 }, { count: 1 }] };
  const id = await it.deploy({ releaseId: bad.id }, { fleet: it.fleetId }, { rollout });
  await it.reaches(id, 'pending');
  const order: string[] = [];
  for (let wave = 1; wave <= 3; wave += 1) {
    await expect.poll(async () => (await view(it, id)).rollout.wave).toBe(wave);
    order.push(...(await work(it, links)).keys());
  }
  await it.reaches(id, 'applied');
  await rollBack(it, id);
  await reaches(it, id, 1);
  await begun(it, id);
  const [made] = await returnsOf(it, id);
  expect(made.rollout.waves.map(({ name, count }: { name?: string; count: number }) => [name, count])).toEqual([
    [undefined, 1],
    [undefined, 1],
    ['canary', 1],
  ]);
  const back: string[] = [];
  for (let wave = 1; wave <= 3; wave += 1) {
    await expect.poll(async () => (await view(it, made.id)).rollout.wave).toBe(wave);
    back.push(...(await work(it, links, wave === 1 ? 'failed' : 'applied')).keys());
  }
  expect(back).toEqual(order.reverse());
  await it.reaches(made.id, 'failed');
  await it.check();
});

test('an abort rule rolls back by itself', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(4);
  const old = await apply(it, links, { fleet: it.fleetId });
  const bad = await it.release();
  const rollout = { waves: [{ count: 2 }], abort: [{ reasons: ['any'], count: 1, action: 'rollback' }] };
  const id = await it.deploy({ releaseId: bad.id }, { fleet: it.fleetId }, { rollout });
  await it.reaches(id, 'pending');
  const orders = await it.handOut(links);
  const [first, second] = links.filter(({ robotId }) => orders.has(robotId)) as [LinkedRobot, LinkedRobot];
  await it.report(first, { orderId: only(orders, first).orderId, status: 'applied', digest: bad.sha256 });
  await it.report(second, { orderId: only(orders, second).orderId, status: 'failed', reason: 'verify_failed' });
  await reaches(it, id, 1);
  await begun(it, id);
  expect(await view(it, id)).toMatchObject({ reason: 'aborted', rollback: { code: 'aborted' } });
  expect(await work(it, links)).toEqual(new Map([[first.robotId, old.sha256]]));
  const { items } = (await it.world.call('GET', `/api/deployments/${id}/events`)).body;
  expect(items.map(({ reason }: { reason?: string }) => reason)).toEqual(
    expect.arrayContaining(['rollback', 'rollback_started']),
  );
  await it.check();
});

test('a rollout that paused at its first failure still rolls back, as the robots that had their orders fail', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(4);
  await apply(it, links, { fleet: it.fleetId });
  const bad = await it.release();
  const rollout = { waves: [{ count: 3 }], abort: [{ reasons: ['any'], count: 2, action: 'rollback' }] };
  const id = await it.deploy({ releaseId: bad.id }, { fleet: it.fleetId }, { rollout });
  await it.reaches(id, 'pending');
  const orders = await it.handOut(links);
  const [one, two, three] = links.filter(({ robotId }) => orders.has(robotId)) as [
    LinkedRobot,
    LinkedRobot,
    LinkedRobot,
  ];
  const report = (robot: LinkedRobot, status: string) =>
    it.report(robot, { orderId: only(orders, robot).orderId, status, digest: bad.sha256 });
  await report(one, 'failed');
  await it.reaches(id, 'paused');
  await report(two, 'applied');
  await report(three, 'failed');
  await reaches(it, id, 1);
  expect(await view(it, id)).toMatchObject({ reason: 'aborted', rollback: { code: 'aborted' } });
  await it.check();
});

test('a robot that applies it after the rollback was requested returns too', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(2)) as [LinkedRobot, LinkedRobot];
  const old = await apply(it, links, { fleet: it.fleetId });
  const bad = await it.release();
  const id = await it.deploy({ releaseId: bad.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const orders = await it.handOut(links);
  const [early, late] = links;
  await it.report(early, { orderId: only(orders, early).orderId, status: 'applied', digest: bad.sha256 });
  await it.report(late, { orderId: only(orders, late).orderId, status: 'installing' });
  await rollBack(it, id);
  await reaches(it, id, 1);
  await begun(it, id);
  expect((await work(it, [early])).size).toBe(1);
  await it.report(late, { orderId: only(orders, late).orderId, status: 'applied', digest: bad.sha256 });
  await it.reaches(id, 'applied');
  await reaches(it, id, 2);
  await begun(it, id);
  expect(await work(it, [late])).toEqual(new Map([[late.robotId, old.sha256]]));
  await it.check();
});

test('a rollback goes past what was rolled back before', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  const good = await apply(it, links, { fleet: it.fleetId });
  const bad = await apply(it, links, { fleet: it.fleetId });
  await rollBack(it, bad.deployment); // the robot is not reached before the next release
  await reaches(it, bad.deployment, 1);
  const worse = await apply(it, links, { fleet: it.fleetId });
  await rollBack(it, worse.deployment);
  await reaches(it, worse.deployment, 1);
  await begun(it, worse.deployment);
  expect([...(await work(it, links)).values()]).toEqual([good.sha256]);
});

test('a rollback of a release that was deployed twice returns to another one', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  const good = await apply(it, links, { fleet: it.fleetId });
  const bad = await apply(it, links, { fleet: it.fleetId });
  const again = await it.deploy({ releaseId: bad.id }, { fleet: it.fleetId });
  await it.reaches(again, 'pending');
  await work(it, links);
  await it.reaches(again, 'applied');
  expect((await rollBack(it, again)).body.data.returns).toEqual([{ release_id: good.id, robots: 1 }]);
});

test('a deployment to a selector is rolled back, also for robots that no longer match', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [one] = (await it.robots(1)) as [LinkedRobot];
  const label = (labels: object) => it.world.call('PATCH', `/api/robots/${one.robotId}`, { body: { labels } });
  await label({ tier: 'canary' });
  const good = await apply(it, [one], { fleet: it.fleetId });
  const bad = await apply(it, [one], { selector: 'tier=canary' });
  await label({ tier: 'other' });
  await rollBack(it, bad.deployment);
  await reaches(it, bad.deployment, 1);
  await begun(it, bad.deployment);
  expect([...(await work(it, [one])).values()]).toEqual([good.sha256]);
  await it.check();
});

test('a robot that is to receive something newer keeps it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(2)) as [LinkedRobot, LinkedRobot];
  await apply(it, links, { fleet: it.fleetId });
  const bad = await apply(it, links, { fleet: it.fleetId });
  const fix = await it.release();
  const fixing = await it.deploy({ releaseId: fix.id }, { robot: links[0].robotId });
  await it.reaches(fixing, 'pending');
  const { returns, excluded } = (await rollBack(it, bad.deployment)).body.data;
  expect({ returns, excluded }).toMatchObject({
    returns: [{ robots: 1 }],
    excluded: [{ code: 'superseded', robots: 1 }],
  });
});

test('a robot that joined the fleet returns too, and one that joins later does not get what was rolled back', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(1)) as [LinkedRobot];
  const good = await apply(it, links, { fleet: it.fleetId });
  const own = await apply(it, links, { robot: links[0].robotId });
  const bad = await apply(it, links, { fleet: it.fleetId });
  const { newcomer, made } = await newcomerOf(it);
  expect((await work(it, [newcomer])).get(newcomer.robotId)).toBe(bad.sha256);
  await it.reaches(made.id, 'applied');
  expect((await rollBack(it, bad.deployment)).body.data).toMatchObject({
    returns: [{ robots: 1 }],
    excluded: [{ code: 'nothing_earlier', robots: 1 }],
  });
  await reaches(it, bad.deployment, 1);
  await begun(it, bad.deployment);
  expect([...(await work(it, links)).values()]).toEqual([own.sha256]);
  const { newcomer: next } = await newcomerOf(it);
  expect([...(await work(it, [next])).values()]).toEqual([good.sha256]);
});

test('a robot that joined the fleet and still waits for what is rolled back never receives it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  await apply(it, links, { fleet: it.fleetId });
  const bad = await apply(it, links, { fleet: it.fleetId });
  const [asked, raced] = [await newcomerOf(it), await newcomerOf(it)];
  await it.db('deployments').where({ id: raced.made.id }).update({ cause_id: null });
  await rollBack(it, bad.deployment);
  await it.reaches(asked.made.id, 'cancelled');
  // As for a robot that joined at the same time, unseen by the rollback.
  await it.db('deployments').where({ id: raced.made.id }).update({ cause_id: bad.deployment });
  expect((await it.handOut([raced.newcomer])).size).toBe(0);
  await cancelLeftCaused(it.db);
  await it.reaches(raced.made.id, 'cancelled');
  await it.check();
});

test('a robot that takes only signed orders is left out until a signature is supplied', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(2)) as [LinkedRobot, LinkedRobot];
  await it.db('robot_links').where({ robot_id: links[1].robotId }).update({ signed_only: true });
  const good = await apply(it, links, { fleet: it.fleetId });
  const bad = await apply(it, links, { fleet: it.fleetId });
  await rollBack(it, bad.deployment);
  await reaches(it, bad.deployment, 1);
  await begun(it, bad.deployment);
  const left = { code: 'signature_required', release_id: good.id, robots: 1 };
  expect((await rollbackOf(it, bad.deployment)).excluded).toEqual([left]);
  expect((await work(it, links)).size).toBe(1);
  const signed = { release_id: good.id, signature: 'aGVsbG8=', key_id: 'k1' };
  const refused = await rollBack(it, bad.deployment, { signatures: [{ ...signed, release_id: bad.id }] });
  expect(refused.body.error.message).toBe('body.signatures.0.release_id: no robot returns to it');
  expect((await rollBack(it, bad.deployment, { signatures: [signed] })).body.data.excluded).toEqual([]);
  await reaches(it, bad.deployment, 2);
  await begun(it, bad.deployment);
  const orders = await it.handOut(links);
  expect(only(orders, links[1])).toMatchObject({ signature: 'aGVsbG8=', keyId: 'k1' });
});

test('a config entry returns to the revision that each robot applied last before', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = (await it.robots(1)) as [LinkedRobot];
  const configId = await it.config('speed', 0);
  for (const value of [1, 2]) {
    await it.config('speed', value);
    const id = await it.deploy({ configId }, { fleet: it.fleetId });
    await it.reaches(id, 'pending');
    const { orderId, digest } = only(await it.handOut([robot]), robot);
    await it.report(robot, { orderId, status: 'applied', digest });
    await it.reaches(id, 'applied');
  }
  const [, newest] = (await it.world.call('GET', '/api/configs/deployments')).body.items;
  const path = `/api/configs/deployments/${newest.id}/rollback`;
  const { body } = await it.world.call('POST', path, { body: {} });
  expect(body.data).toMatchObject({ returns: [{ revision: 2, robots: 1 }], excluded: [] });
  const rollbacks = async () =>
    (await it.world.call('GET', `/api/configs/deployments?rollback_of=${newest.id}`)).body.items;
  await expect.poll(async () => (await rollbacks())[0]?.status).toBe('pending');
  expect(only(await it.handOut([robot]), robot).payload).toContain('"revision":2,"value":1');
});

test('requesting it again changes nothing; what cannot be rolled back is refused', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  await apply(it, links, { fleet: it.fleetId });
  const bad = await apply(it, links, { fleet: it.fleetId });
  await rollBack(it, bad.deployment);
  await rollBack(it, bad.deployment, { reason: 'another' });
  await reaches(it, bad.deployment, 1);
  expect((await view(it, bad.deployment)).rollback.reason).toBe('robots lose their map');
  const messageOf = async (id: string) => (await rollBack(it, id)).body.error.message;
  const [made] = await returnsOf(it, bad.deployment);
  expect(await messageOf(made.id)).toBe('the deployment is a rollback; deploy another release instead');
  const later = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
  const release = await it.release();
  const idle = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, later);
  expect(await messageOf(idle)).toBe('the deployment has not begun; cancel it instead');
  const failed = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(failed, 'pending');
  await work(it, links, 'failed');
  await it.reaches(failed, 'failed');
  expect(await messageOf(failed)).toBe('no robot applied the deployment, so there is nothing to roll back');
});
