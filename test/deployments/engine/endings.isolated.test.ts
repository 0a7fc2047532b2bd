import { expect, test } from 'vitest';
import { abandonRobot } from '../../../src/deployments/api/service.ts';
import { inTransaction } from '../../../src/platform/db/transaction.ts';
import { cancel, only, startIsolatedDeploymentWorld, type DeploymentWorld, type LinkedRobot, some } from './support.ts';

/** A release that is on its way to one robot, which said so much of it. */
async function underWay(it: DeploymentWorld, steps: readonly string[]) {
  const [robot] = some(await it.robots(1));
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { robot: robot.robotId }, { active_minutes: 5 });
  await it.reaches(id, 'pending');
  const order = only(await it.handOut([robot]), robot);
  for (const status of steps) await it.report(robot, { orderId: order.orderId, status });
  return {
    robot,
    release,
    id,
    order,
    say: (status: string, digest?: string) => it.report(robot, { orderId: order.orderId, status, digest }),
  };
}

/** Minutes until the target's deadline. */
async function minutesLeft(it: DeploymentWorld, id: string): Promise<number | undefined> {
  const { rows } = await it.db.raw<{ rows: { minutes: number }[] }>(
    'select extract(epoch from deadline_at - now())::float8 / 60 as minutes from targets where deployment_id = ?',
    [id],
  );
  return rows[0]?.minutes;
}

test('a cancelled deployment that is not due yet, or that nobody has got, ends by itself, and stays so', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const release = await it.release();
  const later = await it.deploy(
    { releaseId: release.id },
    { fleet: it.fleetId },
    { scheduled_at: '2027-01-01T00:00:00Z' },
  );
  expect(await cancel(it, later)).toMatchObject({ kind: 'changed', status: 'cancelled' });
  expect(await it.story(later)).toEqual(['scheduled', 'cancelled']);
  expect(await cancel(it, later)).toEqual({ kind: 'ended', status: 'cancelled' });
  const now = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(now, 'pending');
  expect(await cancel(it, now)).toMatchObject({ kind: 'changed', status: 'cancelling' });
  expect((await it.handOut([robot])).size).toBe(0);
  await it.reaches(now, 'cancelled');
  expect(await it.story(now)).toEqual(['scheduled', 'pending', 'cancelling', 'cancelled cancelled']);
  expect(await cancel(it, '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81')).toBeUndefined();
  await it.check();
});

test.each([[[]], [['downloading']], [['downloading', 'installing']], [['verifying']]])(
  'cancelled after %j the robot is asked to stop, and its answer decides',
  async (steps) => {
    await using it = await startIsolatedDeploymentWorld();
    const { id, robot, order, say, release } = await underWay(it, steps);
    await cancel(it, id);
    expect(await cancel(it, id)).toEqual({ kind: 'unchanged' });
    await expect.poll(async () => (await it.target(id, robot))?.status).toBe('cancelling');
    expect(await minutesLeft(it, id)).toBeCloseTo(5, 0);
    expect(only(await it.orderPort.openOrders([robot]), robot)).toMatchObject({ orderId: order.orderId, cancel: true });
    expect(await say('installing')).toMatchObject({ kind: 'recorded', ended: false });
    const isTooLate = steps.length === 2;
    const outcome = isTooLate ? await say('applied', release.sha256) : await say('cancelled');
    expect(outcome).toMatchObject({ kind: 'recorded', ended: true });
    expect((await it.deployment(id)).status).toBe(isTooLate ? 'applied' : 'cancelled');
    await it.check();
  },
);

test('a cancelled robot that goes back is left to it, and one that does not answer is given up', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const back = await underWay(it, ['installing', 'rolling_back']);
  await cancel(it, back.id);
  const silent = await underWay(it, ['installing']);
  await cancel(it, silent.id);
  await expect.poll(async () => (await it.target(silent.id, silent.robot))?.status).toBe('cancelling');
  expect((await it.target(back.id, back.robot))?.status).toBe('rolling_back');
  expect((await it.deployment(back.id)).status).toBe('cancelling');
  await back.say('rolled_back');
  expect((await it.deployment(back.id)).status).toBe('rolled_back');
  await it.expire(silent.id);
  await it.reaches(silent.id, 'cancelled');
  expect((await it.target(silent.id, silent.robot))?.reason).toBe('forced');
  expect(await silent.say('installing')).toMatchObject({ kind: 'recorded', ended: true });
  await it.check();
});

test('deadlines: seven days until a robot begins, the active minutes after each step', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id, robot, say } = await underWay(it, []);
  expect(await minutesLeft(it, id)).toBeCloseTo(7 * 24 * 60, 0);
  await say('downloading');
  expect(await minutesLeft(it, id)).toBeCloseTo(5, 0);
  await it.expire(id);
  await it.reaches(id, 'failed');
  expect(await it.target(id, robot)).toMatchObject({ status: 'failed', reason: 'timed_out', deadline_at: null });
  const rolling = await underWay(it, ['rolling_back']);
  const waiting = await underWay(it, []);
  await it.expire(rolling.id);
  await it.expire(waiting.id);
  await it.reaches(rolling.id, 'failed');
  await it.reaches(waiting.id, 'failed');
  expect((await it.target(rolling.id, rolling.robot))?.reason).toBe('timed_out');
  expect((await it.target(waiting.id, waiting.robot))?.reason).toBe('expired');
  await it.check();
});

test('when an order ended by its deadline the lane is free, the robot is told, and a late proof shows what it runs', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id, robot, say, release } = await underWay(it, ['installing']);
  const next = await it.deploy({ releaseId: (await it.release()).id }, { robot: robot.robotId });
  await it.reaches(next, 'pending');
  expect(only(await it.handOut([robot]), robot).deployments).toEqual([id]);
  await it.expire(id);
  await it.reaches(id, 'failed');
  const asked = { orgId: it.world.orgId, deploymentId: id };
  expect((await it.orderPort.concerned(it.replicaId, asked)).map(({ robotId }) => robotId)).toEqual([robot.robotId]);
  expect(only(await it.handOut([robot]), robot).deployments).toEqual([next]);
  expect(await say('applied', release.sha256)).toMatchObject({ kind: 'recorded', ended: true });
  expect(await it.target(id, robot)).toMatchObject({ status: 'failed', reason: 'timed_out' });
  const { body } = await it.world.call('GET', `/api/robots/${robot.robotId}`);
  expect(body.data.reported.releases.file).toMatchObject({ release_id: release.id, deployment_id: id });
  await it.check();
});

/** Removes a robot as the API does; `meanwhile` happens before it is gone for the others. */
const remove = (it: DeploymentWorld, { orgId, robotId }: LinkedRobot, meanwhile = () => Promise.resolve()) =>
  inTransaction(it.db, async (trx) => {
    const hints = await abandonRobot(trx, orgId, robotId);
    await meanwhile();
    await trx('robots').where({ id: robotId }).delete();
    return { result: undefined, ...it.world.bus.announcing(trx, hints) };
  });

test('a deployment that begins and is handed out while its robot is being removed ends', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [waiting, working] = some(await it.robots(2));
  const release = await it.release();
  for (const robot of [waiting, working])
    await remove(it, robot, async () => {
      const id = await it.deploy({ releaseId: release.id }, { robot: robot.robotId });
      await it.reaches(id, 'pending');
      // Whoever looked for robots that are gone has done so by now.
      await expect.poll(async () => (await it.deployment(id)).is_superseding).toBe(false);
      if (robot === working) await it.handOut([robot]);
    });
  await expect.poll(() => it.db('deployments').orderBy('id').pluck('status')).toEqual(['cancelled', 'cancelled']);
  await it.check();
});

test('what a removed robot had still to do ends, whatever it was at', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [waiting, working, back, stays] = some(await it.robots(4));
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const orders = await it.handOut([working, back, stays]);
  await it.report(working, { orderId: only(orders, working).orderId, status: 'installing' });
  await it.report(back, { orderId: only(orders, back).orderId, status: 'rolling_back' });
  for (const robot of [waiting, working, back]) await remove(it, robot);
  await expect.poll(async () => (await it.targets(id)).filter((row) => row.deadline_at !== null)).toHaveLength(1);
  expect(await it.target(id, waiting)).toMatchObject({ status: 'cancelled', reason: 'robot_removed' });
  expect(await it.target(id, working)).toMatchObject({ status: 'cancelled', reason: 'robot_removed' });
  expect(await it.target(id, back)).toMatchObject({ status: 'failed', reason: 'robot_removed' });
  await it.report(stays, { orderId: only(orders, stays).orderId, status: 'applied', digest: release.sha256 });
  expect((await it.deployment(id)).status).toBe('failed');
  await it.check();
});

test('an order that another transaction holds keeps no other target from its end', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [held, other] = [await underWay(it, ['installing']), await underWay(it, ['installing'])];
  const holder = await it.db.transaction();
  try {
    await holder.raw('select from orders where id = ? for no key update', [held.order.orderId]);
    await it.expire(held.id);
    await it.expire(other.id);
    await it.reaches(other.id, 'failed');
    expect((await it.target(held.id, held.robot))?.status).toBe('installing');
  } finally {
    await holder.rollback();
  }
  await it.reaches(held.id, 'failed');
  await it.check();
});

test('targets that cannot be ended keep no others from their end', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [stuck, other] = [await underWay(it, []), await underWay(it, [])];
  await it.db.raw(`
    create function refuse_stuck() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger stuck before update of status on targets for each row when (old.deployment_id = '${stuck.id}') execute function refuse_stuck()`);
  await cancel(it, stuck.id);
  await it.expire(other.id);
  await it.reaches(other.id, 'failed');
  expect((await it.target(stuck.id, stuck.robot))?.status).toBe('dispatched');
  await it.db.raw('drop trigger stuck on targets');
  await expect.poll(async () => (await it.target(stuck.id, stuck.robot))?.status).toBe('cancelling');
});
