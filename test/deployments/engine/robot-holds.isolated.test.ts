import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { planOf, robotsOf } from './plans/support.ts';
import { retried } from './retries/support.ts';
import { begin, maintain, pin, reachesWave, receivers, soon, targetOf, unpin, view, waves } from './robot-holds.ts';
import { work } from './rollbacks/support.ts';
import { newcomerOf, only, some, startIsolatedDeploymentWorld, type LinkedRobot } from './support.ts';

test('a pinned robot gets its release and configs, and another release only after the pin', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [pinned, other] = some(await it.robots(2));
  const [kept, next] = [await it.release(), await it.release('archive')];
  await pin(it, pinned, kept.id);
  const id = await begin(it, next.id);
  expect(await receivers(it, [pinned, other])).toEqual(new Set([other.robotId]));
  expect((await targetOf(it, id, pinned)).waiting_on).toMatchObject({
    code: 'pin',
    detail: expect.stringMatching(/^until 20.*Z, by an org token ending in ....: demo$/),
  });
  expect((await view(it, id)).waiting_on.code).toBe('robots_working');
  await work(it, [other]);
  expect((await view(it, id)).waiting_on).toMatchObject({
    code: 'pin',
    detail: expect.stringContaining('robot robot '),
  });
  await begin(it, kept.id, {}, pinned);
  const config = await it.deploy({ configId: await it.config('a', 1) }, { robot: pinned.robotId });
  await it.reaches(config, 'pending');
  const orders = (await it.handOut([pinned])).get(pinned.robotId) ?? [];
  expect(orders.map(({ lane }) => lane).sort()).toEqual(['config', 'release:file']);
  await unpin(it, pinned);
  const after = (await it.handOut([pinned])).get(pinned.robotId) ?? [];
  expect(after.map(({ lane }) => lane)).toContain('release:archive');
  await it.check();
});

test('a deployment for the pinned robot alone waits too, and an order that it has already stays', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const [kept, next, later] = [await it.release(), await it.release(), await it.release('archive')];
  const sent = await begin(it, next.id, {}, robot);
  expect(await receivers(it, [robot])).toEqual(new Set([robot.robotId]));
  expect(await pin(it, robot, kept.id)).toMatchObject({ deployment_id: sent });
  const id = await begin(it, later.id, {}, robot);
  const orders = (await it.handOut([robot])).get(robot.robotId) ?? [];
  expect(orders.map(({ deployments }) => deployments)).toEqual([[sent]]);
  expect((await targetOf(it, id, robot)).waiting_on.code).toBe('pin');
});

test('a robot that becomes held while its order is created gets none', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [pinned, inMaintenance, other] = some(await it.robots(3));
  const [kept, next] = [await it.release(), await it.release()];
  const id = await begin(it, next.id, { rollout: { waves: [{ count: 3 }] } });
  const trx = await it.db.transaction();
  await trx('deployments').where({ id }).forNoKeyUpdate();
  const orders = it.handOut([pinned, inMaintenance, other]);
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await until(async () => (await it.db.raw<{ rows: unknown[] }>(waiting)).rows.length > 0); // the robots were read before
  await pin(it, pinned, kept.id);
  await maintain(it, inMaintenance);
  await trx.commit();
  expect([...(await orders).keys()]).toEqual([other.robotId]);
});

test('its 7 days do not run while it is pinned, and begin again after', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const [kept, next] = [await it.release(), await it.release()];
  await pin(it, robot, kept.id);
  const id = await begin(it, next.id, {}, robot);
  expect(await targetOf(it, id, robot)).not.toHaveProperty('deadline_at');
  // As if it had begun 8 days ago.
  await it
    .db('deployments')
    .where({ id })
    .update({ started_at: it.db.raw("now() - interval '8 days'") });
  await it
    .db('targets')
    .where({ deployment_id: id })
    .update({ deadline_at: it.db.raw("now() - interval '1 hour'") });
  await it.db('deployment_counts').where({ deployment_id: id }).update({ next_deadline_at: it.db.fn.now() });
  const looked = () =>
    it.db('deployment_counts').where({ deployment_id: id }).where('next_deadline_at', '>', it.db.fn.now());
  await expect.poll(async () => (await looked()).length, { timeout: 9_000 }).toBe(1);
  await unpin(it, robot);
  await it.db('deployment_counts').where({ deployment_id: id }).update({ next_deadline_at: it.db.fn.now() });
  await expect.poll(async () => (await looked()).length, { timeout: 9_000 }).toBe(1);
  expect((await it.target(id, robot))?.status).toBe('waiting');
  expect(await receivers(it, [robot])).toEqual(new Set([robot.robotId]));
});

test('a pin ends at its time, and the robots that it held are announced', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const [kept, next] = [await it.release(), await it.release()];
  const heard: string[] = [];
  it.world.bus.subscribe({
    hint(hint) {
      if (hint.topic === 'robot_changed') heard.push(hint.robotId);
    },
    reset: () => undefined,
  });
  await pin(it, robot, kept.id, soon(1_500));
  await begin(it, next.id, {}, robot);
  expect(await receivers(it, [robot])).toEqual(new Set());
  await expect.poll(() => heard, { timeout: 9_000 }).toContain(robot.robotId);
  expect(await it.db('robot_pins').where({ robot_id: robot.robotId })).toEqual([]);
  expect(await receivers(it, [robot])).toEqual(new Set([robot.robotId]));
});

test.each(['pinned', 'in maintenance'])(
  'a robot that is %s does not hold up its wave, and is in no other',
  async (how) => {
    await using it = await startIsolatedDeploymentWorld();
    const links = await it.robots(3);
    const [kept, next] = [await it.release(), await it.release()];
    const id = await begin(it, next.id, { rollout: waves });
    const [first] = (await it.targets(id)).filter((each) => (each as unknown as { wave: number }).wave === 1);
    const held = links.find(({ robotId }) => robotId === first?.robot_id) as LinkedRobot;
    const window = how === 'pinned' ? await pin(it, held, kept.id) : await maintain(it, held);
    await reachesWave(it, id, 2);
    expect((await receivers(it, links)).size).toBe(2);
    await work(it, links);
    const code = how === 'pinned' ? 'pin' : 'maintenance';
    expect((await targetOf(it, id, held)).waiting_on).toMatchObject({ code });
    expect((await view(it, id)).waiting_on).toMatchObject({ code });
    if (how === 'pinned') await unpin(it, held);
    else await it.world.call('POST', `/api/maintenance-windows/${window}/end`);
    await expect.poll(async () => (await receivers(it, [held])).size, { timeout: 9_000 }).toBe(1);
    await work(it, [held]);
    await it.reaches(id, 'applied');
    await it.check();
  },
);

test('maintenance holds deployments with a rollout and their retries only', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const [one, other, next] = [await it.release(), await it.release('archive'), await it.release('script')];
  const rollout = await begin(it, one.id, { rollout: waves });
  const plain = await begin(it, other.id);
  for (const { orderId } of (await it.handOut([robot])).get(robot.robotId) ?? [])
    await it.report(robot, { orderId, status: 'failed' });
  for (const id of [rollout, plain]) await it.reaches(id, 'failed');
  await maintain(it, robot);
  const held = [await begin(it, next.id, { rollout: waves }), await retried(it, rollout)];
  for (const id of [...held, await retried(it, plain)]) await it.reaches(id, 'pending');
  const orders = (await it.handOut([robot])).get(robot.robotId) ?? [];
  expect(orders.map(({ lane }) => lane)).toEqual(['release:archive']);
  for (const id of held)
    expect((await targetOf(it, id, robot)).waiting_on).toMatchObject({
      code: 'maintenance',
      since: expect.any(String),
      detail: expect.stringMatching(/^until 20.*Z: new battery$/),
    });
});

test('a held robot takes no room of a budget and of the pace', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(3);
  const [kept, next] = [await it.release(), await it.release()];
  await it.world.call('POST', '/api/disruption-budgets', { body: { name: 'one', max_unavailable: { count: 1 } } });
  const [pinned, ...others] = links as [LinkedRobot, ...LinkedRobot[]];
  await pin(it, pinned, kept.id);
  const id = await begin(it, next.id, { rollout: { waves: [{ percent: 100 }], pace: { max_in_flight: 1 } } });
  for (const round of [1, 2]) {
    await expect.poll(async () => (await receivers(it, links)).size, { timeout: 9_000 }).toBe(1);
    expect(await receivers(it, [pinned]), `round ${round}`).toEqual(new Set());
    await work(it, others);
  }
  expect((await targetOf(it, id, pinned)).waiting_on.code).toBe('pin');
  expect((await view(it, id)).waiting_on.code).toBe('pin');
  await unpin(it, pinned);
  await expect.poll(async () => (await receivers(it, [pinned])).size, { timeout: 15_000 }).toBe(1);
});

test('a plan shows which robots are held, and a rollback leaves out those that are pinned elsewhere', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [elsewhere, there, free] = some(await it.robots(3));
  const all = [elsewhere, there, free];
  const [before, after, kept] = [await it.release(), await it.release(), await it.release('archive')];
  await begin(it, before.id);
  await work(it, all);
  const id = await begin(it, after.id);
  await work(it, all);
  await it.reaches(id, 'applied');
  await pin(it, elsewhere, kept.id);
  await pin(it, there, before.id);
  await maintain(it, free);
  const plan = await planOf(it, after.id, { rollout: waves });
  const skips = new Map((await robotsOf(it, plan)).map(({ robot_id: robotId, skip }) => [robotId, skip]));
  expect(all.map(({ robotId }) => skips.get(robotId))).toEqual(['pinned', 'pinned', 'maintenance']);
  expect(plan.counts.skipped).toBe(3);
  const preview = (await it.world.call('GET', `/api/deployments/${id}/rollback`)).body.data;
  expect(preview).toMatchObject({
    returns: [{ release_id: before.id, robots: 2 }],
    excluded: [{ code: 'pinned', release_id: before.id, robots: 1 }],
  });
});

test('a replica of the previous release sends no order to a held robot', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [pinned, other] = some(await it.robots(2));
  const [kept, next] = [await it.release(), await it.release()];
  await pin(it, pinned, kept.id);
  await maintain(it, other);
  const plain = await begin(it, next.id);
  const rollout = await begin(it, next.id, { rollout: waves });
  const insert = async (robot: LinkedRobot, deployment: string, lane: string) => {
    const { rowCount } = await it.db.raw<{ rowCount: number }>(
      `insert into orders (org_id, id, robot_id, lane, payload_digest, proof, deployment_ids)
       values (?, gen_random_uuid(), ?, ?, '', '', array[?]::uuid[]) on conflict do nothing returning id`,
      [robot.orgId, robot.robotId, lane, deployment],
    );
    return rowCount;
  };
  expect(await insert(pinned, plain, 'release:one')).toBe(0);
  expect(await insert(other, plain, 'release:one')).toBe(1);
  expect(await insert(other, rollout, 'release:two')).toBe(0);
  await it.db('orders').where({ robot_id: other.robotId }).delete();
});

test('what a fleet has waits for the pin of a robot that joined it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [linked] = some(await it.robots(1));
  const [kept, next] = [await it.release(), await it.release()];
  await begin(it, next.id);
  expect(only(await it.handOut([linked]), linked).lane).toBe('release:file');
  const { newcomer, made } = await newcomerOf(it);
  await pin(it, newcomer, kept.id);
  expect(await receivers(it, [newcomer])).toEqual(new Set());
  expect((await targetOf(it, made.id, newcomer)).waiting_on.code).toBe('pin');
});
