import { expect, test } from 'vitest';
import { cancelLeftCaused } from '../../../../src/deployments/engine/controls/cancel.ts';
import { createRolloutWorker } from '../../../../src/deployments/engine/rollouts/worker.ts';
import { createLogger } from '../../../../src/platform/logging.ts';
import {
  cancel,
  newcomerOf,
  only,
  startIsolatedDeploymentWorld,
  type DeploymentWorld,
  type LinkedRobot,
} from '../support.ts';

interface Started {
  id: string;
  links: LinkedRobot[];
  digest: string;
}

async function started(it: DeploymentWorld, rollout: object, robots = 6): Promise<Started> {
  const links = await it.robots(robots);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { rollout });
  await it.reaches(id, 'pending');
  return { id, links, digest: release.sha256 };
}

const view = async (it: DeploymentWorld, id: string) =>
  (await it.world.call('GET', `/api/deployments/${id}`)).body.data;
const control = (it: DeploymentWorld, id: string, what: string, reason = 'looked at') =>
  it.world.call('POST', `/api/deployments/${id}/${what}`, { body: { reason } });

const reachesWave = (it: DeploymentWorld, id: string, wave: number) =>
  expect.poll(async () => (await view(it, id)).rollout.wave, { interval: 20 }).toBe(wave);

/** Dispatches to all robots; those that received an order report `status`. Returns them. */
async function work(it: DeploymentWorld, { links, digest }: Started, status = 'applied', most = Infinity) {
  const orders = await it.handOut(links);
  const busy = links.filter(({ robotId }) => (orders.get(robotId) ?? []).length > 0).slice(0, most);
  for (const robot of busy)
    await it.report(robot, { orderId: only(orders, robot).orderId, status, ...(status === 'applied' && { digest }) });
  return busy;
}

/** A robot of a wave. */
async function firstOf(it: DeploymentWorld, id: string, wave: number): Promise<LinkedRobot> {
  const row = (await it.db('targets').where({ deployment_id: id, wave }).first()) as { robot_id: string };
  return { orgId: it.world.orgId, robotId: row.robot_id, epoch: 1 };
}

/** The time of a decision comes. */
const decideNow = (it: DeploymentWorld, id: string) =>
  it.db('deployments').where({ id }).update({ decide_at: it.db.fn.now() });

/** Makes a robot unhealthy since `ago` ms, or healthy again. */
const ill = (it: DeploymentWorld, { robotId }: LinkedRobot, ago = 0) =>
  it
    .db('robot_status')
    .where({ robot_id: robotId })
    .update({
      severity: 2,
      since: it.db.raw("now() + interval '1 minute'"), // as when a maintenance window ends
      conditions: JSON.stringify([
        { name: 'offline', severity: 'degraded', since: new Date().toISOString() },
        { name: 'estop', severity: 'unhealthy', since: new Date(Date.now() - ago).toISOString() },
      ]),
    });
const heal = (it: DeploymentWorld, { robotId }: LinkedRobot) =>
  it.db('robot_status').where({ robot_id: robotId }).update({ severity: 0, since: null, conditions: '[]' });

test('robots receive a release wave by wave, each when the one before has applied it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ name: 'first', count: 1 }, { percent: 30 }] });
  const { id } = rollout;
  expect(await view(it, id)).toMatchObject({
    rollout: {
      wave: 1,
      waves: [
        { number: 1, name: 'first', count: 1, counts: { total: 1, waiting: 1 }, started_at: expect.any(String) },
        { number: 2, percent: 30, counts: { total: 2, waiting: 2 } },
        { number: 3, counts: { total: 3, waiting: 3 } },
      ],
      advance: { applied_percent: 100, min_ended: 1, soak: '0s', then: 'advance' },
      abort: [],
    },
  });
  for (const [wave, size] of [1, 2, 3].entries()) {
    await reachesWave(it, id, wave + 1);
    await it.check();
    expect(await work(it, rollout)).toHaveLength(size);
  }
  await it.reaches(id, 'applied');
  const { items } = (await it.world.call('GET', `/api/deployments/${id}/events`)).body;
  const waves = items.filter(({ reason }: { reason?: string }) => reason === 'wave_started');
  expect(waves.map(({ message }: { message: string }) => message)).toEqual([
    'wave 1 of 3: 1 robot',
    'wave 2 of 3: 2 robots',
    'wave 3 of 3: 3 robots',
  ]);
  expect((await view(it, id)).rollout.waves.map(({ ended_at: at }: { ended_at?: string }) => at !== undefined)).toEqual(
    [true, true, false],
  );
  await it.check();
});

test('robots whose wave has not begun say so, and their 7 days do not run', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id } = await started(it, { waves: [{ count: 1 }] }, 2);
  const targets = async () => (await it.world.call('GET', `/api/deployments/${id}/targets`)).body.items;
  const inWave = async (wave: number) => (await targets()).find((each: { wave: number }) => each.wave === wave);
  expect(await inWave(2)).toMatchObject({ status: 'waiting', waiting_on: { code: 'wave' } });
  expect(await inWave(2)).not.toHaveProperty('deadline_at');
  expect(await inWave(1)).toHaveProperty('deadline_at');
  await control(it, id, 'advance');
  await reachesWave(it, id, 2);
  const days = (Date.parse((await inWave(2)).deadline_at) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.99);
});

test('a soak time holds the next wave back; unhealthy robots and a pause begin it again', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 2 }], advance: { soak: '10m' } });
  const { id } = rollout;
  const [one] = await work(it, rollout);
  if (!one) throw new Error('no robot received it');
  const waitsOn = async () => (await view(it, id)).waiting_on?.code;
  await expect.poll(waitsOn).toBe('soak');
  await ill(it, one);
  await decideNow(it, id);
  await expect.poll(waitsOn).toBe('wave_health');
  expect((await view(it, id)).rollout.waves[0]).not.toHaveProperty('soak_started_at');
  await heal(it, one);
  await decideNow(it, id);
  await expect.poll(waitsOn).toBe('soak');
  expect((await view(it, id)).rollout.wave).toBe(1);
  await control(it, id, 'pause');
  expect((await view(it, id)).rollout.waves[0]).not.toHaveProperty('soak_started_at');
  await control(it, id, 'resume');
  await expect.poll(waitsOn).toBe('soak');
  await it
    .db('waves')
    .where({ wave: 1 })
    .update({ soak_started_at: it.db.raw("now() - interval '10 minutes'") });
  await decideNow(it, id);
  await reachesWave(it, id, 2);
});

test('a robot that was unhealthy before its update interrupts nothing, also if its maintenance ends meanwhile', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 2 }] });
  for (const robot of rollout.links) await ill(it, robot, 60_000);
  await work(it, rollout);
  await reachesWave(it, rollout.id, 2);
});

test('a wave in which a robot failed pauses the rollout; resumed, it goes on without that robot', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 2 }] });
  const { id } = rollout;
  await work(it, rollout, 'failed', 1);
  await it.reaches(id, 'paused');
  expect(await view(it, id)).toMatchObject({
    paused: { code: 'wave_failed', reason: 'wave 1: 1 of 2 robots did not apply it; at least 100 % must' },
    waiting_on: { code: 'paused' },
  });
  expect((await it.story(id)).at(-1)).toBe('paused wave_failed');
  await control(it, id, 'resume');
  await work(it, rollout);
  await reachesWave(it, id, 2);
  await work(it, rollout);
  await it.reaches(id, 'failed');
  await it.check();
});

test('an abort rule that cancels ends the robots of all waves, and says why', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const abort = [{ reasons: ['any'], count: 1, action: 'cancel' }];
  const rollout = await started(it, { waves: [{ count: 2 }], abort });
  await work(it, rollout, 'rolled_back', 1);
  await expect.poll(async () => (await view(it, rollout.id)).status).toBe('cancelling');
  expect((await it.counts(rollout.id))['rolled_back']).toBe(1);
  expect(await view(it, rollout.id)).toMatchObject({ reason: 'aborted' });
  await expect.poll(async () => (await it.counts(rollout.id))['cancelled']).toBe(4);
  const [order] = [...(await it.orderPort.openOrders(rollout.links)).entries()];
  const busy = rollout.links.find(({ robotId }) => robotId === order?.[0]);
  expect(order?.[1][0]?.cancel).toBe(true);
  if (busy && order?.[1][0]) await it.report(busy, { orderId: order[1][0].orderId, status: 'cancelled' });
  await it.reaches(rollout.id, 'rolled_back');
  const { items } = (await it.world.call('GET', `/api/deployments/${rollout.id}/events`)).body;
  expect(items).toContainEqual(
    expect.objectContaining({
      status: 'cancelling',
      reason: 'aborted',
      message: 'the rollout: 1 of 1 ended robots (any); the limit is 1',
    }),
  );
  await it.check();
});

test('abort rules tell apart why robots failed', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 4 }], advance: { applied_percent: 1, min_ended: 6 } });
  const [orders, { id, links }] = [await it.handOut(rollout.links), rollout];
  const [rejects, fails, rollsBack, times] = links.filter(({ robotId }) => orders.has(robotId));
  if (!rejects || !fails || !rollsBack || !times) throw new Error('fewer than four robots received it');
  const say = (robot: LinkedRobot, status: string) =>
    it.report(robot, { orderId: only(orders, robot).orderId, status });
  await say(rejects, 'failed');
  await say(fails, 'installing');
  await say(fails, 'failed');
  await say(rollsBack, 'rolled_back');
  await say(times, 'installing');
  await it
    .db('targets')
    .where({ robot_id: times.robotId })
    .update({ deadline_at: new Date(0) });
  await expect.poll(async () => (await it.counts(id))['failed']).toBe(3);
  const rows = await it.db('rollout_failures').where({ deployment_id: id });
  const causes = new Map(rows.map(({ robot_id: robot, cause }) => [robot, cause]));
  expect([rejects, fails, rollsBack, times].map(({ robotId }) => causes.get(robotId))).toEqual([
    'rejected',
    'failed',
    'rolled_back',
    'timed_out',
  ]);
});

test.each(['expired', 'too_many_orders', 'robot_removed'])(
  'a wave whose robots refuse the order as %s ends the rollout as any that fails',
  async (reason) => {
    await using it = await startIsolatedDeploymentWorld();
    const rollout = await started(it, {
      waves: [{ count: 4 }],
      advance: { applied_percent: 1, min_ended: 0, offline_after: '1h' },
      abort: [{ reasons: ['rejected'], count: 3, action: 'pause' }],
    });
    const [orders, { id, links, digest }] = [await it.handOut(rollout.links), rollout];
    const [applies, ...refuse] = links.filter(({ robotId }) => orders.has(robotId));
    for (const robot of refuse)
      await it.report(robot, { orderId: only(orders, robot).orderId, status: 'failed', reason });
    if (applies) await it.report(applies, { orderId: only(orders, applies).orderId, status: 'applied', digest });
    await it.reaches(id, 'paused');
    expect((await view(it, id)).paused.code).toBe('aborted');
    expect((await it.targets(id)).filter((row) => row.reason === `agent_${reason}`)).toHaveLength(3);
  },
);

test('by its policy a rollout pauses after each wave, and the resume begins the next', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 2 }], advance: { then: 'pause' } });
  await work(it, rollout);
  await it.reaches(rollout.id, 'paused');
  expect((await view(it, rollout.id)).paused).toMatchObject({
    code: 'wave_ended',
    reason: 'wave 1: 2 of 2 robots applied it',
  });
  expect((await it.handOut(rollout.links)).size).toBe(0);
  await control(it, rollout.id, 'resume');
  await reachesWave(it, rollout.id, 2);
});

test('a person begins the next wave while robots of the current one still work', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 2 }, { count: 1 }] });
  const { id } = rollout;
  await it.handOut(rollout.links);
  const advanced = await control(it, id, 'advance', 'one is in repair');
  expect(advanced.body.data.rollout.waves[0]).toHaveProperty('ended_at');
  await reachesWave(it, id, 2);
  await control(it, id, 'pause');
  expect((await control(it, id, 'advance')).body.error.message).toBe('the deployment is paused; resume it first');
  await control(it, id, 'resume');
  await control(it, id, 'advance');
  await reachesWave(it, id, 3);
  expect((await control(it, id, 'advance')).body.error.message).toBe('the last wave has begun');
  await work(it, rollout);
  await it.reaches(id, 'applied');
  expect((await control(it, id, 'advance')).body.error.message).toBe('the deployment has ended: applied');
  await it.check();
});

test('robots that are offline for long hold up no wave, and receive it when they connect', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 2 }], advance: { offline_after: '1h' } });
  const { id } = rollout;
  const link = { robot_id: (await firstOf(it, id, 1)).robotId };
  await it
    .db('robot_links')
    .where(link)
    .update({ replica_id: null, last_seen_at: new Date(Date.now() - 7_200_000) });
  await work(it, { ...rollout, links: rollout.links.filter(({ robotId }) => robotId !== link.robot_id) });
  await decideNow(it, id);
  await expect.poll(async () => (await view(it, id)).waiting_on?.code).toBe('robots_offline');
  expect((await view(it, id)).rollout.wave).toBe(1);
  await it
    .db('waves')
    .where({ deployment_id: id, wave: 1 })
    .update({ started_at: new Date(Date.now() - 3_600_000) });
  await decideNow(it, id);
  await reachesWave(it, id, 2);
  await it.db('robot_links').where(link).update({ replica_id: it.replicaId, last_seen_at: new Date() });
  expect(await work(it, rollout)).toHaveLength(5);
  await it.reaches(id, 'applied');
});

test('a robot that joins the fleet during a rollout receives it with the last wave', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }] }, 2);
  const { newcomer, made } = await newcomerOf(it);
  expect(made).toMatchObject({ caused_by: { deployment_id: rollout.id }, waiting_on: { code: 'wave' } });
  const { items } = (await it.world.call('GET', `/api/deployments/${made.id}/targets`)).body;
  expect(items).toEqual([expect.objectContaining({ waiting_on: expect.objectContaining({ code: 'wave' }) })]);
  expect((await it.handOut([newcomer])).size).toBe(0);
  // Its 7 days begin with the wave.
  const earlier = (column: string) => it.db.raw(`${column} - interval '8 days'`);
  await it
    .db('deployments')
    .where({ id: made.id })
    .update({ started_at: earlier('started_at') });
  await it
    .db('targets')
    .where({ deployment_id: made.id })
    .update({ deadline_at: earlier('deadline_at') });
  await control(it, rollout.id, 'advance');
  await reachesWave(it, rollout.id, 2);
  expect((await it.handOut([newcomer])).size).toBe(1);
});

test('a robot that joins outside of the download window says that it waits for it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const begins = (new Date().getUTCHours() + 3) % 24;
  const windows = { download: [{ cron: `0 ${begins} * * *`, duration: '1h' }], zone: 'UTC' };
  await started(it, { waves: [{ percent: 100 }], windows }, 1);
  const { newcomer, made } = await newcomerOf(it);
  expect((await it.handOut([newcomer])).size).toBe(0);
  expect((await view(it, made.id)).waiting_on).toMatchObject({ code: 'window' });
  const { items } = (await it.world.call('GET', `/api/deployments/${made.id}/targets`)).body;
  expect(items).toMatchObject([{ status: 'waiting', waiting_on: { code: 'window' } }]);
});

test('a rollout that is cancelled in a soak time waits for its robots, not for the time', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 2 }], advance: { applied_percent: 50, soak: '10m' } }, 3);
  const waitsOn = async () => (await view(it, rollout.id)).waiting_on?.code;
  await work(it, rollout, 'applied', 1);
  await expect.poll(waitsOn).toBe('soak');
  await cancel(it, rollout.id);
  await expect.poll(async () => (await it.counts(rollout.id))['cancelling']).toBe(1);
  expect(await waitsOn()).not.toBe('soak');
});

test('a cancelled rollout cancels what robots that joined wait for', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }] }, 2);
  const { made } = await newcomerOf(it);
  await cancel(it, rollout.id);
  await it.reaches(made.id, 'cancelled');
  await it.reaches(rollout.id, 'cancelled');
  await it.check();
});

test('a rollout that is cancelled in its last wave cancels what it caused, also what a robot works on', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }] }, 2);
  const [waits, works] = [await newcomerOf(it), await newcomerOf(it)];
  await control(it, rollout.id, 'advance');
  await reachesWave(it, rollout.id, 2);
  const orders = await it.handOut([works.newcomer]);
  await cancel(it, rollout.id);
  expect((await it.handOut([waits.newcomer])).size).toBe(0);
  await it.reaches(waits.made.id, 'cancelled');
  await it.report(works.newcomer, { orderId: only(orders, works.newcomer).orderId, status: 'cancelled' });
  await it.reaches(works.made.id, 'cancelled');
  await it.check();
});

test('a robot that joins while a rollout is cancelled receives nothing, and what it waits for is cancelled', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }] }, 2);
  await control(it, rollout.id, 'advance');
  await reachesWave(it, rollout.id, 2);
  const { newcomer, made } = await newcomerOf(it);
  // As a replica that knows no rollouts does it, and as it is for a robot that joined unseen by the cancel.
  await it.db('deployments').where({ id: rollout.id }).update({ status: 'cancelling', cancelled_at: it.db.fn.now() });
  expect((await it.handOut([newcomer])).size).toBe(0);
  await cancelLeftCaused(it.db);
  await it.reaches(made.id, 'cancelled');
});

test('a rollout that ends before its last wave lets robots that joined receive it, with their full time', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 2 }, { count: 5 }] }, 2);
  const { newcomer, made } = await newcomerOf(it);
  const earlier = (column: string) => it.db.raw(`${column} - interval '8 days'`);
  await it
    .db('deployments')
    .where({ id: made.id })
    .update({ started_at: earlier('started_at') });
  await it
    .db('targets')
    .where({ deployment_id: made.id })
    .update({ deadline_at: earlier('deadline_at') });
  await work(it, rollout);
  await it.reaches(rollout.id, 'applied');
  await expect.poll(async () => (await it.handOut([newcomer])).size).toBe(1);
});

test('a robot that is removed before its wave ends at once, and the rollout goes on', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }, { count: 1 }] }, 3);
  await it.world.call('DELETE', `/api/robots/${(await firstOf(it, rollout.id, 2)).robotId}`);
  await expect.poll(async () => (await it.counts(rollout.id))['cancelled']).toBe(1);
  await work(it, rollout);
  await reachesWave(it, rollout.id, 3);
  await work(it, rollout);
  await it.reaches(rollout.id, 'applied');
  await it.check();
});

test('a newer deployment ends the robots that wait, also those whose wave has not begun', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }] });
  const newer = await it.release();
  const id = await it.deploy({ releaseId: newer.id }, { fleet: it.fleetId });
  await it.reaches(rollout.id, 'cancelled');
  expect(await work(it, { ...rollout, digest: newer.sha256 })).toHaveLength(6);
  await it.reaches(id, 'applied');
  await it.check();
});

test('a wave that no robot is in is passed over', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ selector: 'tier=canary' }, { count: 1 }] }, 3);
  await reachesWave(it, rollout.id, 2);
  expect(
    (await view(it, rollout.id)).rollout.waves.map((wave: { counts: { total: number } }) => wave.counts.total),
  ).toEqual([0, 1, 2]);
  await work(it, rollout);
  await reachesWave(it, rollout.id, 3);
});

test('config entries are rolled out in waves too', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(3);
  const configId = await it.config('speed', 2);
  const id = await it.deploy({ configId }, { fleet: it.fleetId }, { rollout: { waves: [{ count: 1 }] } });
  await it.reaches(id, 'pending');
  const orders = await it.handOut(links);
  expect(orders.size).toBe(1);
  for (const robot of links.filter(({ robotId }) => orders.has(robotId))) {
    const { orderId, digest } = only(orders, robot);
    await it.report(robot, { orderId, status: 'applied', digest });
  }
  await expect.poll(async () => (await it.handOut(links)).size).toBe(2);
  await it.check();
});

test('counts of waves that a replica of the previous release left behind are corrected', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 2 }] });
  await it.db.raw('create table saved as select * from waves');
  await work(it, rollout, 'failed', 1);
  await it.reaches(rollout.id, 'paused');
  await it.db.raw(
    'update waves w set waiting = s.waiting, failed = s.failed, dispatched = s.dispatched from saved s where s.deployment_id = w.deployment_id and s.wave = w.wave',
  );
  await it.db('rollout_failures').delete();
  await it.db('deployments').where({ id: rollout.id }).update({ status: 'in_progress' });
  await decideNow(it, rollout.id);
  await it.reaches(rollout.id, 'paused');
  expect(await it.db('rollout_failures').where({ deployment_id: rollout.id })).toHaveLength(1);
  await it.check();
});

test('no replica of the previous release can begin a rollout', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await it.robots(1);
  const { id: releaseId } = await it.release();
  const at = { rollout: { waves: [{ count: 1 }] }, scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
  const id = await it.deploy({ releaseId }, { fleet: it.fleetId }, at);
  const begin = it.db('deployments').where({ id }).update({ status: 'pending', started_at: it.db.fn.now() });
  await expect(begin).rejects.toThrow('deployments_waves');
  expect((await view(it, id)).rollout).toMatchObject({ wave: 0, waves: [{ number: 1, count: 1 }] });
});

test('of several replicas one begins the next wave, once', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const log = createLogger('silent', []);
  const others = Array.from({ length: 4 }, () => createRolloutWorker({ db: it.db, bus: it.world.bus, log }));
  others.forEach((worker) => worker.start());
  const rollout = await started(it, { waves: Array.from({ length: 5 }, () => ({ count: 1 })) });
  for (let wave = 1; wave <= 6; wave += 1) {
    await reachesWave(it, rollout.id, wave);
    expect(await work(it, rollout)).toHaveLength(1);
  }
  await it.reaches(rollout.id, 'applied');
  expect((await it.story(rollout.id)).filter((each) => each.endsWith('wave_started'))).toHaveLength(6);
  await Promise.all(others.map((worker) => worker.stop()));
  await it.check();
});

test('a rollout whose decision fails is tried again, and holds up no other', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const broken = await started(it, { waves: [{ count: 1 }] }, 2);
  await it
    .db('deployments')
    .where({ id: broken.id })
    .update({ rollout: '{"waves":[]}', decide_at: new Date(0) });
  const fleet = await it.world.call('POST', '/api/fleets', { body: { name: 'others', site_id: it.siteId } });
  const moved = await firstOf(it, broken.id, 2);
  await it.world.call('PATCH', `/api/robots/${moved.robotId}`, { body: { fleet_id: fleet.body.data.id } });
  const release = await it.release('archive');
  const id = await it.deploy(
    { releaseId: release.id },
    { fleet: fleet.body.data.id },
    { rollout: { waves: [{ count: 1 }] } },
  );
  await it.reaches(id, 'pending');
  await work(it, { id, links: [moved], digest: release.sha256 });
  await it.reaches(id, 'applied');
  await expect.poll(() => it.world.lines.some((line) => line.includes('a rollout could not be decided on'))).toBe(true);
});

test('a rollout that a replica of the previous release resumed is decided on again', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }], advance: { then: 'pause' } }, 2);
  await work(it, rollout);
  await it.reaches(rollout.id, 'paused');
  await it.db('deployments').where({ id: rollout.id }).update({ status: 'in_progress' });
  const worker = createRolloutWorker({ db: it.db, bus: it.world.bus, log: createLogger('silent', []) });
  worker.start();
  await reachesWave(it, rollout.id, 2);
  await worker.stop();
});

/** As written while the clock of the database was far ahead. */
const farAhead = '2100-01-01T00:00:00Z';

test('a soak time that began while the clock of the database was ahead begins again once it is set back', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }], advance: { soak: '2s' } }, 2);
  await work(it, rollout);
  await expect.poll(async () => (await view(it, rollout.id)).waiting_on?.code, { interval: 20 }).toBe('soak');
  await it.db('waves').where({ wave: 1 }).update({ soak_started_at: farAhead });
  await reachesWave(it, rollout.id, 2);
});

test('times of decisions and of starts that were written while the clock was ahead have no effect once it is set back', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }], advance: { soak: '3s' } }, 2);
  await work(it, rollout);
  await expect.poll(async () => (await view(it, rollout.id)).waiting_on?.code, { interval: 20 }).toBe('soak');
  const { id: releaseId } = await it.release();
  const finish = { rollout: { waves: [{ percent: 100 }], supersede: 'finish' } };
  const behind = await it.deploy({ releaseId }, { fleet: it.fleetId }, finish);
  await expect.poll(async () => (await view(it, behind)).blocked_by, { interval: 20 }).toEqual([rollout.id]);
  await it.db('deployments').where({ id: rollout.id }).update({ decide_at: farAhead });
  await it.db('deployments').where({ id: behind }).update({ due_at: farAhead });
  const worker = createRolloutWorker({ db: it.db, bus: it.world.bus, log: createLogger('silent', []) });
  worker.start();
  await reachesWave(it, rollout.id, 2);
  await work(it, rollout);
  await it.reaches(rollout.id, 'applied');
  await it.reaches(behind, 'pending');
  await worker.stop();
});
