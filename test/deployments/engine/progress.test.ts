import { expect, test } from 'vitest';
import { cancel, only, sha256, some, startDeploymentWorld, type LinkedRobot } from './support.ts';

/** Robots that are installing what one deployment with 30 active minutes brings. */
async function installing(count: number) {
  const it = await startDeploymentWorld();
  const robots = await it.robots(count);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const orders = await it.handOut(robots);
  const linked = robots.map((robot) => ({ ...robot, orderId: only(orders, robot).orderId }));
  await Promise.all(linked.map(({ orderId, ...robot }) => it.report(robot, { orderId, status: 'installing' })));
  return {
    it,
    id,
    robots: some(linked),
    /** Minutes until the deadline. */
    async minutesLeft({ robotId }: LinkedRobot): Promise<number> {
      const { rows } = await it.db.raw<{ rows: { left: string }[] }>(
        'select extract(epoch from deadline_at - now()) / 60 as left from targets where deployment_id = ? and robot_id = ?',
        [id, robotId],
      );
      return Number(rows[0]?.left);
    },
    /** As if the status had begun so many minutes ago, and been heard of so many minutes ago. */
    async ago(beganMinutes: number, heardMinutes: number): Promise<void> {
      await it.db.raw(
        `update targets set updated_at = now() - make_interval(mins => ?), deadline_at = now() + make_interval(mins => 30 - ?)
          where deployment_id = ? and deadline_at is not null`,
        [beganMinutes, heardMinutes, id],
      );
      const heardAt = it.db.raw('now() - make_interval(mins => ?)', [heardMinutes]);
      await it.db('orders').where({ org_id: it.world.orgId }).update({ touched_at: heardAt, sent_at: heardAt });
    },
    shown: async ({ robotId }: LinkedRobot) =>
      (await it.world.call('GET', `/api/deployments/${id}/targets`)).body.items.find(
        (target: { robot_id: string }) => target.robot_id === robotId,
      ),
    [Symbol.asyncDispose]: () => it[Symbol.asyncDispose](),
  };
}

test('a robot that tells progress keeps its order alive without an event, and is shown with it until the status changes', async () => {
  await using scene = await installing(2);
  const { it, id, robots } = scene;
  const [robot, silent] = robots;
  await scene.ago(25, 25);
  const events = await it.world.count('deployment_events');
  const said = { orderId: robot.orderId, status: 'installing', progress: { percent: 40, text: '412 of 1024 MiB' } };
  expect(await it.report(robot, said)).toMatchObject({ kind: 'recorded', ended: false });
  expect(await scene.minutesLeft(robot)).toBeCloseTo(30, 0);
  expect(await scene.minutesLeft(silent)).toBeCloseTo(5, 0);
  const { progress, ...shown } = await scene.shown(robot);
  expect(progress).toEqual({ percent: 40, text: '412 of 1024 MiB', at: expect.stringMatching(/^20.*Z$/) });
  expect(Date.now() - Date.parse(shown.updated_at)).toBeGreaterThan(20 * 60_000);
  expect(await scene.shown(silent)).not.toHaveProperty('progress');
  expect(await it.world.count('deployment_events')).toBe(events);
  // Heard of, so it is not sent again.
  expect((await it.orderPort.overdue(it.replicaId)).map(({ robotId }) => robotId)).toEqual([silent.robotId]);
  await it.report(robot, { ...said, progress: { percent: 41 } });
  expect((await scene.shown(robot)).progress).toEqual({ percent: 41, at: expect.any(String) });
  await it.report(robot, { orderId: robot.orderId, status: 'verifying' });
  expect(await scene.shown(robot)).not.toHaveProperty('progress');
  expect((await it.story(id)).at(-1)).toBe('in_progress verifying');
  await it.check();
});

test('progress waits for nobody who holds the deployment, and does not hold up what moves beside it', async () => {
  await using scene = await installing(1);
  const { it, id, robots } = scene;
  const [robot] = robots;
  const holder = await it.db.transaction();
  await holder('deployments').where({ id }).forUpdate();
  const said = { orderId: robot.orderId, status: 'installing', progress: { percent: 7 } };
  expect(await it.report(robot, said)).toMatchObject({ kind: 'recorded', ended: false });
  expect((await scene.shown(robot)).progress.percent).toBe(7);
  await holder.rollback();
});

test('progress for ever keeps an order for 24 hours in one status and no longer, and never takes time away', async () => {
  await using scene = await installing(1);
  const { it, robots } = scene;
  const [robot] = robots;
  const tell = () =>
    it.report(robot, { orderId: robot.orderId, status: 'installing', progress: { percent: 1, text: 'on and on' } });
  await scene.ago(24 * 60 - 10, 25);
  await tell();
  expect(await scene.minutesLeft(robot)).toBeCloseTo(10, 0);
  await scene.ago(24 * 60, 1);
  await tell();
  expect(await scene.minutesLeft(robot)).toBeCloseTo(29, 0);
});

test('progress does not bring back a deadline that has passed, and a link that was replaced tells none', async () => {
  await using scene = await installing(2);
  const { it, id, robots } = scene;
  const [late, stale] = robots;
  const said = { status: 'installing', progress: { percent: 99 } };
  await it.db('robot_links').where({ robot_id: stale.robotId }).update({ epoch: 2 });
  expect(await it.report(stale, { ...said, orderId: stale.orderId })).toEqual({ kind: 'stale' });
  expect(await scene.shown(stale)).not.toHaveProperty('progress');
  await it.expire(id);
  await it.report(late, { ...said, orderId: late.orderId });
  await expect.poll(async () => (await it.target(id, late))?.status).toBe('failed');
  expect(await it.target(id, late)).toMatchObject({ reason: 'timed_out' });
  expect(await scene.shown(late)).not.toHaveProperty('progress');
});

test('of a target that is cancelled, in another status or over, progress changes nothing', async () => {
  await using scene = await installing(3);
  const { it, id, robots } = scene;
  const [behind, over, cancelled] = robots;
  await it.report(over, { orderId: over.orderId, status: 'failed', progress: { percent: 3 } });
  expect(await it.report(over, { orderId: over.orderId, status: 'failed', progress: { percent: 4 } })).toMatchObject({
    ended: true,
  });
  await it.report(behind, { orderId: behind.orderId, status: 'downloading', progress: { percent: 5 } });
  expect(await scene.shown(behind)).not.toHaveProperty('progress');
  await cancel(it, id);
  await expect.poll(async () => (await it.target(id, cancelled))?.status).toBe('cancelling');
  await scene.ago(25, 25);
  await it.report(cancelled, { orderId: cancelled.orderId, status: 'installing', progress: { percent: 6 } });
  expect(await scene.minutesLeft(cancelled)).toBeCloseTo(5, 0);
  for (const robot of [over, cancelled]) expect(await scene.shown(robot)).not.toHaveProperty('progress');
  await it.check();
});

test('a report that brings a new status tells its progress too, however many come together, in order', async () => {
  await using scene = await installing(3);
  const { it, id, robots } = scene;
  const [one, other, third] = robots;
  const tell = ({ orderId, ...link }: LinkedRobot & { orderId: string }, status: string, percent: number) =>
    it.report(link, { orderId, status, digest: sha256('0'), progress: { percent } });
  await Promise.all([
    tell(one, 'installing', 90),
    tell(one, 'installing', 100),
    tell(one, 'verifying', 10),
    tell(one, 'verifying', 20),
    tell(one, 'installing', 30),
    tell(other, 'verifying', 1),
    tell(other, 'rolling_back', 2),
    tell(third, 'verifying', 3),
    it.report(third, { orderId: third.orderId, status: 'failed' }),
  ]);
  expect(await scene.shown(one)).toMatchObject({ status: 'verifying', progress: { percent: 20 } });
  expect(await scene.shown(other)).toMatchObject({ status: 'rolling_back', progress: { percent: 2 } });
  expect((await it.story(id)).slice(-5)).toEqual([
    'in_progress verifying',
    'in_progress verifying',
    'in_progress rolling_back',
    'in_progress verifying',
    'in_progress failed',
  ]);
  await it.check();
});

test('a text of progress that Postgres cannot store is kept as far as it can be, and one that shows nothing is none', async () => {
  await using scene = await installing(2);
  const { it, robots } = scene;
  const [odd, blank] = robots;
  const tell = (robot: LinkedRobot & { orderId: string }, text: string) =>
    it.report(robot, { orderId: robot.orderId, status: 'installing', progress: { percent: 0, text } });
  await Promise.all([tell(odd, 'a\0"\\{},NULL\ud800'), tell(blank, ' \u200b')]);
  expect((await scene.shown(odd)).progress.text).toBe('a\ufffd"\\{},NULL\ufffd');
  expect((await scene.shown(blank)).progress).toEqual({ percent: 0, at: expect.any(String) });
});
