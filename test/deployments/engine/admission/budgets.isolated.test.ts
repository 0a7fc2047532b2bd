import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  newcomerOf,
  only,
  startIsolatedDeploymentWorld,
  type DeploymentWorld,
  type LinkedRobot,
  type Place,
} from '../support.ts';

const view = async (it: DeploymentWorld, id: string) =>
  (await it.world.call('GET', `/api/deployments/${id}`)).body.data;

async function budget(it: DeploymentWorld, settings: object) {
  const made = await it.world.call('POST', '/api/disruption-budgets', {
    body: { name: `budget ${Math.random()}`, ...settings },
  });
  expect(made.status).toBe(201);
  return made.body.data as { id: string; name: string };
}

async function deploy(it: DeploymentWorld, target: Place, more: object = {}, kind = 'file') {
  const { id: releaseId, sha256: digest } = await it.release(kind);
  const id = await it.deploy({ releaseId }, target, more);
  await it.reaches(id, 'pending');
  return { id, digest };
}

/** Robots with an order of the deployment that has not ended. */
async function busy(it: DeploymentWorld, links: LinkedRobot[], id?: string): Promise<LinkedRobot[]> {
  const orders = await it.handOut(links);
  const isOf = (deployments: string[]) => id === undefined || deployments.includes(id);
  return links.filter(({ robotId }) => orders.get(robotId)?.some(({ deployments }) => isOf(deployments)));
}

const reachesBusy = (it: DeploymentWorld, links: LinkedRobot[], count: number, id?: string) =>
  expect.poll(async () => (await busy(it, links, id)).length, { interval: 50 }).toBe(count);

/** Time for several admissions. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 1_500));

async function apply(it: DeploymentWorld, robots: LinkedRobot[], digest: string) {
  const orders = await it.handOut(robots);
  for (const robot of robots)
    await it.report(robot, { orderId: only(orders, robot).orderId, status: 'applied', digest });
}

const goOffline = (it: DeploymentWorld, { robotId }: LinkedRobot) =>
  it.db('robot_links').where({ robot_id: robotId }).update({ replica_id: null });
const setStatus = (it: DeploymentWorld, { robotId }: LinkedRobot, status: object) =>
  it.db('robot_status').where({ robot_id: robotId }).update(status);
const label = (it: DeploymentWorld, robots: LinkedRobot[], labels: object) =>
  it
    .db('robots')
    .whereIn(
      'id',
      robots.map(({ robotId }) => robotId),
    )
    .update({ labels: JSON.stringify(labels) });

test('no more robots are disturbed than a budget allows, also without a rollout', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(5);
  const { name } = await budget(it, { max_unavailable: { count: 2 } });
  const { id, digest } = await deploy(it, { fleet: it.fleetId });
  await reachesBusy(it, links, 2);
  await aWhile();
  expect(await busy(it, links)).toHaveLength(2);
  expect(await view(it, id)).toMatchObject({
    waiting_on: { code: 'budget', detail: `budget ${name}: 2 of 5 robots are unavailable, at most 2 may be` },
    rollout: { wave: 1, waves: [{ number: 1, percent: 100, counts: { total: 5 } }] },
  });
  for (const left of [2, 2, 1]) {
    await reachesBusy(it, links, left);
    await apply(it, await busy(it, links), digest);
  }
  await it.reaches(id, 'applied');
  await it.check();
});

test('robots that are offline, unhealthy or in maintenance count as unavailable', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(8);
  const [offline, ill, resting, ...others] = links as [LinkedRobot, LinkedRobot, LinkedRobot, ...LinkedRobot[]];
  await goOffline(it, offline);
  await setStatus(it, ill, { severity: 2 });
  await setStatus(it, resting, { maintenance: '{}' });
  await budget(it, { min_available: { count: 4 } });
  const { id } = await deploy(it, { fleet: it.fleetId });
  // Those that are unavailable anyway take no room.
  await reachesBusy(it, [ill, resting], 2);
  await reachesBusy(it, others, 1);
  await aWhile();
  expect(await busy(it, others)).toHaveLength(1);
  await setStatus(it, ill, { severity: 1 }); // it still works on it
  await aWhile();
  expect(await busy(it, others)).toHaveLength(1);
  expect((await view(it, id)).waiting_on.code).toBe('budget');
});

test('all deployments of the org share one budget, and the next robot is of the one that waits', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(4);
  const [first, second] = [links.slice(0, 2), links.slice(2)];
  await label(it, first, { half: '1' });
  await label(it, second, { half: '2' });
  await budget(it, { max_unavailable: { percent: 25 } });
  const one = await deploy(it, { selector: 'half=1' });
  await reachesBusy(it, first, 1);
  const other = await deploy(it, { selector: 'half=2' }, {}, 'container');
  await aWhile();
  expect(await busy(it, second)).toEqual([]);
  await it.world.call('POST', `/api/deployments/${one.id}/pause`, { body: {} });
  await apply(it, await busy(it, first), one.digest);
  await reachesBusy(it, second, 1);
  await it.world.call('POST', `/api/deployments/${one.id}/resume`, { body: {} });
  await aWhile();
  expect(await busy(it, first)).toEqual([]);
  await apply(it, await busy(it, second), other.digest);
  await expect.poll(async () => (await busy(it, links)).length).toBe(1);
});

test('each group has its own room: by label, and robots without it together', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(7);
  const halls = [links.slice(0, 2), links.slice(2, 5), links.slice(5)] as const;
  await label(it, halls[0], { hall: 'a"\\b' });
  await label(it, halls[1], { hall: 'c' });
  await budget(it, { group_by: ['@site', 'hall'], max_unavailable: { count: 1 } });
  await deploy(it, { fleet: it.fleetId });
  for (const hall of halls) await reachesBusy(it, hall, 1);
  await aWhile();
  for (const hall of halls) expect(await busy(it, hall)).toHaveLength(1);
});

test('a budget is for the robots that its selector matches, and several apply together', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(6);
  await label(it, links.slice(0, 4), { tier: 'core' });
  await budget(it, { selector: 'tier=core', max_unavailable: { count: 1 } });
  await budget(it, { max_unavailable: { count: 2 } });
  await deploy(it, { fleet: it.fleetId });
  await reachesBusy(it, links, 2);
  await aWhile();
  expect(await busy(it, links)).toHaveLength(2);
  expect((await busy(it, links.slice(0, 4))).length).toBeLessThanOrEqual(1);
});

test('a budget that names a site under its former name holds all robots, says why, and refuses new deployments', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(3);
  const rename = (body: { name: string }) => it.world.call('PATCH', `/api/sites/${it.siteId}`, { body });
  expect((await rename({ name: 'Osaka' })).status).toBe(200);
  const { id: budgetId, name } = await budget(it, { selector: '@site=Osaka', max_unavailable: { count: 1 } });
  const { id, digest } = await deploy(it, { fleet: it.fleetId });
  await reachesBusy(it, links, 1);
  await rename({ name: 'Kobe' });
  await apply(it, await busy(it, links), digest);
  const why = 'holds all robots: site "Osaka" not found; correct its selector';
  await expect
    .poll(async () => (await view(it, id)).waiting_on)
    .toMatchObject({ code: 'budget', detail: `budget ${name} ${why}` });
  await aWhile();
  expect(await busy(it, links)).toEqual([]);
  const { id: release_id } = await it.release();
  const refused = await it.world.call('POST', '/api/deployments', {
    body: { release_id, target_kind: 'fleet', target_id: it.fleetId },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  expect([refused.status, refused.body.error.message]).toEqual([409, `no_room: budget "${name}" ${why}`]);
  await it.world.call('PATCH', `/api/disruption-budgets/${budgetId}`, { body: { selector: '@site=Kobe' } });
  await reachesBusy(it, links, 1);
  await it.check();
});

test('urgent deployments and rollbacks keep budgets', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(3);
  const before = await deploy(it, { fleet: it.fleetId });
  await apply(it, links, before.digest);
  await it.reaches(before.id, 'applied');
  await budget(it, { max_unavailable: { count: 1 } });
  const bad = await deploy(it, { fleet: it.fleetId }, { urgent: true });
  for (const robot of [1, 2, 3]) {
    await reachesBusy(it, links, 1);
    await aWhile();
    expect(await busy(it, links), `robot ${robot}`).toHaveLength(1);
    await apply(it, await busy(it, links), bad.digest);
  }
  await it.world.call('POST', `/api/deployments/${bad.id}/rollback`, { body: { reason: 'bad' } });
  await reachesBusy(it, links, 1);
  await aWhile();
  expect(await busy(it, links)).toHaveLength(1);
});

test('a new budget applies to deployments in progress, and without budgets they continue as before', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(5);
  const { id, digest } = await deploy(it, { fleet: it.fleetId });
  await busy(it, links.slice(0, 2));
  const { id: budgetId } = await budget(it, { max_unavailable: { count: 3 } });
  await expect.poll(async () => (await view(it, id)).waiting_on.code).toBe('budget');
  expect(await busy(it, links)).toHaveLength(3);
  await apply(it, (await busy(it, links)).slice(0, 1), digest);
  await reachesBusy(it, links, 3);
  expect((await it.world.call('DELETE', `/api/disruption-budgets/${budgetId}`)).status).toBe(200);
  await reachesBusy(it, links, 4);
  await apply(it, await busy(it, links), digest);
  await it.reaches(id, 'applied');
  await it.check();
});

test('a robot that joins the fleet waits for the budget too', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  await budget(it, { max_unavailable: { count: 1 } });
  const { id, digest } = await deploy(it, { fleet: it.fleetId });
  await reachesBusy(it, links, 1);
  const { newcomer: joined } = await newcomerOf(it);
  await aWhile();
  expect(await busy(it, [joined])).toEqual([]);
  await apply(it, links, digest);
  await it.reaches(id, 'applied');
  await reachesBusy(it, [joined], 1);
  await apply(it, [joined], digest);
  await it.check();
});

test('a robot that joined during a rollout takes no place of a budget until the last wave begins', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(2);
  await budget(it, { max_unavailable: { count: 1 } });
  const rollout = { waves: [{ count: 1 }], advance: { soak: '2s' } };
  const { digest } = await deploy(it, { fleet: it.fleetId }, { rollout });
  await reachesBusy(it, links, 1);
  const { newcomer } = await newcomerOf(it);
  await aWhile();
  await apply(it, await busy(it, links), digest);
  for (const left of [2, 1]) {
    await expect.poll(async () => (await busy(it, [...links, newcomer])).length).toBe(1);
    await apply(it, await busy(it, [...links, newcomer]), digest);
    expect(left).toBeGreaterThan(0);
  }
  await it.check();
}, 30_000);

test('a robot that joined and was admitted just before a pause is admitted anew after the resume', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(2);
  const [working, away] = links as [LinkedRobot, LinkedRobot];
  await goOffline(it, away); // the deployment stays open
  await budget(it, { max_unavailable: { count: 2 } });
  const { id, digest } = await deploy(it, { fleet: it.fleetId });
  await reachesBusy(it, [working], 1);
  await apply(it, [working], digest);
  const { newcomer, made } = await newcomerOf(it);
  const open = it.db('open_targets').where({ deployment_id: made.id });
  await expect.poll(async () => (await open.clone()).length).toBe(1);
  await it.db('deployments').where({ id: made.id }).update({ decide_at: null }); // no further pass
  expect((await it.world.call('POST', `/api/deployments/${id}/pause`, { body: {} })).status).toBe(200);
  await goOffline(it, working); // the budget has no room any more
  expect((await it.world.call('POST', `/api/deployments/${id}/resume`, { body: {} })).status).toBe(200);
  expect(await busy(it, [newcomer])).toEqual([]);
  await it.db('robot_links').where({ robot_id: working.robotId }).update({ replica_id: it.replicaId });
  await it.db('deployments').where({ id: made.id }).update({ decide_at: it.db.fn.now(), admit_at: null });
  await reachesBusy(it, [newcomer], 1);
  await it.check();
});

test('what was taken back is not dispatched by a replica that read it before', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(2);
  await budget(it, { max_unavailable: { count: 1 } });
  const { id } = await deploy(it, { fleet: it.fleetId });
  const open = it.db('open_targets').where({ deployment_id: id });
  await expect.poll(async () => (await open.clone()).length).toBe(1);
  await it.db('deployments').where({ id }).update({ decide_at: null }); // no further pass
  // As if it was taken back after the dispatch found it.
  await it.db('targets').where({ deployment_id: id }).update({ deadline_at: 'infinity' });
  expect(await busy(it, links)).toEqual([]);
});

test('robots that are offline for a moment do not expire when a wave takes longer than 7 days', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(3);
  const [away] = links as [LinkedRobot, ...LinkedRobot[]];
  await goOffline(it, away);
  const { id } = await deploy(it, { fleet: it.fleetId }); // has no budget yet
  await budget(it, { max_unavailable: { count: 1 } });
  await expect.poll(async () => (await it.db('deployments').where({ id }).first()).is_gradual).toBe(true);
  const weekAgo = it.db.raw("now() - interval '8 days'");
  const late = { started_at: weekAgo, waiting_until: weekAgo, decide_at: it.db.fn.now(), admit_at: null };
  await it.db('deployments').where({ id }).update(late);
  await aWhile();
  expect((await it.target(id, away))?.status).toBe('waiting');
  await it.db('robot_links').where({ robot_id: away.robotId }).update({ last_seen_at: weekAgo });
  await it.db('deployments').where({ id }).update(late);
  await expect.poll(async () => (await it.target(id, away))?.reason).toBe('expired');
}, 30_000);

test('with budgets too, a robot that joins waits for the download window and takes no place', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  await budget(it, { max_unavailable: { count: 1 } });
  // It opens in 12 hours.
  const download = [{ cron: `0 ${(new Date().getUTCHours() + 12) % 24} * * *`, duration: '1h' }];
  const rollout = { waves: [{ percent: 100 }], windows: { download, zone: 'UTC' } };
  await deploy(it, { fleet: it.fleetId }, { rollout });
  const { newcomer, made } = await newcomerOf(it);
  await expect
    .poll(async () => (await view(it, made.id)).waiting_on)
    .toMatchObject({ code: 'window', detail: expect.stringMatching(/^opens at /) });
  const { id } = await deploy(it, { robot: newcomer.robotId });
  await reachesBusy(it, [...links, newcomer], 1, id);
});

test('a robot that is removed, and a cancel, end what waits for a budget', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(4);
  await budget(it, { max_unavailable: { count: 1 } });
  const { id } = await deploy(it, { fleet: it.fleetId });
  await reachesBusy(it, links, 1);
  const working = await busy(it, links);
  const gone = links.find((link) => !working.includes(link)) as LinkedRobot;
  expect((await it.world.call('DELETE', `/api/robots/${gone.robotId}`)).status).toBe(200);
  await expect.poll(async () => (await it.target(id, gone))?.reason).toBe('robot_removed');
  expect((await it.world.call('POST', `/api/deployments/${id}/cancel`)).status).toBe(200);
  await expect.poll(async () => (await it.targets(id)).filter(({ status }) => status === 'cancelled').length).toBe(3);
  await it.check();
});

test('budgets of another org count for nothing', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(2);
  await it.db.raw(
    `insert into orgs select r.* from orgs o, jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'name', 'other')) r`,
  );
  await it.db.raw(
    `insert into disruption_budgets (org_id, id, name, group_by, max_unavailable)
     select id, gen_random_uuid(), 'none', '[]', '{"count": 0}' from orgs where name = 'other'`,
  );
  await deploy(it, { fleet: it.fleetId });
  expect(await busy(it, links)).toHaveLength(2);
});
