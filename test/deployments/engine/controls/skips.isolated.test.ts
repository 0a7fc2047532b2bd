import { expect, test } from 'vitest';
import { releaseTargets } from '../../../../src/deployments/engine/admission/release-targets.ts';
import { requestAdvance } from '../../../../src/deployments/engine/controls/advance.ts';
import { requestSkip } from '../../../../src/deployments/engine/controls/skip.ts';
import { startWave } from '../../../../src/deployments/engine/rollouts/start-wave.ts';
import { awaits, startApprovals } from '../approvals/support.ts';
import { cancel, only, some, startIsolatedDeploymentWorld, type DeploymentWorld } from '../support.ts';
import { apply, control, eventsOf, reachesWave, refusal, robotsIn, started, view, wavesOf } from './support.ts';

const skip = (it: DeploymentWorld, id: string, wave: number, reason?: string) =>
  control(it, id, 'skip', { wave, ...(reason !== undefined && { reason }) });

test('the current wave is skipped: who waits does not receive it, who works finishes it, and the next one begins', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 3 }, { count: 1 }] });
  const { id, digest } = rollout;
  const [busy, ...waiting] = await robotsIn(it, rollout, 1);
  if (!busy) throw new Error('no robot is in the wave');
  const order = only(await it.handOut([busy]), busy);
  const skipped = await skip(it, id, 1, 'two are in repair');
  expect(skipped.body.data.rollout.waves[0]).toMatchObject({
    skipped_at: expect.any(String),
    ended_at: expect.any(String),
  });
  expect((await it.handOut(waiting)).size).toBe(0);
  await reachesWave(it, id, 2);
  await expect.poll(() => wavesOf(it, id)).toEqual(['2 cancelled, 1 dispatched', '1 waiting', '2 waiting']);
  for (const robot of waiting)
    expect(await it.target(id, robot)).toMatchObject({ status: 'cancelled', reason: 'wave_skipped' });
  expect(await eventsOf(it, id, 'wave_skipped')).toEqual(['wave 1 of 3: 2 robots: two are in repair']);
  expect((await it.world.call('GET', '/api/audit?operation=skipDeploymentWave')).body.items).toMatchObject([
    { object_id: id, after: { reason: 'two are in repair', rollout: { waves: [{ number: 1 }, {}, {}] } } },
  ]);

  await it.report(busy, { orderId: order.orderId, status: 'applied', digest });
  await apply(it, rollout);
  await reachesWave(it, id, 3);
  await apply(it, rollout);
  await it.reaches(id, 'applied');
  expect(await it.counts(id)).toMatchObject({ applied: 4, cancelled: 2 });
  await it.check();
});

test('a wave that nobody has received yet is skipped as a whole', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 3 }, { count: 1 }] });
  await skip(it, rollout.id, 1);
  await reachesWave(it, rollout.id, 2);
  await expect.poll(() => wavesOf(it, rollout.id)).toEqual(['3 cancelled', '1 waiting', '2 waiting']);
  await it.check();
});

test('waves that have not begun are passed over, and never begin', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }, { count: 2 }, { count: 1 }] });
  const { id } = rollout;
  await skip(it, id, 2);
  await skip(it, id, 3);
  await expect.poll(() => wavesOf(it, id)).toEqual(['1 waiting', '2 cancelled', '1 cancelled', '2 waiting']);
  expect((await view(it, id)).rollout.wave).toBe(1);
  await apply(it, rollout);
  await reachesWave(it, id, 4);
  expect((await view(it, id)).rollout.waves[1]).not.toHaveProperty('started_at');
  expect(await apply(it, rollout)).toHaveLength(2);
  await it.reaches(id, 'applied');
  expect(await eventsOf(it, id, 'wave_started')).toEqual(['wave 1 of 4: 1 robot', 'wave 4 of 4: 2 robots']);
  await it.check();
});

test('repeating a skip changes nothing; the last wave, one that has ended and unknown ones are refused', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }, { count: 1 }] });
  const { id } = rollout;
  await skip(it, id, 2);
  const again = await skip(it, id, 2, 'again');
  expect([again.status, await eventsOf(it, id, 'wave_skipped')]).toEqual([200, ['wave 2 of 3: 1 robot']]);
  expect((await it.world.call('GET', '/api/audit?operation=skipDeploymentWave')).body.items).toHaveLength(1);
  expect(refusal(await skip(it, id, 3))).toEqual([
    409,
    'the last wave cannot be skipped; cancel the deployment instead',
  ]);
  expect(refusal(await skip(it, id, 4))).toEqual([400, 'body.wave: the rollout has 3 waves']);
  await apply(it, rollout);
  await reachesWave(it, id, 3);
  expect(refusal(await skip(it, id, 1))).toEqual([409, 'wave 1 has ended']);
  await cancel(it, id);
  expect((await skip(it, id, 3)).status).toBe(409);

  const { id: releaseId } = await it.release();
  const at = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
  const later = await it.deploy({ releaseId }, { fleet: it.fleetId }, { ...at, rollout: { waves: [{ count: 1 }] } });
  expect(refusal(await skip(it, later, 1))).toEqual([409, 'the deployment has not begun']);
  const plain = await it.deploy({ releaseId }, { fleet: it.fleetId });
  expect(refusal(await skip(it, plain, 1))).toEqual([
    409,
    'the deployment has no rollout: all robots receive it at once',
  ]);
});

test('a paused rollout, and one that a freeze holds, continue after the skipped wave', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }, { count: 1 }] });
  const { id } = rollout;
  await control(it, id, 'pause');
  expect((await skip(it, id, 1)).status).toBe(200);
  await expect.poll(() => wavesOf(it, id)).toEqual(['1 cancelled', '1 waiting', '4 waiting']);
  expect(await view(it, id)).toMatchObject({ status: 'paused', rollout: { wave: 1 } });
  await control(it, id, 'resume');
  await reachesWave(it, id, 2);
  await it.world.call('PUT', '/api/deployment-freeze', { body: { reason: 'robots stop' } });
  expect((await skip(it, id, 2)).status).toBe(200);
  expect((await it.handOut(rollout.links)).size).toBe(0);
  await it.world.call('DELETE', '/api/deployment-freeze');
  await reachesWave(it, id, 3);
  expect(await apply(it, rollout)).toHaveLength(4);
  await it.reaches(id, 'applied');
  await it.check();
});

test('a wave after a skipped one still needs its approval, and approvals of the skipped one are not taken for it', async () => {
  await using it = await startApprovals();
  const [ana, bob] = [await it.person('ana'), await it.person('bob')];
  const rollout = {
    waves: [{ count: 1 }, { count: 1 }, { count: 1 }],
    approval: { people: 2 },
    advance: { then: 'approval' },
  };
  const id = await it.order(rollout);
  for (const each of [ana, bob]) await it.decide(id, each);
  await reachesWave(it, id, 1);
  await skip(it, id, 1);
  await awaits(it, id, 2);
  await it.decide(id, ana, { wave: 2 });
  await skip(it, id, 2);
  expect(await it.view(id)).toMatchObject({ status: 'paused', approval: { wave: 3, approved_by: [] } });
  for (const each of [ana, bob]) expect((await it.decide(id, each, { wave: 3 })).status).toBe(200);
  await reachesWave(it, id, 3);
  await it.check();
});

test('a skip and an advance of the same wave at the same moment begin the next one, once', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }, { count: 1 }] });
  const key = { orgId: it.world.orgId, deploymentId: rollout.id, reason: undefined };
  await Promise.all([
    it.db.transaction((trx) => requestAdvance(trx, key)),
    it.db.transaction((trx) => requestSkip(trx, { ...key, wave: 1 })),
    it.db.transaction((trx) => requestSkip(trx, { ...key, wave: 1 })),
  ]);
  await reachesWave(it, rollout.id, 2);
  await apply(it, rollout);
  await reachesWave(it, rollout.id, 3);
  expect(await eventsOf(it, rollout.id, 'wave_started')).toHaveLength(3);
  await it.check();
});

test('a robot of a skipped wave that leaves its fleet and returns does not receive the deployment', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }] }, 2);
  const [robot] = some(await robotsIn(it, rollout, 1));
  await skip(it, rollout.id, 1);
  await expect.poll(() => wavesOf(it, rollout.id)).toEqual(['1 cancelled', '1 waiting']);
  const fleet = await it.world.call('POST', '/api/fleets', { body: { name: 'others', site_id: it.siteId } });
  for (const fleetId of [fleet.body.data.id, it.fleetId])
    await it.world.call('PATCH', `/api/robots/${robot.robotId}`, { body: { fleet_id: fleetId } });
  expect((await it.world.call('GET', `/api/deployments?target_id=${robot.robotId}`)).body.items).toEqual([]);
});

test('a robot that returns its order after the skip does not get it again', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }] }, 2);
  const [robot] = some(await robotsIn(it, rollout, 1));
  const { orderId } = only(await it.handOut([robot]), robot);
  await skip(it, rollout.id, 1);
  await it.report(robot, { orderId, status: 'cancelled', reason: 'window_ended' });
  await expect.poll(() => wavesOf(it, rollout.id)).toEqual(['1 cancelled', '1 waiting']);
  await it.check();
});

test('a replica of the previous release that begins a skipped wave, or admits its robots, sends them nothing', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }, { count: 2 }] });
  const { id, links } = rollout;
  const key = { orgId: it.world.orgId, deploymentId: id };
  await it.db.transaction(async (trx) => {
    await requestSkip(trx, { ...key, wave: 2, reason: undefined });
    await startWave(trx, { ...key, status: 'pending', wave: 2, lastWave: 3, isGradual: false });
    await releaseTargets(trx, key, 'o.wave <= 2', {});
    expect(await trx('open_targets').where({ deployment_id: id })).toHaveLength(1);
  });
  expect([...(await it.handOut(links)).keys()]).toEqual((await robotsIn(it, rollout, 1)).map(({ robotId }) => robotId));
  await expect.poll(() => wavesOf(it, id)).toEqual(['1 dispatched', '2 cancelled', '3 waiting']);
  await reachesWave(it, id, 3);
  await it.check();
});
