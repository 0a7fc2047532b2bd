import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Knex } from 'knex';
import { timelineService } from '../../../src/timeline/service.ts';
import { only, startIsolatedDeploymentWorld, type LinkedRobot } from './support.ts';

const robotCount = 200;
const steps = ['downloading', 'installing', 'verifying', 'applied'];

test('a deployment updates its targets in place (HOT), and the timeline not at all', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const robots = await it.robots(robotCount);
  const { id: releaseId, sha256: digest } = await it.release();
  const id = await it.deploy({ releaseId }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const orders = await it.handOut(robots);
  for (const status of steps) {
    await earlierTransactionsEnd(it.db);
    await Promise.all(
      robots.map((robot) => it.report(robot, { orderId: only(orders, robot).orderId, status, digest })),
    );
  }
  await it.reaches(id, 'applied');
  await timelineService(it.db).sealAll();
  expect(await it.world.count('timeline')).toBe(2 * robotCount);
  await expect.poll(async () => (await updatesOf(it.db, 'targets')).all).toBe(robotCount * (steps.length + 1));
  const targets = await updatesOf(it.db, 'targets');
  expect(targets.hot / targets.all).toBeGreaterThanOrEqual(0.9);
  const counts = await updatesOf(it.db, 'deployment_counts');
  expect(counts.hot / counts.all).toBeGreaterThanOrEqual(0.7); // few rows, of which the first updates set when they are due
  expect((await updatesOf(it.db, 'timeline')).all).toBe(0);
  await it.check();
});

test('deadlines that pass are noticed, and a deployment without open targets is not looked at again', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [one, other] = (await it.robots(2)) as [LinkedRobot, LinkedRobot];
  const { id: releaseId } = await it.release();
  const id = await it.deploy({ releaseId }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const nextDeadline = async () => (await it.counts(id))['next_deadline_at'];
  const earliest = async () => (await it.targets(id)).map(({ deadline_at: at }) => at).sort()[0];
  expect(await nextDeadline()).toEqual(await earliest());
  const orders = await it.handOut([one]);
  await it.report(one, { orderId: only(orders, one).orderId, status: 'downloading' });
  expect(await nextDeadline()).toEqual((await it.target(id, one))?.deadline_at);
  await it
    .db('targets')
    .where({ deployment_id: id, robot_id: one.robotId })
    .update({ deadline_at: it.db.raw("now() - interval '1 ms'") });
  await expect.poll(async () => (await it.target(id, one))?.reason).toBe('timed_out');
  await expect.poll(nextDeadline).toEqual((await it.target(id, other))?.deadline_at);
  await it.expire(id);
  await it.reaches(id, 'failed');
  await expect.poll(nextDeadline).toBe(null);
  expect(await it.world.count('open_targets')).toBe(0);
});

test('what a replica of the previous release writes is handled: orders without their deployments, entries without a number', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = (await it.robots(1)) as [LinkedRobot];
  const { id: releaseId, sha256: digest } = await it.release();
  const id = await it.deploy({ releaseId }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  await it.handOut([robot]);
  await it.db('orders').update({ deployment_ids: null });
  const order = only(await it.orderPort.openOrders([robot]), robot);
  expect(order.deployments).toEqual([id]);
  const done = await it.report(robot, { orderId: order.orderId, status: 'applied', digest });
  expect(done).toMatchObject({ kind: 'recorded', ended: true });
  await it.reaches(id, 'applied');

  const { orgId, robotId } = robot;
  await it.db('timeline').insert({ org_id: orgId, robot_id: robotId, id: randomUUID(), kind: 'renamed' });
  await timelineService(it.db).sealAll();
  const entries = await it.db('timeline').where({ robot_id: robotId }).orderBy('seq').select('seq', 'kind');
  expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(entries.map(({ kind }) => kind)).toContain('renamed');
});

/**
 * Postgres keeps the old version of a row for each transaction that was open when it was replaced, also for those of
 * the other databases of its server, which tests beside this one use. Until they end, updates find no room in place.
 */
async function earlierTransactionsEnd(db: Knex): Promise<void> {
  const oldest = `least(pg_snapshot_xmin(pg_current_snapshot())::text::bigint, (
    select min(backend_xmin::text::bigint) from pg_stat_activity where datname = current_database()))`;
  const { rows } = await db.raw('select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next');
  const ended = () => db.raw(`select ${oldest} >= ? as ended`, [rows[0].next]);
  await expect.poll(async () => (await ended()).rows[0].ended, { timeout: 60_000 }).toBe(true);
}

/** What Postgres counted of a table; connections report now and then, and at once when they are asked. */
async function updatesOf(db: Knex, table: string): Promise<{ all: number; hot: number }> {
  await Promise.all(
    Array.from({ length: 10 }, () =>
      db.raw('select pg_stat_force_next_flush(), pg_sleep(0.02)').catch(() => undefined),
    ),
  );
  const [row] = await db('pg_stat_user_tables').where({ relname: table }).select('n_tup_upd', 'n_tup_hot_upd');
  return { all: row.n_tup_upd, hot: row.n_tup_hot_upd };
}
