import { expect, test } from 'vitest';
import type { Knex } from 'knex';
import { only, startDeploymentWorld, type DeploymentWorld, type LinkedRobot } from './support.ts';

const soon = () => ({ scheduled_at: new Date(Date.now() + 3_600_000).toISOString() });
const label = (it: DeploymentWorld, robots: readonly LinkedRobot[], labels: object) =>
  it
    .db('robots')
    .whereIn(
      'id',
      robots.map(({ robotId }) => robotId),
    )
    .update({ labels: JSON.stringify(labels) });
const idsOf = (robots: readonly LinkedRobot[]) => robots.map(({ robotId }) => robotId).sort();
const targetIds = async (it: DeploymentWorld, id: string) => (await it.targets(id)).map((each) => each.robot_id);

test('a deployment to a selector is for the robots that match when it starts, and for none that match later', async () => {
  await using it = await startDeploymentWorld();
  const [early, late, never, retired] = (await it.robots(4)) as [LinkedRobot, LinkedRobot, LinkedRobot, LinkedRobot];
  const { id: releaseId, sha256: digest } = await it.release();
  const id = await it.deploy({ releaseId }, { selector: 'tier=canary' }, soon());
  await label(it, [early, retired], { tier: 'canary' });
  await it
    .db('robots')
    .where({ id: retired.robotId })
    .update({ retired_at: it.db.fn.now(), replaced_by: early.robotId });
  await it.fallDue(id);
  await it.reaches(id, 'pending');
  await label(it, [early], {});
  await label(it, [late], { tier: 'canary' });
  const orders = await it.handOut([early, late, never]);
  expect([orders.get(late.robotId), orders.get(never.robotId)]).toEqual([undefined, undefined]);
  await it.report(early, { orderId: only(orders, early).orderId, status: 'applied', digest });
  await it.reaches(id, 'applied');
  expect(await targetIds(it, id)).toEqual([early.robotId]);
  await it.check();
});

test('a config goes to the robots that a selector matches', async () => {
  await using it = await startDeploymentWorld();
  const [one, other] = (await it.robots(2)) as [LinkedRobot, LinkedRobot];
  await label(it, [one], { tier: 'canary' });
  const id = await it.deploy({ configId: await it.config('nav.max_speed', 1) }, { selector: '!tier' });
  await it.reaches(id, 'pending');
  expect(await targetIds(it, id)).toEqual([other.robotId]);
});

test.each([`it's "so"`, ':orgId ?? ? $1 \\? :bound1:', '{a\\b}', '🤖 é', "x'); drop table robots; --"])(
  'the value %s is only a value, of a target and of a wave',
  async (value) => {
    await using it = await startDeploymentWorld();
    const [one, other] = (await it.robots(2)) as [LinkedRobot, LinkedRobot];
    await label(it, [one], { place: value });
    const { id: releaseId } = await it.release();
    const id = await it.deploy({ releaseId }, { selector: `place=${value}` });
    await it.reaches(id, 'pending');
    expect(await targetIds(it, id)).toEqual([one.robotId]);
    // Replaces the first one, so it may begin only after the first was looked at.
    const rollout = { waves: [{ selector: `place in (${value.replaceAll(')', '')})` }] };
    const inWaves = await it.deploy({ releaseId }, { selector: '@capability' }, { rollout });
    await it.reaches(inWaves, 'pending');
    const isWhole = !value.includes(')');
    const waves: { wave: number }[] = await it.db('targets').where({ deployment_id: inWaves }).orderBy('wave');
    expect(waves.map(({ wave }) => wave)).toEqual(isWhole ? [1, 2] : [2, 2]);
    expect(await targetIds(it, inWaves)).toEqual(idsOf([one, other]));
  },
);

test('a selector that matches no robot at the start fails the deployment', async () => {
  await using it = await startDeploymentWorld();
  await it.robots(1);
  const { id: releaseId } = await it.release();
  const id = await it.deploy({ releaseId }, { selector: 'tier=canary' });
  await it.reaches(id, 'failed');
  expect(await it.story(id)).toEqual(['scheduled', 'failed no_targets']);
});

test.each(['@site!=Osaka', '@fleet notin (pickers)', '@site=Osaka'])(
  'a deployment to %s fails at the start once that has another name',
  async (selector) => {
    await using it = await startDeploymentWorld();
    await it.robots(1);
    const path = selector.startsWith('@site') ? `/api/sites/${it.siteId}` : `/api/fleets/${it.fleetId}`;
    const rename = (name: string) => it.world.call('PATCH', path, { body: { name } });
    await rename(selector.startsWith('@site') ? 'Osaka' : 'pickers');
    const { id: releaseId } = await it.release();
    const id = await it.deploy({ releaseId }, { selector }, soon());
    await rename('Kyoto');
    await it.fallDue(id);
    await it.reaches(id, 'failed');
    expect(await it.story(id)).toEqual(['scheduled', 'failed unknown_selector_name']);
    const { message } = await it.db('deployment_events').where({ deployment_id: id, status: 'failed' }).first();
    expect(message).toMatch(/^(site "Osaka"|fleet "pickers") not found$/);
  },
);

test('a rollout fails at the start if a wave names a site that has another name by then', async () => {
  await using it = await startDeploymentWorld();
  await it.robots(2);
  await it.world.call('PATCH', `/api/sites/${it.siteId}`, { body: { name: 'Osaka' } });
  const rollout = { waves: [{ name: 'canaries', selector: '@site=Osaka', count: 1 }, { percent: 100 }] };
  const { id: releaseId } = await it.release();
  const id = await it.deploy({ releaseId }, { fleet: it.fleetId }, { ...soon(), rollout });
  await it.world.call('PATCH', `/api/sites/${it.siteId}`, { body: { name: 'Kyoto' } });
  await it.fallDue(id);
  await it.reaches(id, 'failed');
  expect(await it.story(id)).toEqual(['scheduled', 'failed unknown_selector_name']);
  expect(await it.targets(id)).toEqual([]);
});

test('robots of another org do not match', async () => {
  await using it = await startDeploymentWorld();
  await using other = await startDeploymentWorld();
  const ours = await it.robots(1);
  await other.robots(1);
  const { id: releaseId } = await it.release();
  const id = await it.deploy({ releaseId }, { selector: '!tier,@fleet' });
  await it.reaches(id, 'pending');
  expect(await targetIds(it, id)).toEqual(idsOf(ours));
});

test('the waves of a rollout to a selector have selectors with all operators', async () => {
  await using it = await startDeploymentWorld();
  const [canary, old, usual, others] = (await it.robots(4)) as [LinkedRobot, LinkedRobot, LinkedRobot, LinkedRobot];
  await label(it, [canary], { tier: 'canary', hall: '1' });
  await label(it, [old, usual], { tier: 'usual', hall: '1' });
  await label(it, [others], { hall: '2' });
  const releases = JSON.stringify({ file: { tag: 'maps-6' } });
  await it.db('robot_reports').insert({ org_id: old.orgId, robot_id: old.robotId, releases });
  const { id: releaseId } = await it.release();
  const rollout = { waves: [{ selector: 'tier in (canary,spare)' }, { selector: 'tier,@release!=maps-6' }] };
  const id = await it.deploy({ releaseId }, { selector: 'hall=1' }, { rollout });
  await it.reaches(id, 'pending');
  const rows: { robot_id: string; wave: number }[] = await it.db('targets').where({ deployment_id: id });
  expect(Object.fromEntries(rows.map((row) => [row.robot_id, row.wave]))).toEqual({
    [canary.robotId]: 1,
    [usual.robotId]: 2,
    [old.robotId]: 3,
  });
  await it.check();
});

/** What the previous release does with a due deployment whose target it takes for a fleet. */
async function expandOfPreviousRelease(trx: Knex, id: string): Promise<void> {
  const due = (await trx('deployments').where({ id }).first()) as { org_id: string; target_id: string };
  const found = await trx('robots').where({ org_id: due.org_id, fleet_id: due.target_id }).whereNull('retired_at');
  expect(found).toEqual([]);
  await trx.raw(
    `update deployments set status = 'failed', reason = 'no_targets', ended_at = clock_timestamp() where id = ?`,
    [id],
  );
}

test('a replica of the previous release can neither fail nor begin a deployment to a selector', async () => {
  await using it = await startDeploymentWorld();
  const [robot] = (await it.robots(1)) as [LinkedRobot];
  const { id: releaseId } = await it.release();
  const id = await it.deploy({ releaseId }, { selector: '!tier' }, soon());
  await expect(it.db.transaction((trx) => expandOfPreviousRelease(trx, id))).rejects.toThrow('deployments_matched');
  await expect(
    it.db.raw(
      `update deployments set status = 'pending', started_at = clock_timestamp(), rank = nextval('deployment_rank'), is_superseding = true,
              open_wave = case when rollout is not null then 0 end where id = ?`,
      [id],
    ),
  ).rejects.toThrow('deployments_matched');
  await it.fallDue(id);
  await it.reaches(id, 'pending');
  expect(await targetIds(it, id)).toEqual([robot.robotId]);
});

test('a deployment to a selector can be paused and cancelled before it starts', async () => {
  await using it = await startDeploymentWorld();
  const { id: releaseId } = await it.release();
  const id = await it.deploy({ releaseId }, { selector: '!tier' }, soon());
  for (const [what, status] of [
    ['pause', 'paused'],
    ['resume', 'scheduled'],
    ['cancel', 'cancelled'],
  ] as const) {
    await it.world.call('POST', `/api/deployments/${id}/${what}`, { body: what === 'cancel' ? undefined : {} });
    await it.reaches(id, status);
  }
});
