import { expect, test } from 'vitest';
import { execute, planOf } from './plans/support.ts';
import { retried } from './retries/support.ts';
import { view, work } from './rollbacks/support.ts';
import { newcomerOf, only, some, startDeploymentWorld, type DeploymentWorld, type LinkedRobot } from './support.ts';

/** In 12 hours, for one hour. */
const opening = () => ({ cron: `0 ${(new Date().getUTCHours() + 12) % 24} * * *`, duration: '1h' });
const closed = () => {
  const today = new Date().toISOString().slice(0, 10);
  return {
    download: [opening()],
    activate: [opening()],
    blackouts: [{ from: today, to: today }],
    zone: 'UTC',
    expected_duration: '10m',
    at_end: 'finish',
  };
};
const rolloutOf = (windows: object, more: object = {}) => ({ waves: [{ percent: 100 }], windows, ...more });

/** Robots whose agents keep windows and ask gates. */
async function robotsOf(it: DeploymentWorld, count: number) {
  const links = await it.robots(count);
  for (const { robotId } of links)
    await it.db('robot_links').where({ robot_id: robotId }).update({ keeps_windows: true, asks_gates: true });
  return some(links);
}

/** Robots that hold an order until its window opens. */
async function holding(it: DeploymentWorld, count: number) {
  const links = (await robotsOf(it, count)).slice(0, count);
  const release = await it.release();
  const rollout = rolloutOf({ activate: [opening()], zone: 'UTC' });
  const older = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { rollout });
  await it.reaches(older, 'pending');
  const orders = await it.handOut(links);
  const held = some(links.map((link) => ({ ...link, orderId: only(orders, link).orderId })));
  for (const { orderId, ...link } of held.slice(0, count)) {
    await it.report(link, { orderId, status: 'downloading' });
    const waitingOn = { holder: 'window', reason: 'opens 2030-01-01 00:00 UTC' };
    await it.report(link, { orderId, status: 'downloading', progress: { percent: 100, waitingOn } });
  }
  return { older, release, links, held };
}

const returns = (it: DeploymentWorld, { orderId, ...link }: LinkedRobot & { orderId: string }) =>
  it.report(link, { orderId, status: 'cancelled' });

test('a deployment that ignores its windows is sent at once, without a window, by the rest of its rollout', async () => {
  await using it = await startDeploymentWorld();
  const links = (await robotsOf(it, 2)).slice(0, 2);
  const windows = closed();
  const gates = { max_wait: '30m', required: true };
  const rollout = rolloutOf(windows, { gates, pace: { max_in_flight: 1 } });
  const releaseId = (await it.release()).id;
  const kept = await it.deploy({ releaseId }, { fleet: it.fleetId }, { rollout });
  await it.reaches(kept, 'pending');
  const now = await it.deploy({ releaseId }, { fleet: it.fleetId }, { rollout, ignore_windows: true });
  await it.reaches(now, 'pending');
  await expect.poll(async () => (await it.handOut(links)).size).toBe(1);
  const [order] = [...(await it.handOut(links)).values()].flat();
  expect(order).toMatchObject({ deployments: [now], terms: {} });
  expect(await view(it, now)).toMatchObject({
    ignore_windows: true,
    rollout: { gates, pace: { max_in_flight: 1 }, ignored_windows: windows },
  });
  expect((await view(it, now)).rollout).not.toHaveProperty('windows');
  expect(await view(it, kept)).toMatchObject({ rollout: { windows } });
  expect(await view(it, kept)).not.toHaveProperty('ignore_windows');
  const { items } = (await it.world.call('GET', '/api/deployments')).body;
  expect(items.find(({ id }: { id: string }) => id === now)).toMatchObject({ ignore_windows: true });
  await it.check();
});

test('the audit log has who ignored which windows, beside gates and pace', async () => {
  await using it = await startDeploymentWorld();
  await it.robots(1);
  const windows = closed();
  const rollout = rolloutOf(windows, { pace: { per_minute: 1 } });
  const configId = await it.config('a', 1);
  const all = { ignore_windows: true, ignore_gates: true, urgent: true };
  const id = await it.deploy({ configId }, { fleet: it.fleetId }, { rollout, ...all });
  expect((await it.world.call('GET', `/api/audit?object_id=${id}`)).body.items).toMatchObject([
    {
      operation: 'createConfigDeployment',
      actor_id: expect.any(String),
      after: { ...all, rollout: { ignored_windows: windows, pace: { per_minute: 1 } } },
    },
  ]);
});

test('without windows there is nothing to ignore, and nothing is refused', async () => {
  await using it = await startDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const releaseId = (await it.release()).id;
  for (const target of [{ robot: robot.robotId }, { fleet: it.fleetId }]) {
    const id = await it.deploy({ releaseId }, target, { ignore_windows: true });
    expect(await view(it, id)).toMatchObject({ ignore_windows: true });
  }
  const id = await it.deploy(
    { releaseId },
    { fleet: it.fleetId },
    { ignore_windows: false, rollout: rolloutOf(closed()) },
  );
  expect(await view(it, id)).toMatchObject({ rollout: { windows: closed() } });
});

test('a robot that joins later, and a retry, ignore the windows too', async () => {
  await using it = await startDeploymentWorld();
  const links = (await robotsOf(it, 1)).slice(0, 1);
  const ignored_windows = closed();
  const more = { rollout: rolloutOf(ignored_windows), ignore_windows: true };
  const id = await it.deploy({ releaseId: (await it.release()).id }, { fleet: it.fleetId }, more);
  await it.reaches(id, 'pending');
  const { newcomer, made } = await newcomerOf(it);
  expect(await view(it, made.id)).toMatchObject({ ignore_windows: true });
  expect((await it.handOut([newcomer])).get(newcomer.robotId)).toMatchObject([{ deployments: [made.id], terms: {} }]);
  await work(it, links, 'failed');
  await it.reaches(id, 'failed');
  const retry = await retried(it, id);
  expect(await view(it, retry)).toMatchObject({ ignore_windows: true, rollout: { ignored_windows } });
  await it.reaches(retry, 'pending');
  expect(only(await it.handOut(links), some(links)[0]).terms).toEqual({});
});

test('a robot that holds an older order until its window opens returns it, and gets the newer one', async () => {
  await using it = await startDeploymentWorld();
  const { older, held, links, release } = await holding(it, 2);
  const [one, other] = held;
  const newer = await it.deploy({ releaseId: release.id }, { robot: one.robotId }, { ignore_windows: true });
  await it.reaches(newer, 'pending');
  const orders = await it.handOut(links);
  expect(only(orders, one)).toMatchObject({ orderId: one.orderId, cancel: true });
  expect(only(orders, other)).toMatchObject({ orderId: other.orderId, cancel: false });
  await returns(it, one);
  expect(only(await it.handOut(links), one)).toMatchObject({ deployments: [newer], cancel: false, terms: {} });
  await expect.poll(() => it.target(older, one)).toMatchObject({ status: 'cancelled', reason: 'superseded' });
  expect(await it.target(older, other)).toMatchObject({ status: 'downloading' });
  await it.check();
});

test('robots that are admitted step by step return an older order only when it is their turn', async () => {
  await using it = await startDeploymentWorld();
  const { held, links, release } = await holding(it, 2);
  const rollout = rolloutOf(closed(), { pace: { max_in_flight: 1 } });
  const newer = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { rollout, ignore_windows: true });
  await it.reaches(newer, 'pending');
  const cancelled = async () => [...(await it.handOut(links)).values()].flat().filter(({ cancel }) => cancel);
  await expect.poll(async () => (await cancelled()).length).toBe(1);
  const [returned] = await cancelled();
  const first = held.find(({ orderId }) => orderId === returned?.orderId) as (typeof held)[number]; // one of both
  await returns(it, first);
  expect(await cancelled()).toEqual([]);
  const { orderId, deployments } = only(await it.handOut([first]), first);
  expect(deployments).toEqual([newer]);
  await it.report(first, { orderId, status: 'applied', digest: release.sha256 });
  await expect.poll(async () => (await cancelled()).length).toBe(1);
  await it.check();
});

test('an order that ignores no window waits for the older one, and one that has taken effect ends as it reports', async () => {
  await using it = await startDeploymentWorld();
  const { held, links, release } = await holding(it, 1);
  const [one] = held;
  const plain = await it.deploy({ releaseId: release.id }, { robot: one.robotId });
  await it.reaches(plain, 'pending');
  expect(only(await it.handOut(links), one)).toMatchObject({ orderId: one.orderId, cancel: false });
  const newer = await it.deploy({ releaseId: release.id }, { robot: one.robotId }, { ignore_windows: true });
  await it.reaches(newer, 'pending');
  expect(only(await it.handOut(links), one)).toMatchObject({ cancel: true });
  await it.report(one, { orderId: one.orderId, status: 'applied', digest: release.sha256 });
  expect(only(await it.handOut(links), one)).toMatchObject({ deployments: [newer], cancel: false });
  await it.check();
});

test('a config entry that ignores windows is not behind another entry that waits for one', async () => {
  await using it = await startDeploymentWorld();
  const links = (await robotsOf(it, 1)).slice(0, 1);
  const [robot] = some(links);
  const rollout = rolloutOf({ activate: [opening()], zone: 'UTC' });
  const deploy = async (key: string, more: object = {}) => {
    const id = await it.deploy({ configId: await it.config(key, 1) }, { fleet: it.fleetId }, { rollout, ...more });
    await it.reaches(id, 'pending');
    return id;
  };
  const usual = await deploy('a');
  const first = only(await it.handOut(links), robot);
  expect(first).toMatchObject({ deployments: [usual], terms: { window: { zone: 'UTC' } } });
  const now = await deploy('b', { ignore_windows: true });
  expect(only(await it.handOut(links), robot)).toMatchObject({ orderId: first.orderId, cancel: true });
  await it.report(robot, { orderId: first.orderId, status: 'cancelled' });
  const second = only(await it.handOut(links), robot);
  expect(second).toMatchObject({ deployments: [now], terms: {} });
  await it.report(robot, { orderId: second.orderId, status: 'failed' });
  expect(only(await it.handOut(links), robot)).toMatchObject({ deployments: [usual] });
  await it.check();
});

test('a plan says that windows are ignored, its hash covers it, and its deployment does so', async () => {
  await using it = await startDeploymentWorld();
  const old = some(await it.robots(1))[0]; // its agent keeps no windows
  const releaseId = (await it.release()).id;
  const windows = closed();
  const kept = await planOf(it, releaseId, { rollout: rolloutOf(windows) });
  const plan = await planOf(it, releaseId, { rollout: rolloutOf(windows), ignore_windows: true });
  expect(plan).toMatchObject({ ignore_windows: true, rollout: { ignored_windows: windows }, counts: { skipped: 0 } });
  expect(plan.rollout).not.toHaveProperty('windows');
  expect(kept).toMatchObject({ rollout: { windows }, counts: { skipped: 1 } });
  expect(kept).not.toHaveProperty('ignore_windows');
  const bare = [await planOf(it, releaseId, {}), await planOf(it, releaseId, { ignore_windows: true })];
  expect(new Set([kept, plan, ...bare].map(({ hash }) => hash)).size).toBe(4);
  expect(plan.waves[0]?.forecast?.starts_at?.slice(0, 10)).toBe(new Date().toISOString().slice(0, 10));
  const beside = await execute(it, plan, { ignore_windows: true });
  expect([beside.status, beside.body.error.message]).toEqual([
    400,
    'body: plan_id and ignore_windows exclude each other',
  ]);
  // As a replica of the previous release reads it.
  await it.db('deployment_plans').where({ id: plan.id }).update({ ignores_windows: false });
  expect((await execute(it, plan)).body.error.message).toContain('the plan no longer holds');
  await it.db('deployment_plans').where({ id: plan.id }).update({ ignores_windows: true });
  const made = (await execute(it, plan)).body.data;
  expect(made).toMatchObject({ ignore_windows: true, rollout: { ignored_windows: windows } });
  await it.reaches(made.id, 'pending');
  await expect.poll(async () => (await it.handOut([old])).size).toBe(1);
});
