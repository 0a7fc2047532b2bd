import { expect, test } from 'vitest';
import { planService } from '../../../../src/deployments/api/plans.ts';
import { startIsolatedDeploymentWorld } from '../support.ts';
import { execute, inAnHour, planOf } from './support.ts';

test('a plan is not found once it has expired, and is deleted with its robots; a scheduled deployment keeps its plan', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await it.robots(3);
  const release = await it.release();
  const [unused, used, kept] = [
    await planOf(it, release.id),
    await planOf(it, release.id),
    await planOf(it, release.id),
  ];
  const { id } = (await execute(it, used, inAnHour())).body.data;
  await it.db('deployment_plans').whereIn('id', [unused.id, used.id]).update({ expires_at: it.db.fn.now() });
  const left = async () => {
    while (await planService(it.db).dropExpired());
    const rows = await it.db('plan_robots').distinct('plan_id');
    expect(rows.map((row) => row.plan_id).sort()).toEqual(
      (await it.db('deployment_plans').select('id')).map((row) => row.id).sort(),
    );
    return rows.map((row) => row.plan_id as string).sort();
  };
  const status = async (planId: string) => (await it.world.call('GET', `/api/deployment-plans/${planId}`)).status;
  expect([await status(unused.id), await status(used.id)]).toEqual([404, 200]);
  expect((await execute(it, unused)).body).toEqual({
    error: { code: 'not_found', message: 'deployment plan not found' },
  });
  expect(await left()).toEqual([used.id, kept.id].sort());
  await it.fallDue(id);
  await it.reaches(id, 'pending');
  expect(await it.targets(id)).toHaveLength(3);
  expect(await left()).toEqual([kept.id]);
});

test('a plan that expires while a request executes it keeps its robots', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await it.robots(3);
  const plan = await planOf(it, (await it.release()).id);
  const fleet = await it.db.transaction();
  await fleet.raw('select from fleets where id = ? for update', [it.fleetId]); // the request waits for it
  await it.db.raw(`update deployment_plans set expires_at = clock_timestamp() + interval '1 second'`);
  const request = execute(it, plan, inAnHour());
  const found = async (sql: string) => (await it.db.raw<{ rows: unknown[] }>(sql)).rows.length;
  await expect.poll(() => found('select id from deployment_plans for update skip locked'), { interval: 20 }).toBe(0);
  await expect.poll(() => found('select id from deployment_plans where expires_at <= now()')).toBe(1);
  expect(await planService(it.db).dropExpired()).toBe(false);
  await fleet.rollback();
  const made = await request;
  expect(made.status).toBe(201);
  await it.fallDue(made.body.data.id);
  await it.reaches(made.body.data.id, 'pending');
  expect(await it.targets(made.body.data.id)).toHaveLength(3);
});
