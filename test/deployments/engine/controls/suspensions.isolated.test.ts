import { expect, test } from 'vitest';
import { expiryDays } from '../../../../src/deployments/engine/model.ts';
import { followSuspension } from '../../../../src/deployments/engine/controls/suspension.ts';
import { startIsolatedDeploymentWorld, type DeploymentWorld } from '../support.ts';

const asAdmin = (it: DeploymentWorld, move: 'suspend' | 'resume') =>
  it.world.call('POST', `/api/admin/orgs/${it.world.orgId}/${move}`, { token: it.world.adminToken });
const freezeOf = async (it: DeploymentWorld) => (await it.world.call('GET', '/api/deployment-freeze')).body.data;
const thawsAt = async (it: DeploymentWorld) =>
  (await it.world.db('deployment_freezes').pluck<unknown[]>('thaws_at'))[0];
/** What the worker does within a second. */
const follow = (it: DeploymentWorld) => it.world.db.transaction((trx) => followSuspension(trx, it.world.orgId));
/** Suspends and resumes the org, each until it has its effect. */
async function suspendAndResume(it: DeploymentWorld): Promise<void> {
  for (const move of ['suspend', 'resume'] as const) {
    expect((await asAdmin(it, move)).status).toBe(200);
    await follow(it);
  }
}
/** As if the robots had had their three minutes. */
const robotsAreBack = (it: DeploymentWorld) =>
  it.world.db('deployment_freezes').update({ thaws_at: it.world.db.raw('clock_timestamp()') });

async function started(it: DeploymentWorld) {
  const [robot] = await it.robots(1);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  return { robot, id };
}

test('the deployments of a suspended org are frozen, get their time back, and continue when its robots had time to return', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id } = await started(it);
  expect((await asAdmin(it, 'suspend')).status).toBe(200);
  await it.reaches(id, 'paused');
  expect(await it.world.db('deployments').where({ id }).first('status', 'pause_code', 'pause_reason')).toEqual({
    status: 'paused',
    pause_code: 'frozen',
    pause_reason: 'the org is suspended',
  });
  // As if two days passed.
  await it.world
    .db('deployments')
    .where({ id })
    .update({ paused_at: it.world.db.raw("paused_at - interval '2 days'") });

  expect((await asAdmin(it, 'resume')).status).toBe(200);
  const left = async () => {
    const found = it.world.db('deployment_freezes').whereRaw("thaws_at < 'infinity'");
    const [row] = await found.select(it.world.db.raw('extract(epoch from thaws_at - now())::float as seconds'));
    return row?.seconds as number | undefined;
  };
  await expect.poll(left).toBeGreaterThan(60);
  expect(await left()).toBeLessThanOrEqual(180);
  const frozen = await freezeOf(it);
  expect(frozen).toMatchObject({ frozen: true, frozen_by: 'the service', reason: 'the org is suspended', held: 1 });
  expect((await it.deployment(id)).status).toBe('paused');

  await robotsAreBack(it);
  await it.reaches(id, 'pending');
  expect(await freezeOf(it)).toMatchObject({ frozen: false, held: 0 });
  const [{ days }] = await it.world
    .db('deployments')
    .where({ id })
    .select(it.world.db.raw('extract(epoch from waiting_until - started_at)::float / 86400 as days'));
  expect(days).toBeCloseTo(expiryDays + 2, 1);
  await it.check();
});

test('a freeze of people outlives the suspension, and a person may end or take over the freeze of a suspension', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id } = await started(it);
  const freeze = () => it.world.call('PUT', '/api/deployment-freeze', { body: { reason: 'robots stop' } });
  await freeze();
  const { frozen_by: person } = await freezeOf(it);
  await suspendAndResume(it);
  expect(await freezeOf(it)).toMatchObject({ frozen: true, frozen_by: person, reason: 'robots stop' });
  expect(await thawsAt(it)).toBeNull();
  await it.world.call('DELETE', '/api/deployment-freeze');
  await it.reaches(id, 'pending');

  await suspendAndResume(it);
  expect(await freezeOf(it)).toMatchObject({ frozen: true, frozen_by: 'the service' });
  await it.world.call('DELETE', '/api/deployment-freeze?reason=checked');
  await it.reaches(id, 'pending');

  await suspendAndResume(it);
  await suspendAndResume(it);
  await freeze();
  expect(await freezeOf(it)).toMatchObject({ frozen: true, frozen_by: person, reason: 'robots stop' });
  expect(await thawsAt(it)).toBeNull();
  expect((await it.deployment(id)).status).toBe('paused');
});
