import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../../../support/factories.ts';
import { work } from '../rollbacks/support.ts';
import { startDeploymentWorld, type DeploymentWorld, type LinkedRobot } from '../support.ts';
import { execute, planOf, type Plan } from './support.ts';

const usual = { kind: 'default', robots: 0, median_seconds: 120, p90_seconds: 600 };
const read = async (it: DeploymentWorld, { id }: Plan, token?: string): Promise<Plan> =>
  (await it.world.call('GET', `/api/deployment-plans/${id}`, { token })).body.data;

/** Robots apply a release, each after so many seconds. */
async function applyIn(it: DeploymentWorld, robots: LinkedRobot[], seconds: readonly number[], more: object = {}) {
  const id = await it.deploy({ releaseId: (await it.release()).id }, { fleet: it.fleetId }, more);
  await it.reaches(id, 'pending');
  await work(it, robots);
  await it.reaches(id, 'applied');
  for (const [index, { robotId }] of robots.entries())
    await it.db.raw(
      'update targets set dispatched_at = updated_at - make_interval(secs => ?) where deployment_id = ? and robot_id = ?',
      [seconds[index] ?? 0, id, robotId],
    );
}

test('a plan says when its waves would begin and end, by what robots took for the last releases of its kind', async () => {
  await using it = await startDeploymentWorld();
  const robots = await it.robots(5);
  const rollout = { waves: [{ count: 2 }], advance: { soak: '10m' } };
  const before = await planOf(it, (await it.release()).id, { rollout });
  expect(before.forecast?.basis).toEqual(usual);
  await applyIn(it, robots, [10, 20, 30, 40, 200]);
  const plan = await planOf(it, (await it.release()).id, { rollout });
  expect(plan.forecast?.basis).toEqual({ kind: 'measured', robots: 5, median_seconds: 30, p90_seconds: 136 });
  const [first, second] = plan.waves.map(({ forecast = {} }) => forecast);
  const [start, end] = [Date.parse(first?.starts_at ?? ''), Date.parse(first?.ends_at ?? '')];
  expect(Math.abs(start - Date.now())).toBeLessThan(60_000);
  expect(end - start).toBe(136_000);
  expect(Date.parse(second?.starts_at ?? '') - end).toBe(600_000);
  expect(plan.forecast).toMatchObject({ starts_at: first?.starts_at, ends_at: second?.ends_at, duration_seconds: 872 });
});

test('releases of another kind, of another org, and those with windows say nothing', async () => {
  await using it = await startDeploymentWorld();
  const robots = await it.robots(1);
  await it.db.raw('update robot_links set keeps_windows = true where robot_id = ?', [robots[0]?.robotId ?? '']);
  const windows = { activate: [{ cron: '* * * * *', duration: '1h' }] };
  await applyIn(it, robots, [10], { rollout: { waves: [{ count: 1 }], windows } });
  const release = await it.release();
  expect((await planOf(it, release.id)).forecast?.basis).toEqual(usual);
  await applyIn(it, robots, [10]);
  expect((await planOf(it, release.id)).forecast?.basis).toMatchObject({ kind: 'measured', robots: 1 });
  expect((await planOf(it, (await it.release('dir')).id)).forecast?.basis).toEqual(usual);
  const { token } = await factories(it.world).org();
  const call = async (method: string, path: string, body: object) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    return (await it.world.call(method, path, { token, body, headers })).body.data;
  };
  const site = await call('POST', '/api/sites', { name: 'Osaka' });
  const place = { site_id: site.id, fleet_id: (await call('POST', '/api/fleets', { site_id: site.id, name: 'f' })).id };
  const key = await call('POST', '/api/enrollment-keys', place);
  await it.world.call('POST', '/agent/enroll', { token: key.value, body: {} });
  const theirs = await call('POST', '/api/releases', {
    tag: 'r',
    kind: 'file',
    artifact_sha256: 'a'.repeat(64),
    artifact_size: 3,
  });
  const target = { target_kind: 'fleet', target_id: place.fleet_id };
  const plan = await call('POST', '/api/deployment-plans', { kind: 'release', release_id: theirs.id, ...target });
  expect(plan.forecast).toEqual({ reason: 'robots_offline', basis: usual });
});

test('a plan has the same hash whatever its forecast, and no forecast once its deployment has begun', async () => {
  await using it = await startDeploymentWorld();
  const robots = await it.robots(2);
  const { id: releaseId } = await it.release();
  const first = await planOf(it, releaseId);
  await applyIn(it, robots, [10, 10]);
  const plan = await planOf(it, releaseId);
  expect(plan.forecast?.basis).not.toEqual(first.forecast?.basis);
  expect(plan.hash).toBe(first.hash);
  const { id } = (await execute(it, plan)).body.data;
  await it.reaches(id, 'pending');
  const begun = await read(it, plan);
  expect([begun.forecast, begun.waves[0]?.forecast]).toEqual([undefined, undefined]);
});

test('a forecast begins after an approval, a freeze or older deployments, which say when no time is known', async () => {
  await using it = await startDeploymentWorld();
  await it.robots(2);
  const { id: releaseId } = await it.release();
  const waves = [{ count: 1 }];
  const reason = async (rollout: object) =>
    (await planOf(it, releaseId, { rollout: { waves, ...rollout } })).forecast?.reason;
  expect(await reason({ approval: {} })).toBe('approval');
  const plan = await planOf(it, releaseId, { rollout: { waves, approval: {} } });
  await execute(it, plan);
  expect((await read(it, plan)).waves[0]?.forecast).toEqual({ reason: 'approval', duration_seconds: 120 });
  expect(await reason({ supersede: 'finish' })).toBeUndefined();
  await it.reaches(await it.deploy({ releaseId }, { fleet: it.fleetId }), 'pending');
  expect(await reason({ supersede: 'finish' })).toBe('deployment');
  await it.world.call('PUT', '/api/deployment-freeze', { body: { reason: 'robots stop' } });
  expect(await reason({})).toBe('frozen');
});

test('a window in the zone of the robots opens when it does for them', async () => {
  await using it = await startDeploymentWorld();
  await it.robots(1);
  await it.db.raw(`update robot_links set timezone = 'Asia/Tokyo', keeps_windows = true where org_id = ?`, [
    it.world.orgId,
  ]);
  const hour = (new Date().getUTCHours() + 9 + 2) % 24; // in Tokyo, in one to two hours
  const windows = { activate: [{ cron: `0 ${hour} * * *`, duration: '1h' }], zone: 'robot' };
  const { forecast } = await planOf(it, (await it.release()).id, { rollout: { waves: [{ count: 1 }], windows } });
  const start = new Date(forecast?.starts_at ?? '');
  expect((start.getUTCHours() + 9) % 24).toBe(hour);
  expect(start.getTime() - Date.now()).toBeLessThan(2 * 3_600_000);
});
