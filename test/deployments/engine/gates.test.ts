import { expect, test } from 'vitest';
import { newcomerOf, only, some, startDeploymentWorld, type LinkedRobot } from './support.ts';

const battery = { holder: 'battery', reason: '18 %, needs 30 %' };
const rollout = { waves: [{ percent: 100 }], gates: { max_wait: '30m' } };

/** Robots that wait for a gate before they install what one deployment brings. */
async function waiting(count: number, more: object = {}) {
  const it = await startDeploymentWorld();
  const robots = await it.robots(count);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, more);
  await it.reaches(id, 'pending');
  await expect.poll(async () => (await it.handOut(robots)).size).toBe(count);
  const orders = await it.handOut(robots);
  const linked = robots.map((robot) => ({ ...robot, orderId: only(orders, robot).orderId }));
  const tell = ({ orderId, ...link }: (typeof linked)[number], waitingOn?: typeof battery, status = 'downloading') =>
    it.report(link, { orderId, status, progress: { percent: 100, waitingOn } });
  await Promise.all(linked.map(({ orderId, ...robot }) => it.report(robot, { orderId, status: 'downloading' })));
  await Promise.all(linked.map((robot) => tell(robot, battery)));
  return {
    it,
    id,
    release,
    tell,
    robots: some(linked),
    shown: async ({ robotId }: LinkedRobot) =>
      (await it.world.call('GET', `/api/deployments/${id}/targets?robot_id=${robotId}`)).body.items[0],
    row: async ({ robotId }: LinkedRobot) =>
      (await it.db('targets').where({ deployment_id: id, robot_id: robotId }).first()) as Record<string, Date>,
    [Symbol.asyncDispose]: () => it[Symbol.asyncDispose](),
  };
}

const hoursUntil = (at: string) => (Date.parse(at) - Date.now()) / 3_600_000;

test('a robot that waits for a gate is shown with holder, reason and age, and does not time out', async () => {
  await using scene = await waiting(2);
  const { it, id, robots, tell } = scene;
  const [robot, other] = robots;
  const first = await scene.shown(robot);
  expect(first).toMatchObject({
    status: 'downloading',
    gate: { ...battery, since: expect.stringMatching(/^20.*Z$/) },
    waiting_on: { code: 'gate', since: first.gate.since },
  });
  expect(hoursUntil(first.deadline_at)).toBeCloseTo(24, 0);
  const events = await it.world.count('deployment_events');
  // Another holder is the same wait.
  await it
    .db('targets')
    .where({ deployment_id: id })
    .update({ gate_since: it.db.raw("gate_since - interval '1 hour'") });
  await tell(robot, { holder: 'window', reason: 'opens 2026-11-27 22:00 UTC' });
  const later = await scene.shown(robot);
  expect(later).toMatchObject({ gate: { holder: 'window' }, waiting_on: { code: 'window' } });
  expect(hoursUntil(later.gate.since)).toBeCloseTo(-1, 1);
  expect(await it.world.count('deployment_events')).toBe(events);
  // It goes on; the other one waits.
  await tell(robot);
  const after = await scene.shown(robot);
  expect(after).not.toHaveProperty('gate');
  expect(after.waiting_on.code).toBe('robot_working');
  await tell(other, undefined, 'installing');
  expect(await scene.shown(other)).not.toHaveProperty('gate');
  expect(hoursUntil((await scene.shown(other)).deadline_at)).toBeCloseTo(0.5, 1);
  // A wait of its own begins anew.
  await tell(other, battery, 'installing');
  expect(hoursUntil((await scene.shown(other)).gate.since)).toBeCloseTo(0, 1);
  await it.db('robot_links').where({ robot_id: robot.robotId }).update({ replica_id: null });
  expect((await scene.shown(robot)).waiting_on.code).toBe('offline');
  await it.check();
});

test('a wait that takes longer than the rollout allows is one event, and the robot keeps waiting', async () => {
  await using scene = await waiting(3, { rollout });
  const { it, id, robots, tell } = scene;
  const [late, ready, early] = robots;
  const { gate_since: since, gate_due_at: due } = await scene.row(late);
  expect(((due?.getTime() ?? 0) - (since?.getTime() ?? 0)) / 60_000).toBeCloseTo(30, 1);
  await tell(ready);
  for (const robot of [late, ready])
    await it.db('targets').where({ robot_id: robot.robotId, deployment_id: id }).update({ gate_due_at: new Date() });
  const overdue = async () =>
    (await it.world.call('GET', `/api/deployments/${id}/events`)).body.items.filter(
      ({ reason }: { reason?: string }) => reason === 'gate_overdue',
    );
  await expect.poll(async () => (await overdue()).length).toBe(1);
  expect(await overdue()).toMatchObject([
    {
      robot_id: late.robotId,
      status: 'in_progress',
      target_status: 'downloading',
      message: 'battery: 18 %, needs 30 %',
    },
  ]);
  await tell(late, battery);
  expect((await scene.row(late))['gate_due_at']).toBeNull();
  await expect.poll(async () => (await scene.row(ready))['gate_due_at']).toBeNull();
  expect(await scene.shown(late)).toMatchObject({ status: 'downloading', waiting_on: { code: 'gate' } });
  expect((await scene.row(early))['gate_due_at']).not.toBeNull();
  expect(await overdue()).toHaveLength(1);
  await it.check();
});

test('a robot waits for an hour before that is an event, without a rollout', async () => {
  await using scene = await waiting(1);
  const { gate_since: since, gate_due_at: due } = await scene.row(scene.robots[0]);
  expect(((due?.getTime() ?? 0) - (since?.getTime() ?? 0)) / 60_000).toBeCloseTo(60, 1);
});

test('progress that a replica of the previous release stores ends the wait', async () => {
  await using scene = await waiting(1);
  const { it, id, robots } = scene;
  await it
    .db('targets')
    .where({ deployment_id: id })
    .update({ progress_percent: 7, progress_at: it.db.raw("now() + interval '1 s'") });
  expect(await scene.shown(robots[0])).not.toHaveProperty('gate');
});

test('an order says that gates are ignored, also for robots that join later, and only then', async () => {
  await using it = await startDeploymentWorld();
  const robots = await it.robots(1);
  const [urgent, usual] = [await it.config('a', 1), await it.config('b', 2)];
  const ids = [
    await it.deploy({ configId: urgent }, { fleet: it.fleetId }, { ignore_gates: true }),
    await it.deploy({ configId: usual }, { fleet: it.fleetId }, { ignore_gates: false }),
  ] as const;
  for (const id of ids) await it.reaches(id, 'pending');
  const shown = async (id: string) => (await it.world.call('GET', `/api/configs/deployments/${id}`)).body.data;
  expect(await shown(ids[0])).toMatchObject({ ignore_gates: true });
  expect(await shown(ids[1])).not.toHaveProperty('ignore_gates');
  const audit = await it.world.call('GET', `/api/audit?object_id=${ids[0]}`);
  expect(audit.body.items).toMatchObject([{ operation: 'createConfigDeployment', after: { ignore_gates: true } }]);
  // One document has one set of terms.
  const orders = (await it.handOut(robots)).get(some(robots)[0].robotId);
  expect(orders).toMatchObject([{ deployments: [ids[0]], terms: { ignore_gates: true } }]);

  const [newcomer] = some(await it.robots(1));
  const other = await it.world.call('POST', '/api/fleets', { body: { site_id: it.siteId, name: 'others' } });
  const move = (fleet: string) =>
    it.world.call('PATCH', `/api/robots/${newcomer.robotId}`, { body: { fleet_id: fleet } });
  expect((await move(other.body.data.id)).status).toBe(200);
  expect((await move(it.fleetId)).status).toBe(200);
  await it.handOut([newcomer]);
  const caused = await it.db('deployments').where({ cause_id: ids[0] });
  expect(caused).toMatchObject([{ order_terms: { ignore_gates: true } }]);
});

test('a replica of the previous release creates no order of a deployment with terms, and others as before', async () => {
  await using it = await startDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const release = await it.release();
  const plain = await it.deploy({ releaseId: release.id }, { robot: robot.robotId });
  const urgent = await it.deploy({ releaseId: release.id }, { robot: robot.robotId }, { ignore_gates: true });
  const insert = async (deployment: string, lane: string) => {
    const { rowCount } = await it.db.raw<{ rowCount: number }>(
      `insert into orders (org_id, id, robot_id, lane, payload_digest, proof, deployment_ids)
       values (?, gen_random_uuid(), ?, ?, '', '', array[?]::uuid[]) on conflict do nothing returning id`,
      [robot.orgId, robot.robotId, lane, deployment],
    );
    return rowCount;
  };
  expect(await insert(urgent, 'release:one')).toBe(0);
  expect(await insert(plain, 'release:two')).toBe(1);
  await it.db('orders').where({ robot_id: robot.robotId }).delete();
});

test('robots whose agent lacks windows or required gates wait, and receive the deployment only if that is allowed', async () => {
  await using it = await startDeploymentWorld();
  const [old, windowed] = some(await it.robots(2));
  await it.db('robot_links').where({ robot_id: windowed.robotId }).update({ keeps_windows: true, asks_gates: true });
  const release = await it.release();
  const windows = { activate: [{ cron: '0 22 * * *', duration: '6h' }], zone: 'Europe/Berlin', at_end: 'cancel' };
  const body = { kind: 'release', release_id: release.id, target_kind: 'fleet', target_id: it.fleetId };
  const deploy = async (policy: object, more: object = {}) => {
    const made = { waves: [{ percent: 100 }], ...policy };
    const plan = await it.world.call('POST', '/api/deployment-plans', { body: { ...body, rollout: made } });
    const listed = await it.world.call('GET', `/api/deployment-plans/${plan.body.data.id}/robots`);
    const skips = new Map<string, unknown>(
      listed.body.items.map(({ robot_id: id, skip }: { robot_id: string; skip?: string }) => [id, skip]),
    );
    expect([skips.get(old.robotId), skips.get(windowed.robotId)]).toEqual(['agent_too_old', undefined]);
    const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { rollout: made, ...more });
    await expect.poll(async () => (await it.deployment(id)).status).not.toBe('scheduled');
    await expect.poll(async () => (await it.handOut([old, windowed])).size, { timeout: 9_000 }).toBeGreaterThan(0);
    return { id, orders: await it.handOut([old, windowed]) };
  };
  const waitsFor = async (id: string) =>
    (await it.world.call('GET', `/api/deployments/${id}/targets?robot_id=${old.robotId}`)).body.items[0].waiting_on;
  const first = await deploy({ windows });
  expect([...first.orders.keys()]).toEqual([windowed.robotId]);
  expect(only(first.orders, windowed).terms).toEqual({
    window: { openings: [{ cron: '0 22 * * *', duration_s: 21_600 }], zone: 'Europe/Berlin', at_end: 'cancel' },
  });
  expect(await waitsFor(first.id)).toMatchObject({ code: 'agent_too_old' });
  // At the end of its window, the robot returns the order and gets another one.
  const { orderId } = only(first.orders, windowed);
  await it.report(windowed, { orderId, status: 'installing' });
  await it.report(windowed, { orderId, status: 'cancelled', reason: 'window_ended' });
  expect(await it.target(first.id, windowed)).toMatchObject({ status: 'waiting' });
  const again = only(await it.handOut([windowed]), windowed);
  expect(again.orderId).not.toBe(orderId);
  await it.report(windowed, { orderId: again.orderId, status: 'failed' });

  const second = await deploy({ gates: { required: true } });
  expect([...second.orders.keys()]).toEqual([windowed.robotId]);
  await it.report(windowed, { orderId: only(second.orders, windowed).orderId, status: 'failed' });
  const third = await deploy({ windows }, { allow_ungated: true });
  expect(third.orders.size).toBe(2);
  const shown = async (id: string) => (await it.world.call('GET', `/api/deployments/${id}`)).body.data;
  expect(await shown(third.id)).toMatchObject({ allow_ungated: true, rollout: { windows } });
  expect(await shown(first.id)).not.toHaveProperty('allow_ungated');
});

test('a robot whose agent is too old does not hold up its wave', async () => {
  await using it = await startDeploymentWorld();
  const [old, one, other] = some(await it.robots(3));
  for (const { robotId } of [one, other])
    await it.db('robot_links').where({ robot_id: robotId }).update({ asks_gates: true });
  for (const { robotId } of [old, one])
    await it
      .db('robots')
      .where({ id: robotId })
      .update({ labels: { first: 'yes' } });
  const release = await it.release();
  const policy = { waves: [{ selector: 'first=yes' }, { percent: 100 }], gates: { required: true } };
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { rollout: policy });
  await it.reaches(id, 'pending');
  await expect.poll(async () => (await it.handOut([old, one, other])).size).toBe(1);
  const { orderId } = only(await it.handOut([one]), one);
  await it.report(one, { orderId, status: 'applied', digest: release.sha256 });
  await expect.poll(async () => (await it.handOut([other])).size, { timeout: 15_000 }).toBe(1);
  expect(await it.target(id, old)).toMatchObject({ status: 'waiting' });
}, 30_000);

test('outside of the download windows of its rollout a robot gets no order, by its own zone', async () => {
  await using it = await startDeploymentWorld();
  const [tokyo, berlin] = some(await it.robots(2));
  await it.db('robot_links').where({ robot_id: tokyo.robotId }).update({ timezone: 'Asia/Tokyo' });
  await it.db('robot_links').where({ robot_id: berlin.robotId }).update({ timezone: 'Europe/Berlin' });
  const release = await it.release();
  // Ten minutes ago in Tokyo, for an hour: hours away in Berlin.
  const at = new Date(Date.now() + 9 * 3_600_000 - 600_000);
  const download = [{ cron: `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`, duration: '1h' }];
  const policy = { waves: [{ percent: 100 }], windows: { download } };
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { rollout: policy });
  await it.reaches(id, 'pending');
  await expect.poll(async () => [...(await it.handOut([tokyo, berlin])).keys()]).toEqual([tokyo.robotId]);
  await expect
    .poll(async () => (await it.world.call('GET', `/api/deployments/${id}`)).body.data.waiting_on)
    .toMatchObject({ code: 'window', detail: expect.stringMatching(/^opens at 20\d\d-/) });
  const [waiting] = (await it.world.call('GET', `/api/deployments/${id}/targets?robot_id=${berlin.robotId}`)).body
    .items;
  expect(waiting.waiting_on.code).toBe('window');
  await it.db('robot_links').where({ robot_id: berlin.robotId }).update({ timezone: 'Japan' });
  await it.db('deployments').where({ id }).update({ decide_at: it.db.fn.now() }); // without waiting 5 s
  await expect.poll(async () => (await it.handOut([berlin])).size, { timeout: 9_000 }).toBe(1);
});

test('a robot that joins during a rollout obeys its download windows and the longest wait for its gates', async () => {
  await using it = await startDeploymentWorld();
  const robots = await it.robots(1);
  const release = await it.release();
  // It opens in 12 hours.
  const download = [{ cron: `0 ${(new Date().getUTCHours() + 12) % 24} * * *`, duration: '1h' }];
  const policy = { waves: [{ percent: 100 }], windows: { download, zone: 'UTC' }, gates: { max_wait: '30m' } };
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { rollout: policy });
  await it.reaches(id, 'pending');
  const { newcomer, made } = await newcomerOf(it);
  expect((await it.handOut([...robots, newcomer])).size).toBe(0);
  await it
    .db('deployments')
    .where({ id })
    .update({ rollout: it.db.raw("rollout - 'windows'") });
  const { orderId } = only(await it.handOut([newcomer]), newcomer);
  await it.report(newcomer, { orderId, status: 'downloading' });
  await it.report(newcomer, { orderId, status: 'downloading', progress: { percent: 100, waitingOn: battery } });
  const target = await it.db('targets').where({ deployment_id: made.id }).first();
  expect((target.gate_due_at - target.gate_since) / 60_000).toBeCloseTo(30, 1);
  await it.report(newcomer, { orderId, status: 'cancelled', reason: 'requested' });
  await it.check();
});
