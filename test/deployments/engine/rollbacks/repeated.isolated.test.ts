import { expect, test } from 'vitest';
import { cancel, newcomerOf, only, startIsolatedDeploymentWorld, type LinkedRobot } from '../support.ts';
import { apply, begun, reaches, returnsOf, rollBack, rollbackOf, rollBackWholly, work } from './support.ts';

test('a release that robots got back by a rollback is rolled back too', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  const first = await apply(it, links, { fleet: it.fleetId });
  const second = await apply(it, links, { fleet: it.fleetId });
  const third = await apply(it, links, { fleet: it.fleetId });
  await rollBackWholly(it, third.deployment);
  expect([...(await work(it, links)).values()]).toEqual([second.sha256]);
  expect((await rollBack(it, second.deployment)).body.data).toMatchObject({
    returns: [{ release_id: first.id, robots: 1 }],
    excluded: [],
  });
  await rollBackWholly(it, second.deployment);
  expect([...(await work(it, links)).values()]).toEqual([first.sha256]);
  await it.check();
});

test('the first of two deployments of a release is rolled back also for robots that got it again', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  const good = await apply(it, links, { fleet: it.fleetId });
  const bad = await apply(it, links, { fleet: it.fleetId });
  const again = await it.deploy({ releaseId: bad.id }, { fleet: it.fleetId });
  await it.reaches(again, 'pending');
  await work(it, links);
  await it.reaches(again, 'applied');
  expect((await rollBack(it, bad.deployment)).body.data).toMatchObject({
    returns: [{ release_id: good.id, robots: 1 }],
    excluded: [],
  });
});

test('a robot that got a release by joining the fleet does not return to it once that was rolled back', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  await apply(it, links, { fleet: it.fleetId });
  const bad = await apply(it, links, { fleet: it.fleetId });
  const { newcomer, made } = await newcomerOf(it);
  await work(it, [newcomer]);
  await it.reaches(made.id, 'applied');
  await rollBackWholly(it, bad.deployment);
  await work(it, links);
  const worse = await apply(it, [...links, newcomer], { fleet: it.fleetId });
  const { returns, excluded } = await rollbackOf(it, worse.deployment);
  expect(returns.map((each: { release_id: string }) => each.release_id)).not.toContain(bad.id);
  expect(excluded).toEqual([{ code: 'nothing_earlier', robots: 1 }]);
});

test('a robot that got a release back by a rollback does not return to it once that was rolled back', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  const first = await apply(it, links, { fleet: it.fleetId });
  const second = await apply(it, links, { fleet: it.fleetId });
  const third = await apply(it, links, { fleet: it.fleetId });
  await rollBackWholly(it, third.deployment);
  await work(it, links);
  const fourth = await apply(it, links, { fleet: it.fleetId });
  expect((await rollBack(it, second.deployment)).body.data.excluded).toEqual([
    { code: 'superseded', release_id: first.id, robots: 1 },
  ]);
  expect((await rollbackOf(it, fourth.deployment)).returns).toEqual([{ release_id: first.id, robots: 1 }]);
});

test('a robot returns to a release that was rolled back, and deployed again after that', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  await apply(it, links, { fleet: it.fleetId });
  const disputed = await apply(it, links, { fleet: it.fleetId });
  await rollBackWholly(it, disputed.deployment);
  await work(it, links);
  const again = await it.deploy({ releaseId: disputed.id }, { fleet: it.fleetId });
  await it.reaches(again, 'pending');
  await work(it, links);
  await it.reaches(again, 'applied');
  const bad = await apply(it, links, { fleet: it.fleetId });
  expect((await rollbackOf(it, bad.deployment)).returns).toEqual([{ release_id: disputed.id, robots: 1 }]);
});

test('a robot that returned to its own release keeps it as it moves to another fleet and back', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(1)) as [LinkedRobot];
  const [{ robotId }] = links;
  await apply(it, links, { fleet: it.fleetId });
  const own = await apply(it, links, { robot: robotId });
  const bad = await apply(it, links, { robot: robotId });
  await rollBackWholly(it, bad.deployment);
  expect([...(await work(it, links)).values()]).toEqual([own.sha256]);
  const other = await it.world.call('POST', '/api/fleets', { body: { name: 'other', site_id: it.siteId } });
  for (const fleet_id of [other.body.data.id as string, it.fleetId])
    expect((await it.world.call('PATCH', `/api/robots/${robotId}`, { body: { fleet_id } })).status).toBe(200);
  expect((await work(it, links)).size).toBe(0);
});

test('a robot that waits for something newer returns once that is cancelled', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(1)) as [LinkedRobot];
  const good = await apply(it, links, { fleet: it.fleetId });
  const bad = await apply(it, links, { fleet: it.fleetId });
  const fixing = await it.deploy({ releaseId: (await it.release()).id }, { robot: links[0].robotId });
  await it.reaches(fixing, 'pending');
  expect((await rollBack(it, bad.deployment)).body.data.excluded).toMatchObject([{ code: 'superseded', robots: 1 }]);
  const decideAt = async () => (await it.db('deployments').where({ id: bad.deployment }).first()).decide_at as Date;
  await expect.poll(async () => (await decideAt()).getTime() - Date.now()).toBeGreaterThan(50_000); // in a minute
  await cancel(it, fixing);
  await it.reaches(fixing, 'cancelled');
  expect((await rollBack(it, bad.deployment)).body.data.excluded).toEqual([]);
  await it.db('deployments').where({ id: bad.deployment }).update({ decide_at: it.db.fn.now() });
  await reaches(it, bad.deployment, 1);
  await begun(it, bad.deployment);
  expect([...(await work(it, links)).values()]).toEqual([good.sha256]);
  await it.check();
});

test('a robot that applied something newer before its rollback began keeps that', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(2)) as [LinkedRobot, LinkedRobot];
  const good = await apply(it, links, { fleet: it.fleetId });
  const bad = await apply(it, links, { fleet: it.fleetId });
  // As if the rollback was paused before it began.
  await it.db.raw(`create function late() returns trigger language plpgsql as $$
    begin if new.rollback_of is not null then new.due_at = now() + interval '1 hour'; end if; return new; end $$`);
  await it.db.raw('create trigger late before insert on deployments for each row execute function late()');
  await rollBack(it, bad.deployment);
  await reaches(it, bad.deployment, 1);
  await apply(it, links.slice(0, 1), { robot: links[0].robotId });
  const [made] = await returnsOf(it, bad.deployment);
  await it.fallDue(made.id);
  await begun(it, bad.deployment);
  expect(await work(it, links)).toEqual(new Map([[links[1].robotId, good.sha256]]));
  await it.db('deployments').where({ id: bad.deployment }).update({ decide_at: it.db.fn.now() });
  await expect
    .poll(async () => (await rollbackOf(it, bad.deployment)).excluded)
    .toMatchObject([{ code: 'superseded', robots: 1 }]);
});

test('a config entry that was deleted after the request is not sent by a rollback', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = (await it.robots(1)) as [LinkedRobot];
  const configId = await it.config('speed', 1);
  const start = async () => {
    const id = await it.deploy({ configId }, { fleet: it.fleetId });
    await it.reaches(id, 'pending');
    const { orderId, digest } = only(await it.handOut([robot]), robot);
    return { id, report: (status: string) => it.report(robot, { orderId, status, digest }) };
  };
  const first = await start();
  await first.report('applied');
  await it.config('speed', 2);
  const second = await start();
  await second.report('installing');
  const path = `/api/configs/deployments/${second.id}/rollback`;
  expect((await it.world.call('POST', path, { body: {} })).status).toBe(200);
  expect((await it.world.call('DELETE', `/api/configs/${configId}?cancel_deployments=true`)).status).toBe(200);
  await second.report('applied');
  const decided = () => it.db('rollback_robots').where({ deployment_id: second.id });
  await expect.poll(async () => (await decided()).length).toBe(1);
  expect((await it.world.call('GET', path)).body.data).toMatchObject({
    returns: [],
    excluded: [{ code: 'config_deleted', robots: 1 }],
  });
  expect((await it.world.call('GET', `/api/configs/deployments?rollback_of=${second.id}`)).body.items).toEqual([]);
});
