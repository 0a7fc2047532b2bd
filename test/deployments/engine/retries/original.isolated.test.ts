import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { apply, rollBack, work } from '../rollbacks/support.ts';
import { cancel, newcomerOf, some, startIsolatedDeploymentWorld, type DeploymentWorld } from '../support.ts';
import { attemptsOf, failOn, retried, retry, settles, view } from './support.ts';

/** A deployment to the fleet that one robot applied and another one did not, and its retry, which failed again. */
async function failedTwice(it: DeploymentWorld) {
  const [good, bad] = some(await it.robots(2));
  await apply(it, [good, bad], { fleet: it.fleetId });
  const original = await it.deploy({ releaseId: (await it.release()).id }, { fleet: it.fleetId });
  await it.reaches(original, 'pending');
  await work(it, [good]);
  await work(it, [bad], 'failed');
  await it.reaches(original, 'failed');
  const first = await retried(it, original);
  await it.reaches(first, 'pending');
  await work(it, [bad], 'failed');
  await it.reaches(first, 'failed');
  return { original, first, bad };
}

/** A robot joined a fleet, and failed to apply what the fleet has by a rollout with these terms. */
async function failedOnNewcomer(it: DeploymentWorld, terms: object) {
  const links = await it.robots(1);
  await apply(it, links, { fleet: it.fleetId });
  const rollout = { waves: [{ percent: 100 }], ...terms };
  const releaseId = (await it.release()).id;
  const cause = await it.deploy({ releaseId }, { fleet: it.fleetId }, { rollout, allow_ungated: true });
  await it.db('robot_links').update({ asks_gates: true, keeps_windows: true });
  await it.reaches(cause, 'pending');
  await expect.poll(async () => (await work(it, links)).size).toBe(1);
  await it.reaches(cause, 'applied');
  const { newcomer, made } = await newcomerOf(it);
  await it.db('robot_links').update({ asks_gates: true, keeps_windows: true });
  await work(it, [newcomer], 'failed');
  await it.reaches(made.id, 'failed');
  return { cause, id: made.id as string };
}

test('the retry of a retry belongs to the original', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { original, first, bad } = await failedTwice(it);
  const second = await retried(it, first);
  expect((await view(it, second)).retry_of).toBe(original);
  expect((await attemptsOf(it, original)).map(({ id }) => id)).toEqual([first, second]);
  await it.reaches(second, 'pending');
  expect([...(await work(it, [bad])).keys()]).toEqual([bad.robotId]);
  await it.reaches(second, 'applied');
  await it.check();
});

test('a retry of a retry is neither sent nor created once the original was rolled back', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { original, first, bad } = await failedTwice(it);
  const second = await retried(it, first, { backoff: '1h' });
  expect((await rollBack(it, original)).status).toBe(200);
  await it.fallDue(second);
  await it.reaches(second, 'failed');
  expect((await view(it, second)).reason).toBe('no_targets');
  expect((await it.handOut([bad])).get(bad.robotId) ?? []).toEqual([]);
  expect((await retry(it, first)).status).toBe(409);
});

test('requests at the same time for the original and its retry retry the robot once', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { original, first } = await failedTwice(it);
  const answers = await Promise.all([original, first, original, first].map((id) => retry(it, id, { backoff: '1h' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
});

test('the retry for a robot that joined has the gates and windows of what its fleet has', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const gates = { max_wait: '2h' };
  const windows = { download: [{ cron: '0 0 * * *', duration: '24h' }], zone: 'UTC' };
  const { id } = await failedOnNewcomer(it, { gates, windows });
  const { rollout } = (await it
    .db('deployments')
    .where({ id: await retried(it, id) })
    .first()) as { rollout: object };
  expect(rollout).toMatchObject({ gates, windows });
});

test('what a robot that joined failed to apply is not retried once its cause was rolled back', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { cause, id } = await failedOnNewcomer(it, {});
  expect((await rollBack(it, cause)).status).toBe(200);
  const { status, body } = await retry(it, id);
  expect([status, body.error.message]).toEqual([
    ...[409, 'the deployment, its cause or one of its retries was rolled back; deploy it again instead'],
  ]);
});

test('no attempt follows once the release was archived', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  const bad = await failOn(it, links);
  await it.reaches(bad.deployment, 'failed');
  const first = await retried(it, bad.deployment, { attempts: 2 });
  await it.reaches(first, 'pending');
  await it.handOut(links);
  await it.db('releases').where({ id: bad.id }).update({ archived_at: it.db.fn.now() });
  await work(it, links, 'failed');
  await it.reaches(first, 'failed');
  await settles(it, bad.deployment, 1);
});

test('a robot that returns to its fleet does not receive again what failed on it, although a retry was cancelled', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const bad = await failOn(it, [robot]);
  await it.reaches(bad.deployment, 'failed');
  const first = await retried(it, bad.deployment);
  await it.reaches(first, 'pending');
  await cancel(it, first);
  await it.reaches(first, 'cancelled');
  const other = await it.world.call('POST', '/api/fleets', {
    headers: { 'Idempotency-Key': randomUUID() },
    body: { site_id: it.siteId, name: 'other' },
  });
  for (const fleet of [other.body.data.id, it.fleetId]) {
    const moved = await it.world.call('PATCH', `/api/robots/${robot.robotId}`, { body: { fleet_id: fleet } });
    expect(moved.status, moved.text).toBe(200);
  }
  expect(await it.db('deployments').where({ cause_id: bad.deployment })).toEqual([]);
});
