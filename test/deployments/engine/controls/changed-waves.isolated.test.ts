import { expect, test } from 'vitest';
import { changeWaves } from '../../../../src/deployments/engine/controls/change-waves.ts';
import { requestAdvance } from '../../../../src/deployments/engine/controls/advance.ts';
import { startApprovals } from '../approvals/support.ts';
import { cancel, some, startIsolatedDeploymentWorld, type DeploymentWorld } from '../support.ts';
import { apply, control, eventsOf, reachesWave, refusal, robotsIn, started, view, wavesOf } from './support.ts';

const change = (it: DeploymentWorld, id: string, from: number, waves: object[], reason?: string) =>
  it.world.call('PUT', `/api/deployments/${id}/waves`, { body: { from, waves, reason } });

test('waves that have not begun are replaced, and robots receive the deployment in the new ones', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 4 }, { count: 1 }] }, 10);
  const { id } = rollout;
  const changed = await change(it, id, 2, [{ percent: 30 }, { name: 'half', count: 2 }], 'slower');
  expect(changed.body.data.rollout).toMatchObject({
    wave: 1,
    waves: [
      { number: 1, count: 4, counts: { total: 4 } },
      { number: 2, percent: 30, counts: { total: 3, waiting: 3 } }, // of all robots, not of those that are left
      { number: 3, name: 'half', counts: { total: 2, waiting: 2 } },
      { number: 4, counts: { total: 1, waiting: 1 } },
    ],
  });
  await it.check();
  for (const [index, size] of [4, 3, 2, 1].entries()) {
    await reachesWave(it, id, index + 1);
    expect(await apply(it, rollout)).toHaveLength(size);
  }
  await it.reaches(id, 'applied');
  expect(await eventsOf(it, id, 'waves_changed')).toEqual([
    'wave 2: 3 robots, wave 3: 2 robots, wave 4: 1 robot: slower',
  ]);
  expect((await it.world.call('GET', '/api/audit?operation=setDeploymentWaves')).body.items).toMatchObject([
    { object_id: id, before: { rollout: { waves: [{}, { count: 1 }, {}] } }, after: { reason: 'slower' } },
  ]);
  await it.check();
});

test('a robot moves into an earlier wave, by the label that it got meanwhile', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }, { count: 1 }] }, 5);
  const [late] = some(await robotsIn(it, rollout, 3));
  await it.world.call('PATCH', `/api/robots/${late.robotId}`, { body: { labels: { tier: 'canary' } } });
  await change(it, rollout.id, 2, [{ selector: 'tier=canary' }]);
  expect(await robotsIn(it, rollout, 2)).toEqual([late]);
  expect(await wavesOf(it, rollout.id)).toEqual(['1 waiting', '1 waiting', '3 waiting']);
  await apply(it, rollout);
  await reachesWave(it, rollout.id, 2);
  expect(await apply(it, rollout)).toEqual([late]);
  await it.check();
});

test('without new waves, all other robots are the last wave; more waves may follow than before', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }, { count: 1 }, { count: 1 }] });
  await change(it, rollout.id, 2, []);
  expect(await wavesOf(it, rollout.id)).toEqual(['1 waiting', '5 waiting']);
  await it.check();
  await change(it, rollout.id, 2, [{ count: 1 }, { count: 1 }, { count: 1 }, { count: 1 }]);
  expect(await wavesOf(it, rollout.id)).toHaveLength(6);
  await it.check();
});

test('robots that were removed before their wave keep the counts right', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }, { count: 1 }, { count: 1 }] });
  const [gone] = some(await robotsIn(it, rollout, 4));
  await it.world.call('DELETE', `/api/robots/${gone.robotId}`);
  await expect.poll(async () => (await it.target(rollout.id, gone))?.status).toBe('cancelled');
  await change(it, rollout.id, 2, []);
  expect(await wavesOf(it, rollout.id)).toEqual(['1 waiting', '1 cancelled, 4 waiting']);
  await it.check();
});

test('a paused rollout is changed and continues with the new waves', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 2 }], advance: { then: 'pause' } });
  await apply(it, rollout);
  await it.reaches(rollout.id, 'paused');
  expect((await change(it, rollout.id, 2, [{ count: 1 }])).status).toBe(200);
  expect((await it.handOut(rollout.links)).size).toBe(0);
  await control(it, rollout.id, 'resume');
  await reachesWave(it, rollout.id, 2);
  expect(await apply(it, rollout)).toHaveLength(1);
  await it.check();
});

test('waves that a new deployment could not have are refused with the same words', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id } = await started(it, { waves: [{ percent: 50 }, { count: 1 }] });
  const refused = async (from: number, waves: object[]) => refusal(await change(it, id, from, waves));
  expect(await refused(2, [{ percent: 60 }])).toEqual([
    400,
    'body.waves: the percentages add up to 110 %, more than all robots',
  ]);
  expect(await refused(2, [{ name: 'nobody' }])).toEqual([400, 'body.waves.0: needs selector, percent or count']);
  expect(await refused(2, [{ percent: 1, count: 1 }])).toEqual([
    400,
    'body.waves.0: percent and count exclude each other',
  ]);
  expect((await refused(2, [{ selector: '@site=nowhere' }]))[1]).toContain('body.waves.0.selector');
  expect(
    await refused(
      2,
      Array.from({ length: 20 }, () => ({ count: 1 })),
    ),
  ).toEqual([400, 'body.waves: the rollout would have 21 waves, and can have 20']);
  expect(await refused(4, [])).toEqual([400, 'body.from: the rollout has 3 waves']);
  expect((await view(it, id)).rollout.waves).toMatchObject([{ percent: 50 }, { count: 1 }, {}]);
});

test('waves that have begun or were skipped stay, as do those that people approved, and those of an ended deployment', async () => {
  await using it = await startApprovals();
  const [ana, { id }] = [
    await it.person('ana'),
    await started(it, { waves: [{ count: 1 }, { count: 1 }, { count: 1 }] }),
  ];
  await control(it, id, 'skip', { wave: 3 });
  expect(refusal(await change(it, id, 2, []))).toEqual([409, 'wave 3 was skipped; change the waves from 4 on']);
  await control(it, id, 'advance');
  await reachesWave(it, id, 2);
  expect(refusal(await change(it, id, 2, []))).toEqual([409, 'wave 2 has begun; change the waves from 3 on']);
  await control(it, id, 'advance');
  await reachesWave(it, id, 4);
  expect(refusal(await change(it, id, 4, []))).toEqual([409, 'the last wave has begun']);
  await cancel(it, id);
  expect((await change(it, id, 4, [])).status).toBe(409);

  const approved = await it.order({ approval: {} });
  expect(refusal(await change(it, approved, 2, []))).toEqual([409, 'the deployment has not begun']);
  await it.decide(approved, ana);
  await reachesWave(it, approved, 1);
  expect(refusal(await change(it, approved, 2, []))).toEqual([
    409,
    'people approved the rollout with its waves; skip a wave, or cancel the deployment and create another',
  ]);
});

test('two changes and an advance at the same moment leave waves of one of the changes, and each robot in one of them', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = await started(it, { waves: [{ count: 1 }, { count: 1 }, { count: 1 }] }, 12);
  const key = { orgId: it.world.orgId, deploymentId: rollout.id, reason: undefined };
  for (let round = 0; round < 5; round += 1)
    await Promise.all(
      [3, 4].map((count) =>
        it.db.transaction((trx) => changeWaves(trx, { ...key, from: 3, waves: [{ count }, { count }] })),
      ),
    );
  expect([
    ['1 waiting', '1 waiting', '3 waiting', '3 waiting', '4 waiting'],
    ['1 waiting', '1 waiting', '4 waiting', '4 waiting', '2 waiting'],
  ]).toContainEqual(await wavesOf(it, rollout.id));
  await it.check();
  await Promise.all([
    it.db.transaction((trx) => requestAdvance(trx, key)),
    it.db.transaction((trx) => changeWaves(trx, { ...key, from: 2, waves: [{ count: 5 }] })),
  ]);
  await reachesWave(it, rollout.id, 2);
  await it.check();
});

test('config entries are rolled out in changed waves too', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await it.robots(3);
  const configId = await it.config('speed', 2);
  const id = await it.deploy({ configId }, { fleet: it.fleetId }, { rollout: { waves: [{ count: 1 }] } });
  await it.reaches(id, 'pending');
  const path = `/api/configs/deployments/${id}`;
  const changed = await it.world.call('PUT', `${path}/waves`, { body: { from: 2, waves: [{ count: 1 }] } });
  expect(changed.body.data.rollout.waves).toHaveLength(3);
  const skipped = await it.world.call('POST', `${path}/skip`, { body: { wave: 2 } });
  expect(skipped.body.data.rollout.waves[1]).toHaveProperty('skipped_at');
});
