import { expect, test } from 'vitest';
import { newcomerOf, only, startDeploymentWorld, type DeploymentWorld, type LinkedRobot } from '../support.ts';
import { execute, inAnHour, label, planOf, robotsOf, targetWaves, wavesOf } from './support.ts';

const rollout = { waves: [{ name: 'canaries', selector: 'tier=canary' }, { percent: 50 }] };

/** A fleet of robots, of which the first is a canary, and a release. */
async function startPlans(count = 4) {
  const it = await startDeploymentWorld();
  const links = (await it.robots(count)) as [LinkedRobot, LinkedRobot, ...LinkedRobot[]];
  await label(it, links.slice(0, 1), { tier: 'canary' });
  const release = await it.release();
  return { ...it, links, wanted: release };
}

const offline = (it: DeploymentWorld, { robotId }: LinkedRobot) =>
  it
    .db('robot_links')
    .where({ robot_id: robotId })
    .update({ replica_id: null, last_seen_at: it.db.raw("now() - interval '1 hour'") });

const refusal = (message: string) => ({
  error: { code: 'conflict', message: `the plan no longer holds: ${message}; plan again` },
});

test('a plan has the waves of the rollout, with the robots that are online', async () => {
  await using it = await startPlans();
  const { links, wanted: release } = it;
  await offline(it, links[1]);
  const plan = await planOf(it, release.id, { rollout });
  expect(plan.waves).toMatchObject([
    { number: 1, name: 'canaries', robots: 1, online: 1 },
    { number: 2, robots: 2, online: 2 },
    { number: 3, robots: 1, online: 0 },
  ]);
  expect(plan.counts).toEqual({ robots: 4, online: 3, current: 0, conflicts: 0, skipped: 0, downgrades: 0 });
  expect(await it.db('deployments').where({ org_id: it.world.orgId })).toEqual([]);
});

test('the robots of a plan are listed by ID, page by page and by wave', async () => {
  await using it = await startPlans();
  const { links, wanted: release } = it;
  const plan = await planOf(it, release.id, { rollout });
  const all = await robotsOf(it, plan);
  expect(all.map(({ robot_id: id }) => id)).toEqual(links.map(({ robotId }) => robotId).sort());
  expect(await robotsOf(it, plan, '?wave=1')).toEqual([{ robot_id: links[0].robotId, wave: 1, online: true }]);
  const first = (await it.world.call('GET', `/api/deployment-plans/${plan.id}/robots?limit=3`)).body;
  const rest = await robotsOf(it, plan, `?limit=3&cursor=${first.next_cursor as string}`);
  expect([...first.items, ...rest]).toEqual(all);
});

test('a plan shows what its robots run, and what else they are to get', async () => {
  await using it = await startPlans();
  const { links, wanted: release } = it;
  const earlier = await it.release();
  const [one, two] = links;
  for (const [{ id, sha256: digest }, robot] of [
    [release, one],
    [earlier, two],
  ] as const) {
    const deployed = await it.deploy({ releaseId: id }, { robot: robot.robotId });
    await it.reaches(deployed, 'pending');
    const { orderId } = only(await it.handOut([robot]), robot);
    await it.report(robot, { orderId, status: 'applied', digest });
    await it.reaches(deployed, 'applied');
  }
  // Of another lane, which is no conflict.
  await it.deploy({ releaseId: (await it.release('other')).id }, { fleet: it.fleetId });
  const open = await it.deploy({ releaseId: earlier.id }, { fleet: it.fleetId }, { rollout });
  await it.reaches(open, 'pending');
  const newest = await it.deploy({ releaseId: earlier.id }, { robot: one.robotId });
  await it.reaches(newest, 'pending');

  const plan = await planOf(it, release.id);
  expect(plan.counts).toMatchObject({ robots: 4, current: 1, conflicts: 4 });
  expect(plan.conflicts).toEqual([
    { deployment_id: open, status: 'pending', robots: 3, supersede: 'replace' },
    { deployment_id: newest, status: 'pending', robots: 1, supersede: 'replace' },
  ]);
  const robots = await robotsOf(it, plan);
  expect(robots.find((each) => each.robot_id === one.robotId)).toEqual({
    robot_id: one.robotId,
    wave: 1,
    online: true,
    conflict: newest,
    current: { release_id: release.id, tag: 'r1' },
  });
  expect(robots.find((each) => each.robot_id === two.robotId)).toMatchObject({
    conflict: open,
    current: { release_id: earlier.id, tag: 'r2' },
  });
});

test('a plan of a config shows the revisions of its robots', async () => {
  await using it = await startPlans();
  const { links } = it;
  const configId = await it.config('nav.max_speed', 1);
  const [robot] = links;
  const deployed = await it.deploy({ configId }, { robot: robot.robotId });
  await it.reaches(deployed, 'pending');
  const { orderId, digest } = only(await it.handOut([robot]), robot);
  await it.report(robot, { orderId, status: 'applied', digest });
  await it.reaches(deployed, 'applied');
  await it.config('nav.max_speed', 2);
  const answer = await it.world.call('POST', '/api/deployment-plans', {
    body: { kind: 'config', config_id: configId, target_kind: 'selector', target_selector: 'tier' },
  });
  const plan = answer.body.data;
  const of = { kind: 'config', config_id: configId, revision: 2, namespace: 'default', key: 'nav.max_speed' };
  expect(plan).toMatchObject({ ...of, target_selector: 'tier', counts: { robots: 1, current: 0 } });
  expect(await robotsOf(it, plan)).toEqual([
    { robot_id: robot.robotId, wave: 1, online: true, current: { revision: 1 } },
  ]);
  await it.config('nav.max_speed', 3);
  const made = await execute(it, plan, {}, '/api/configs/deployments');
  expect(made.body.data).toMatchObject({ revision: 2, plan_id: plan.id, target_selector: 'tier' });
  await it.reaches(made.body.data.id, 'pending');
  expect(await targetWaves(it, made.body.data.id)).toEqual({ [robot.robotId]: 1 });
});

test('plans of the same robots in the same waves have the same hash, and others another one', async () => {
  await using it = await startPlans();
  const { links, wanted: release } = it;
  const plan = await planOf(it, release.id, { rollout });
  const { id, hash } = await planOf(it, release.id, { rollout: { abort: [], ...rollout } });
  expect(hash).toBe(plan.hash);
  expect(id).not.toBe(plan.id);
  const others = [
    await planOf(it, release.id),
    await planOf(it, release.id, { rollout: { ...rollout, advance: { soak: '1h' } } }),
    await planOf(it, (await it.release()).id),
  ];
  await label(it, links.slice(0, 2), { tier: 'canary' });
  others.push(await planOf(it, release.id, { rollout }));
  expect(new Set([plan, ...others].map((each) => each.hash)).size).toBe(5);
});

test('a deployment with a plan has its robots and waves, although robots went offline and came back', async () => {
  await using it = await startPlans(6);
  const { links, wanted: release } = it;
  const [, goes, returns] = links as [LinkedRobot, LinkedRobot, LinkedRobot];
  await offline(it, returns);
  const plan = await planOf(it, release.id, { rollout });
  const planned = wavesOf(await robotsOf(it, plan));
  await offline(it, goes);
  await it.db('robot_links').where({ robot_id: returns.robotId }).update({ last_seen_at: it.db.fn.now() });
  const made = await execute(it, plan);
  expect(made.status).toBe(201);
  const { id, ...deployment } = made.body.data;
  expect(deployment).toMatchObject({ release_id: release.id, target_id: it.fleetId, plan_id: plan.id });
  await it.reaches(id, 'pending');
  expect(await targetWaves(it, id)).toEqual(planned);
  const after = (await it.world.call('GET', `/api/deployment-plans/${plan.id}`)).body.data;
  expect(after).toMatchObject({
    deployment_id: id,
    hash: plan.hash,
    counts: { robots: 6, conflicts: 0 },
    conflicts: [],
  });
  expect((await robotsOf(it, plan)).filter(({ conflict }) => conflict !== undefined)).toEqual([]);
  await it.check();
});

test('a plan keeps the rollout of its policy, whatever becomes of the policy', async () => {
  await using it = await startPlans();
  const { wanted: release } = it;
  const policy = await it.world.call('POST', '/api/rollout-policies', { body: { name: 'careful', rollout } });
  const { id: policyId } = policy.body.data;
  const plan = await planOf(it, release.id, { rollout_policy_id: policyId });
  expect(plan).toMatchObject({ rollout_policy_id: policyId, rollout_policy_name: 'careful' });
  await it.world.call('PATCH', `/api/rollout-policies/${policyId as string}`, {
    body: { rollout: { waves: [{ count: 1 }] } },
  });
  const { rollout: made } = (await execute(it, plan)).body.data;
  expect(made).toMatchObject({ policy_id: policyId, policy_name: 'careful' });
  expect(made.waves).toHaveLength(2);
});

test('a plan whose robots changed is refused with what changed, and nothing is created', async () => {
  await using it = await startPlans();
  const { links, wanted: release } = it;
  const [canary, ...others] = links;
  const plan = await planOf(it, release.id, { rollout });
  const late = await it.robots(2);
  expect((await execute(it, plan)).body).toEqual(refusal('2 robots joined, 1 robot is in another wave'));
  for (const { robotId } of late) await it.world.call('DELETE', `/api/robots/${robotId}`);
  await label(it, [canary], {});
  expect((await execute(it, plan)).body.error.message).toMatch(
    /^the plan no longer holds: . robots? (is|are) in another wave;/,
  );
  await label(it, [canary], { tier: 'canary' });
  for (const { robotId } of others) await it.world.call('DELETE', `/api/robots/${robotId}`);
  expect((await execute(it, plan)).body).toEqual(refusal('3 robots left'));
  expect(await it.db('deployments').where({ org_id: it.world.orgId })).toEqual([]);
});

test('a plan is executed once, also by two requests at once', async () => {
  await using it = await startPlans();
  const { wanted: release } = it;
  const plan = await planOf(it, release.id);
  const both = await Promise.all([execute(it, plan), execute(it, plan)]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  const id = both.find(({ status }) => status === 201)?.body.data.id as string;
  expect(both.find(({ status }) => status === 409)?.body.error.message).toBe(
    `deployment ${id} executes the plan; a plan is executed once, so plan again`,
  );
});

test('the release of a plan that was archived is refused', async () => {
  await using it = await startPlans();
  const { wanted: release } = it;
  const plan = await planOf(it, release.id);
  await it.world.call('PATCH', `/api/releases/${release.id}`, { body: { archived: true } });
  expect((await execute(it, plan)).body.error).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('is archived') as string,
  });
});

test('a scheduled deployment with a plan leaves out robots that were removed, retired or moved, and skips say so', async () => {
  await using it = await startPlans(5);
  const { links, wanted: release } = it;
  const [stays, removed, retired, moved, ...others] = links as [LinkedRobot, LinkedRobot, LinkedRobot, LinkedRobot];
  const plan = await planOf(it, release.id, { rollout });
  const planned = wavesOf(await robotsOf(it, plan));
  const { id } = (await execute(it, plan, inAnHour())).body.data;
  await it.world.call('DELETE', `/api/robots/${removed.robotId}`);
  await it
    .db('robots')
    .where({ id: retired.robotId })
    .update({ retired_at: it.db.fn.now(), replaced_by: stays.robotId });
  const { site_id } = await it.db('fleets').where({ id: it.fleetId }).first();
  const elsewhere = (await it.world.call('POST', '/api/fleets', { body: { name: 'elsewhere', site_id } })).body.data.id;
  await it.world.call('PATCH', `/api/robots/${moved.robotId}`, { body: { fleet_id: elsewhere } });
  const skips = (await robotsOf(it, plan)).map(({ robot_id: robot, skip }) => [robot, skip]);
  expect(Object.fromEntries(skips)).toEqual({
    [removed.robotId]: 'robot_removed',
    [retired.robotId]: 'robot_removed',
    [moved.robotId]: 'left_fleet',
    ...Object.fromEntries([stays, ...others].map(({ robotId }) => [robotId, undefined])),
  });
  expect((await it.world.call('GET', `/api/deployment-plans/${plan.id}`)).body.data.counts.skipped).toBe(3);
  await it.fallDue(id);
  await it.reaches(id, 'pending');
  const rest = [stays, ...others].map(({ robotId }) => [robotId, planned[robotId]]);
  expect(await targetWaves(it, id)).toEqual(Object.fromEntries(rest));
  await it.check();
});

test('a robot that joins the fleet before a scheduled deployment with a plan begins gets it as one that joins later', async () => {
  await using it = await startPlans();
  const { links, wanted: release } = it;
  const plan = await planOf(it, release.id);
  const { id } = (await execute(it, plan, inAnHour())).body.data;
  const { newcomer, made } = await newcomerOf(it);
  expect(made).toBeUndefined();
  await it.fallDue(id);
  await it.reaches(id, 'pending');
  expect(Object.keys(await targetWaves(it, id)).sort()).toEqual(links.map(({ robotId }) => robotId).sort());
  const { items } = (await it.world.call('GET', `/api/deployments?target_id=${newcomer.robotId}`)).body;
  expect(items).toHaveLength(1);
  expect(items[0].caused_by).toEqual({ kind: 'enrolled', deployment_id: id });
  expect(only(await it.handOut([newcomer]), newcomer)).toBeDefined();
  await it.check();
});

test('a deployment whose planned robots were all removed fails', async () => {
  await using it = await startPlans(2);
  const { links, wanted: release } = it;
  const { id } = (await execute(it, await planOf(it, release.id), inAnHour())).body.data;
  for (const { robotId } of links) await it.world.call('DELETE', `/api/robots/${robotId}`);
  await it.fallDue(id);
  await it.reaches(id, 'failed');
  expect(await it.story(id)).toEqual(['scheduled', 'failed no_targets']);
});

test('a replica of the previous release can neither fail nor begin a deployment with a plan', async () => {
  await using it = await startPlans(1);
  const { wanted: release } = it;
  for (const more of [{ rollout }, { target_kind: 'selector', target_id: undefined, target_selector: 'tier' }]) {
    const { id } = (await execute(it, await planOf(it, release.id, more), inAnHour())).body.data;
    const matchedNow = `matched_at = case when target_kind = 'selector' then clock_timestamp() end`;
    await expect(
      it.db.raw(
        `update deployments set status = 'pending', started_at = clock_timestamp(), rank = nextval('deployment_rank'), is_superseding = true,
                open_wave = case when rollout is not null then 0 end, ${matchedNow} where id = ?`,
        [id],
      ),
    ).rejects.toThrow('deployments_planned');
    await expect(
      it.db.raw(
        `update deployments set status = 'failed', reason = 'no_targets', ended_at = clock_timestamp(), ${matchedNow} where id = ?`,
        [id],
      ),
    ).rejects.toThrow('deployments_planned');
    await it.fallDue(id);
    await it.reaches(id, 'pending');
  }
});

test('a robot whose queue is full is shown as skipped', async () => {
  await using it = await startPlans(2);
  const { links, wanted: release } = it;
  const [full] = links;
  await it.db.raw(
    `with made as (
       insert into deployments (org_id, id, lane, payload_key, release_id, payload_digest, proof, target_kind, target_id, active_minutes, status, started_at, rank)
       select org_id, gen_random_uuid(), 'config', 'crowd/' || n, release_id, payload_digest, proof, 'robot', ?, 30, 'pending', now(), nextval('deployment_rank')
         from deployments, generate_series(1, 2000) n where id = ? returning *
     ), counted as (insert into deployment_counts (org_id, deployment_id, total, waiting) select org_id, id, 1, 1 from made)
     insert into targets (org_id, deployment_id, robot_id, lane, payload_key, rank, deadline_at)
     select org_id, id, target_id, lane, payload_key, rank, now() + interval '1 day' from made`,
    [full.robotId, await it.deploy({ releaseId: release.id }, { robot: full.robotId }, inAnHour())],
  );
  const plan = await planOf(it, release.id);
  expect(plan.counts.skipped).toBe(1);
  const skips = (await robotsOf(it, plan)).map(({ robot_id: id, skip }) => [id, skip]);
  expect(Object.fromEntries(skips)).toMatchObject({ [full.robotId]: 'too_many_orders' });
  await it.db('deployments').where({ org_id: it.world.orgId, lane: 'config' }).update({ ended_at: it.db.fn.now() });
});
