import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { only, startIsolatedDeploymentWorld, type DeploymentWorld, type LinkedRobot } from '../support.ts';

const view = async (it: DeploymentWorld, id: string) =>
  (await it.world.call('GET', `/api/deployments/${id}`)).body.data;
const waitingOf = async (it: DeploymentWorld, id: string) =>
  (await it.world.call('GET', `/api/deployments/${id}/targets`)).body.items.map(
    (row: { waiting_on?: { code: string } }) => row.waiting_on?.code,
  );

async function started(it: DeploymentWorld, pace: object, robots: number | LinkedRobot[], more: object = {}) {
  const links = typeof robots === 'number' ? await it.robots(robots) : robots;
  const { id: releaseId, sha256: digest } = await it.release();
  const rollout = { waves: [{ percent: 100 }], pace };
  const id = await it.deploy({ releaseId }, { fleet: it.fleetId }, { rollout, ...more });
  await it.reaches(id, 'pending');
  return { id, links, digest };
}

/** Robots with an order that has not ended. */
async function busy(it: DeploymentWorld, links: LinkedRobot[]): Promise<LinkedRobot[]> {
  const orders = await it.handOut(links);
  return links.filter(({ robotId }) => (orders.get(robotId) ?? []).length > 0);
}

const reachesBusy = (it: DeploymentWorld, links: LinkedRobot[], count: number) =>
  expect.poll(async () => (await busy(it, links)).length, { interval: 50 }).toBe(count);

/** Time for several admissions. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 1_500));

async function apply(it: DeploymentWorld, robots: LinkedRobot[], digest: string, status = 'applied') {
  const orders = await it.handOut(robots);
  for (const robot of robots)
    await it.report(robot, { orderId: only(orders, robot).orderId, status, ...(status === 'applied' && { digest }) });
}

test('as many robots as may be in flight work on it, and the next follow when some have ended', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id, links, digest } = await started(it, { max_in_flight: 2 }, 5);
  await reachesBusy(it, links, 2);
  await aWhile();
  const first = await busy(it, links);
  expect(first).toHaveLength(2);
  expect(await view(it, id)).toMatchObject({
    waiting_on: { code: 'pace', since: expect.any(String), detail: 'at most 2 robots at the same time' },
    rollout: { pace: { max_in_flight: 2 } },
  });
  expect((await waitingOf(it, id)).sort()).toEqual(['acknowledgement', 'acknowledgement', 'pace', 'pace', 'pace']);
  await apply(it, first.slice(0, 1), digest);
  await apply(it, first.slice(1), digest, 'failed');
  await reachesBusy(it, links, 2);
  await apply(it, await busy(it, links), digest);
  await reachesBusy(it, links, 1);
  await apply(it, await busy(it, links), digest);
  await it.reaches(id, 'failed');
  expect(await view(it, id)).toMatchObject({ counts: { applied: 4, failed: 1 } });
  await it.check();
});

test('a rate is kept, and its next robots follow by themselves', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id, links, digest } = await started(it, { per_minute: 30 }, 8);
  await reachesBusy(it, links, 5); // what ten seconds allow
  const at = performance.now();
  await expect.poll(async () => (await view(it, id)).waiting_on.code).toBe('pace');
  await reachesBusy(it, links, 6);
  expect(performance.now() - at).toBeGreaterThan(1_000);
  await apply(it, await busy(it, links), digest);
  expect((await view(it, id)).counts).toMatchObject({ applied: 6, waiting: 2 });
});

test('robots that are offline take no room, and receive it when they connect', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(4);
  const [away, ...others] = links as [LinkedRobot, ...LinkedRobot[]];
  const link = it.db('robot_links').where({ robot_id: away.robotId });
  await link.clone().update({ replica_id: null });
  const { id, digest } = await started(it, { max_in_flight: 1 }, links);
  for (const left of [3, 2, 1]) {
    await reachesBusy(it, others, 1);
    await apply(it, await busy(it, others), digest);
    expect((await it.counts(id))['waiting']).toBe(left);
  }
  await expect.poll(async () => (await waitingOf(it, id)).filter(Boolean)).toEqual(['offline']);
  await link.clone().update({ replica_id: it.replicaId });
  await it.db('deployments').where({ id }).update({ decide_at: it.db.fn.now() }); // without waiting 5 s
  await reachesBusy(it, [away], 1);
  await apply(it, [away], digest);
  await it.reaches(id, 'applied');
});

test('a robot that goes offline before it was sent its order gives its place to another', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id, links, digest } = await started(it, { max_in_flight: 1 }, 2);
  const admitted = async () =>
    ((await it.db('open_targets').where({ deployment_id: id })) as { robot_id: string }[]).map((row) => row.robot_id);
  await expect.poll(admitted).toHaveLength(1);
  const [first] = await admitted();
  await it.db('robot_links').where({ robot_id: first }).update({ replica_id: null });
  await expect.poll(admitted).toEqual(links.map(({ robotId }) => robotId).filter((one) => one !== first));
  const other = links.filter(({ robotId }) => robotId !== first);
  await apply(it, other, digest);
  await it.check();
});

test('robots that stay offline expire after 7 days, while those that wait for the pace do not', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(3);
  const [away] = links as [LinkedRobot, ...LinkedRobot[]];
  await it.db('robot_links').where({ robot_id: away.robotId }).update({ replica_id: null });
  const { id } = await started(it, { max_in_flight: 1 }, links);
  await reachesBusy(it, links, 1);
  const weekAgo = it.db.raw("now() - interval '8 days'");
  await it.db('robot_links').where({ robot_id: away.robotId }).update({ last_seen_at: weekAgo });
  await it
    .db('deployments')
    .where({ id })
    .update({ started_at: weekAgo, waiting_until: weekAgo, decide_at: it.db.fn.now() });
  await expect.poll(async () => (await it.target(id, away))?.reason, { interval: 100 }).toBe('expired');
  expect((await it.counts(id))['waiting']).toBe(1);
});

test('at most so many robots of a site download at the same time, whatever they download', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(5);
  const { id: other } = await it.release('container');
  await it.deploy({ releaseId: other }, { robot: links[0]?.robotId ?? '' });
  await reachesBusy(it, links.slice(0, 1), 1);
  const { id, digest } = await started(it, { downloads_per_site: 2 }, links);
  await aWhile();
  const working = async () => {
    await it.handOut(links);
    return (await it.db('targets').where({ deployment_id: id }).whereNotIn('status', ['waiting', 'applied'])) as {
      robot_id: string;
      status: string;
    }[];
  };
  expect(await working()).toHaveLength(1);
  expect((await view(it, id)).waiting_on.detail).toBe('at most 2 robots of a site download at the same time');
  const [first] = await working();
  const link = links.find(({ robotId }) => robotId === first?.robot_id) as LinkedRobot;
  const orders = await it.handOut(links);
  const order = orders.get(link.robotId)?.find((each) => each.deployments.includes(id));
  await it.report(link, { orderId: order?.orderId ?? '', status: 'installing' });
  await expect.poll(async () => (await working()).length).toBe(2);
  await it.report(link, { orderId: order?.orderId ?? '', status: 'applied', digest });
});

test('an urgent deployment ignores its pace', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id, links } = await started(it, { max_in_flight: 1 }, 4, { urgent: true });
  await reachesBusy(it, links, 4);
  expect(await view(it, id)).toMatchObject({ urgent: true });
});

test('nothing is admitted during a pause, and after it no more than the pace allows', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id, links, digest } = await started(it, { max_in_flight: 2 }, 5);
  await reachesBusy(it, links, 2);
  expect((await it.world.call('POST', `/api/deployments/${id}/pause`, { body: {} })).status).toBe(200);
  await apply(it, await busy(it, links), digest);
  await aWhile();
  expect(await busy(it, links)).toEqual([]);
  expect((await view(it, id)).waiting_on.code).toBe('paused');
  await it.world.call('POST', `/api/deployments/${id}/resume`, { body: {} });
  await reachesBusy(it, links, 2);
  await aWhile();
  expect(await busy(it, links)).toHaveLength(2);
});

test('a wave with a pace follows the one before, and a rollout ends', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(5);
  const { id: releaseId, sha256: digest } = await it.release();
  const rollout = { waves: [{ count: 2 }], pace: { max_in_flight: 1 } };
  const id = await it.deploy({ releaseId }, { fleet: it.fleetId }, { rollout });
  for (let applied = 1; applied <= 5; applied += 1) {
    await reachesBusy(it, links, 1);
    await apply(it, await busy(it, links), digest);
    const waves: { wave: number; applied: number }[] = await it
      .db('waves')
      .where({ deployment_id: id })
      .orderBy('wave');
    expect(waves.map((wave) => wave.applied)).toEqual([Math.min(2, applied), Math.max(0, applied - 2)]);
  }
  await it.reaches(id, 'applied');
  await it.check();
});

test('a replica of the previous release begins neither a paced deployment nor a wave of one, and other ones as before', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(2);
  const { id: releaseId } = await it.release();
  const later = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
  const pace = { max_in_flight: 1 };
  const download = [{ cron: '0 22 * * *', duration: '6h' }];
  const scheduled = (rollout: object, more: object = {}) =>
    it.deploy(
      { releaseId },
      { fleet: it.fleetId },
      { ...later, ...more, rollout: { waves: [{ count: 1 }], ...rollout } },
    );
  const begin = (db: Knex, ids: string[]) =>
    db('deployments').whereIn('id', ids).update({ status: 'pending', started_at: db.fn.now(), open_wave: 0 });
  for (const id of [await scheduled({ pace }), await scheduled({ windows: { download } }, { urgent: true })])
    await expect(begin(it.db, [id])).rejects.toThrow(/deployments_paced/);
  const others = [await scheduled({}), await scheduled({ pace }, { urgent: true })];
  const trx = await it.db.transaction();
  expect(await begin(trx, others)).toBe(2);
  await trx.rollback();

  const { id, digest } = await started(it, pace, links, { rollout: { waves: [{ count: 1 }], pace } });
  await reachesBusy(it, links, 1);
  const nextWave = it.db('deployments').where({ id }).update({ open_wave: 2 });
  await expect(nextWave).rejects.toThrow(/deployments_paced_wave/);
  await apply(it, await busy(it, links), digest);
  await reachesBusy(it, links, 1);
  expect(await it.db('deployments').where({ id }).first('open_wave')).toEqual({ open_wave: 2 });
  await it.check();
});

test('robots that are at work on an earlier order are not called offline', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(2);
  await it.deploy({ releaseId: (await it.release()).id }, { fleet: it.fleetId });
  await reachesBusy(it, links, 2);
  const { id } = await started(it, { max_in_flight: 1 }, links);
  const codes = async () => ((await view(it, id)) as { waiting_on?: { code: string } }).waiting_on?.code;
  await expect.poll(codes).toBe('earlier_orders');
  expect(await waitingOf(it, id)).toEqual(['earlier_order', 'earlier_order']);
});

test('a pause that was written while the clock of the database was ahead ends once it is set back', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id, links, digest } = await started(it, { max_in_flight: 1 }, 2);
  await reachesBusy(it, links, 1);
  await apply(it, await busy(it, links), digest);
  await it.db('deployments').where({ id }).update({ admit_at: '2100-01-01T00:00:00Z', decide_at: it.db.fn.now() });
  await reachesBusy(it, links, 1);
  await apply(it, await busy(it, links), digest);
  await it.reaches(id, 'applied');
});
