import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { execute, planOf, robotsOf } from './plans/support.ts';
import { work } from './rollbacks/support.ts';
import { sha256, some, startDeploymentWorld, type DeploymentWorld, type LinkedRobot } from './support.ts';

const rollout = { waves: [{ percent: 100 }] };

/** A fleet of three robots, and two releases, of which all robots run the newer one. */
async function startDowngrades() {
  const it = await startDeploymentWorld();
  const links = some(await it.robots(3));
  for (const [index, { robotId }] of links.entries())
    await it
      .db('robots')
      .where({ id: robotId })
      .update({ name: `amr-${index + 1}` });
  const [older, newer] = [await it.release(), await it.release()];
  const scene = { ...it, links, older, newer };
  await install(scene, newer.id);
  return scene;
}

/** The robots of the fleet apply a release. */
async function install(it: DeploymentWorld & { links: LinkedRobot[] }, releaseId: string, robot?: LinkedRobot) {
  const id = await it.deploy({ releaseId }, robot ? { robot: robot.robotId } : { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  await work(it, it.links);
  await it.reaches(id, 'applied');
}

const order = (it: DeploymentWorld, releaseId: string, more: object) =>
  it.world.call('POST', '/api/deployments', {
    body: { release_id: releaseId, target_kind: 'fleet', target_id: it.fleetId, ...more },
    headers: { 'Idempotency-Key': randomUUID() },
  });

const running = (it: DeploymentWorld, link: LinkedRobot, digest: string | undefined) =>
  new Promise((resolve) => it.orderPort.running(link, [{ kind: 'file', sha256: digest }], resolve));

const refusal = (what: string, hint: string) => ({
  error: { code: 'conflict', message: `downgrade: ${what}; ${hint} "allow_downgrade": true to deploy it anyway` },
});
const allThree = '3 robots run a newer release than r1: amr-1 (r2), amr-2 (r2), amr-3 (r2)';

test('with a rollout, a release older than the one that robots run needs allow_downgrade', async () => {
  await using it = await startDowngrades();
  const refused = await order(it, it.older.id, { rollout });
  expect([refused.status, refused.body]).toEqual([409, refusal(allThree, 'send')]);
  expect((await order(it, it.older.id, { rollout, allow_downgrade: false })).status).toBe(409);
  const policy = await it.world.call('POST', '/api/rollout-policies', { body: { name: 'careful', rollout } });
  expect((await order(it, it.older.id, { rollout_policy_id: policy.body.data.id })).status).toBe(409);
  expect((await order(it, it.newer.id, { rollout })).status).toBe(201);
  expect((await order(it, it.older.id, { rollout, allow_downgrade: true })).status).toBe(201);
  expect((await order(it, it.older.id, {})).status).toBe(201);
});

test('only the robots of the target count, and at most three are named', async () => {
  await using it = await startDowngrades();
  const [first] = it.links;
  const others = await it.robots(2);
  await install({ ...it, links: others }, it.older.id, others[0]);
  await it.db('robots').where({ id: first.robotId }).update({ labels: '{"tier":"canary"}' });
  const selector = { target_kind: 'selector', target_id: undefined, target_selector: 'tier=canary', rollout };
  expect((await order(it, it.older.id, selector)).body).toEqual(
    refusal('1 robot runs a newer release than r1: amr-1 (r2)', 'send'),
  );
  await it.db('robots').where({ id: others[1]?.robotId }).update({ name: 'amr-0' });
  await install({ ...it, links: others }, it.newer.id, others[1]);
  expect((await order(it, it.older.id, { rollout })).body).toEqual(
    refusal('4 robots run a newer release than r1: amr-0 (r2), amr-1 (r2), amr-2 (r2) and 1 more', 'send'),
  );
  await it
    .db('robots')
    .where({ fleet_id: it.fleetId })
    .update({ retired_at: it.db.fn.now(), replaced_by: it.db.ref('id') });
  expect((await order(it, it.older.id, { rollout })).status).toBe(201);
});

/** Robots of the fleet that proved to run a release. */
async function runs(it: DeploymentWorld, releaseId: string, count: number) {
  const robots = await it.robots(count);
  const releases = JSON.stringify({ file: { release_id: releaseId } });
  const configs = '{}';
  await it
    .db('robot_reports')
    .insert(robots.map(({ orgId, robotId }) => ({ org_id: orgId, robot_id: robotId, releases, configs })));
}

test('of more than 100 robots the message says so, also if more run a newer release than the index is read for', async () => {
  await using it = await startDowngrades();
  await runs(it, it.newer.id, 98);
  const message = async () => (await order(it, it.older.id, { rollout })).body.error.message as string;
  expect(await message()).toContain('more than 100 robots run a newer release than r1, such as');
  await runs(it, it.newer.id, 900);
  expect(await message()).toContain('more than 100 robots run a newer release than r1, such as');
  const selector = { target_kind: 'selector', target_id: undefined, target_selector: 'tier=canary', rollout };
  await it.db('robots').where({ id: it.links[0].robotId }).update({ labels: '{"tier":"canary"}' });
  expect((await order(it, it.older.id, selector)).body).toEqual(
    refusal('1 robot runs a newer release than r1: amr-1 (r2)', 'send'),
  );
});

test('a newer release with the same artifact, or one of more than 100 newer ones, is found as it is', async () => {
  await using it = await startDowngrades();
  await it.db('releases').where({ id: it.newer.id }).update({ artifact_sha256: it.older.sha256 });
  expect((await planOf(it, it.older.id, { rollout })).counts).toMatchObject({ downgrades: 0 });
  expect((await order(it, it.older.id, { rollout })).status).toBe(201);
  await it.db('releases').where({ id: it.newer.id }).update({ artifact_sha256: it.newer.sha256 });
  await it.db.raw(
    `insert into releases (org_id, id, tag, kind, artifact_sha256, artifact_size)
     select ?, gen_random_uuid(), 'nightly-' || n, 'file', repeat('e', 64), 1 from generate_series(1, 100) n`,
    [it.world.orgId],
  );
  expect((await order(it, it.older.id, { rollout })).body).toEqual(refusal(allThree, 'send'));
});

test('of a robot with a drift, what runs counts: another release, or something unknown', async () => {
  await using it = await startDowngrades();
  const [one, two, three] = it.links;
  await running(it, one, it.older.sha256);
  await running(it, two, sha256('0'));
  await running(it, three, undefined);
  expect((await order(it, it.older.id, { rollout })).status).toBe(201);
  const newest = await it.release();
  await running(it, one, newest.sha256);
  expect((await order(it, it.newer.id, { rollout })).body).toEqual(
    refusal('1 robot runs a newer release than r2: amr-1 (r3)', 'send'),
  );
});

test('releases of other kinds and configs are no downgrade', async () => {
  await using it = await startDowngrades();
  const map = await it.release('map');
  await install(it, (await it.release('other')).id);
  expect((await order(it, map.id, { rollout })).status).toBe(201);
  const configId = await it.config('speed', 1);
  await it.config('speed', 2);
  const body = { config_id: configId, revision: 1, target_kind: 'fleet', target_id: it.fleetId, rollout };
  const headers = { 'Idempotency-Key': randomUUID() };
  expect((await it.world.call('POST', '/api/configs/deployments', { body, headers })).status).toBe(201);
});

test('a plan shows its downgrades; with a rollout it is executed only if it allows them', async () => {
  await using it = await startDowngrades();
  const [first] = it.links;
  await running(it, first, it.older.sha256);
  const plan = await planOf(it, it.older.id, { rollout });
  expect(plan).not.toHaveProperty('allow_downgrade');
  expect(plan.counts).toMatchObject({ robots: 3, downgrades: 2 });
  const shown = await robotsOf(it, plan);
  expect(shown.filter((each) => 'downgrade' in each).map((each) => each.robot_id)).toEqual(
    it.links.flatMap(({ robotId }) => (robotId === first.robotId ? [] : [robotId])).sort(),
  );
  expect((await execute(it, plan)).body).toEqual(
    refusal('2 robots run a newer release than r1: amr-2 (r2), amr-3 (r2)', 'plan again with'),
  );
  const allowing = await planOf(it, it.older.id, { rollout, allow_downgrade: true });
  expect(allowing).toMatchObject({ allow_downgrade: true, counts: { downgrades: 2 } });
  expect(allowing.hash).not.toBe(plan.hash);
  expect((await execute(it, allowing)).status).toBe(201);
  expect((await execute(it, await planOf(it, it.older.id))).status).toBe(201);
  expect((await planOf(it, it.newer.id)).counts).toMatchObject({ downgrades: 0 });
});

test('a plan is refused if its robots got a newer release since', async () => {
  await using it = await startDowngrades();
  const plan = await planOf(it, it.newer.id, { rollout });
  const newest = await it.release();
  await install(it, newest.id, it.links[1]);
  expect((await execute(it, plan)).body).toEqual(
    refusal('1 robot runs a newer release than r2: amr-2 (r3)', 'plan again with'),
  );
});

test('what people approve says whether it may be a downgrade', async () => {
  await using it = await startDowngrades();
  const approval = { people: 1 };
  const made = await order(it, it.older.id, { rollout: { ...rollout, approval }, allow_downgrade: true });
  expect(made.status, made.text).toBe(201);
  const plan = await it.world.call('GET', `/api/deployment-plans/${made.body.data.plan_id}`);
  expect(plan.body.data).toMatchObject({ allow_downgrade: true, counts: { downgrades: 3 } });
});

test('a rollback and a retry are no downgrade', async () => {
  await using it = await startDowngrades();
  const newest = await it.release();
  const made = (await order(it, newest.id, { rollout })).body.data;
  await it.reaches(made.id, 'pending');
  await work(it, it.links);
  await it.reaches(made.id, 'applied');
  const done = await it.world.call('POST', `/api/deployments/${made.id}/rollback`, { body: {} });
  expect(done.status, done.text).toBe(200);
  const returning = async () =>
    (await it.world.call('GET', `/api/deployments?rollback_of=${made.id}`)).body.items as unknown[];
  await expect.poll(async () => (await returning()).length).toBe(1);

  const failed = (await order(it, newest.id, {})).body.data;
  await it.reaches(failed.id, 'pending');
  await work(it, it.links, 'failed');
  await it.reaches(failed.id, 'failed');
  await it.release().then(({ id }) => install(it, id, it.links[0]));
  const retry = await it.world.call('POST', `/api/deployments/${failed.id}/retry`, {
    body: {},
    headers: { 'Idempotency-Key': randomUUID() },
  });
  expect(retry.status, retry.text).toBe(201);
});

test('a deployment says whether it may be a downgrade, as do its audit entry, its retry and the list', async () => {
  await using it = await startDowngrades();
  const made = (await order(it, it.older.id, { rollout, allow_downgrade: true })).body.data;
  expect(made.allow_downgrade).toBe(true);
  const { items } = (await it.world.call('GET', `/api/deployments?release_id=${it.older.id}`)).body;
  expect(items.at(-1)).toMatchObject({ id: made.id, allow_downgrade: true });
  const audit = (await it.world.call('GET', '/api/audit?operation=createDeployment')).body.items as { after: object }[];
  expect(audit.map(({ after }) => after)).toContainEqual(
    expect.objectContaining({ id: made.id, allow_downgrade: true }),
  );

  await it.reaches(made.id, 'pending');
  await work(it, it.links, 'failed');
  await it.reaches(made.id, 'failed');
  const retry = await it.world.call('POST', `/api/deployments/${made.id}/retry`, {
    body: {},
    headers: { 'Idempotency-Key': randomUUID() },
  });
  expect(retry.body.data, retry.text).toMatchObject({ retry_of: made.id, allow_downgrade: true });
  const planned = await planOf(it, it.older.id, { rollout, allow_downgrade: true });
  expect((await execute(it, planned)).body.data).toMatchObject({ plan_id: planned.id, allow_downgrade: true });
  expect((await order(it, it.newer.id, { rollout })).body.data.allow_downgrade).toBe(false);
  expect((await order(it, it.newer.id, {})).body.data).not.toHaveProperty('allow_downgrade');
});

test.each([
  ['keeps it, and its timeline says so', { rollout }, false],
  ['gets the older one if that is allowed', { rollout, allow_downgrade: true }, true],
  ['gets the older one without a rollout', {}, true],
])('a robot with a newer release that moves to a fleet %s', async (_name, terms, gets) => {
  await using it = await startDowngrades();
  const [mover, ...others] = it.links;
  const other = await it.world.call('POST', '/api/fleets', { body: { site_id: it.siteId, name: 'others' } });
  const move = (fleetId: string) =>
    it.world.call('PATCH', `/api/robots/${mover.robotId}`, { body: { fleet_id: fleetId } });
  expect((await move(other.body.data.id)).status).toBe(200);
  await install({ ...it, links: others }, it.older.id);
  const { id } = (await order(it, it.older.id, terms)).body.data;
  await it.reaches(id, 'pending');
  await move(it.fleetId);
  const joined = `/api/deployments?target_id=${mover.robotId}&cause_kind=moved`;
  const { items } = (await it.world.call('GET', joined)).body;
  expect(items.map((each: { release_id: string }) => each.release_id)).toEqual(gets ? [it.older.id] : []);
  const timeline = `/api/robots/${mover.robotId}/timeline?kind=downgrade_left_out`;
  const told = (await it.world.call('GET', timeline)).body.items;
  expect(told).toMatchObject(
    gets
      ? []
      : [{ message: 'r1 left out: the robot runs r2, which is newer', details: { release: 'r1', running: 'r2' } }],
  );
});

const begin = (it: DeploymentWorld, id: string) =>
  it
    .db('deployments')
    .where({ id })
    .update({ due_at: it.db.raw('now()'), scheduled_at: it.db.raw('now()') });
const scheduled = async (it: DeploymentWorld, more: object = {}) => {
  const release = await it.release();
  const terms = { rollout, scheduled_at: new Date(Date.now() + 3_600_000).toISOString(), ...more };
  return (await order(it, release.id, terms)).body.data.id as string;
};

test('robots that got something newer before a scheduled deployment begins are left out, and its events say so', async () => {
  await using it = await startDowngrades();
  const [checked, anyway] = [await scheduled(it), await scheduled(it, { allow_downgrade: true })];
  await install(it, (await it.release()).id, it.links[1]);
  await begin(it, checked);
  await it.reaches(checked, 'pending');
  const { items } = (await it.world.call('GET', `/api/deployments/${checked}/targets`)).body;
  const ids = items.map((each: { robot_id: string }) => each.robot_id);
  expect(ids.sort()).toEqual([it.links[0], it.links[2]].map((link) => link.robotId).sort());
  const events = (await it.world.call('GET', `/api/deployments/${checked}/events`)).body.items;
  expect(events).toContainEqual(
    expect.objectContaining({
      status: 'scheduled',
      reason: 'downgrade_left_out',
      message: 'left out: 1 robot runs a newer release than r3: amr-2 (r5)',
    }),
  );
  await begin(it, anyway);
  await it.reaches(anyway, 'pending');
  expect((await it.world.call('GET', `/api/deployments/${anyway}`)).body.data.counts.total).toBe(3);
});

test('each robot that is left out says so on its timeline, before the first wave begins', async () => {
  await using it = await startDowngrades();
  const id = await scheduled(it);
  await install(it, (await it.release()).id, it.links[1]);
  await begin(it, id);
  await it.reaches(id, 'pending');
  const timeline = await it.world.call('GET', `/api/robots/${it.links[1].robotId}/timeline?kind=downgrade_left_out`);
  expect(timeline.body.items).toMatchObject([
    { message: 'r3 left out: the robot runs r4, which is newer', details: { deployment_id: id } },
  ]);
  const events = (await it.world.call('GET', `/api/deployments/${id}/events`)).body.items as { reason?: string }[];
  const reasons = events.map(({ reason }) => reason).filter((reason) => reason !== undefined);
  expect(reasons).toEqual(['downgrade_left_out', 'wave_started']);
});

test.each(['selector', 'plan'])(
  'a rollout whose canaries, by a %s, all run something newer when it begins pauses before it is sent to anybody, and a resume continues',
  async (by) => {
    await using it = await startDowngrades();
    const canary = it.links[1].robotId;
    await it.world.call('PATCH', `/api/robots/${canary}`, { body: { labels: { tier: 'canary' } } });
    const staged = { waves: [{ selector: 'tier=canary' }], advance: { soak: '1h', then: 'pause' } };
    const release = await it.release();
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    const planned = by === 'plan' ? await planOf(it, release.id, { rollout: staged }) : undefined;
    const made = planned
      ? await execute(it, planned, { scheduled_at })
      : await order(it, release.id, { rollout: staged, scheduled_at });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data;
    await install(it, (await it.release()).id, it.links[1]);
    await begin(it, id);
    await it.reaches(id, 'paused');
    const { paused } = (await it.world.call('GET', `/api/deployments/${id}`)).body.data;
    expect(paused).toMatchObject({ code: 'downgrade_left_out', reason: 'all robots of wave 1 run a newer release' });
    await it.orderPort.dispatch(it.links);
    expect([...(await it.orderPort.openOrders(it.links))]).toEqual([]);
    const resumed = await it.world.call('POST', `/api/deployments/${id}/resume`, { body: {} });
    expect(resumed.status, resumed.text).toBe(200);
    await it.reaches(id, 'pending');
    await expect
      .poll(async () => (await it.world.call('GET', `/api/deployments/${id}`)).body.data.rollout.wave, {
        timeout: 9_000,
      })
      .toBe(2);
  },
);

test('a scheduled deployment of which every robot has something newer by then fails, and says why', async () => {
  await using it = await startDowngrades();
  const id = await scheduled(it);
  await install(it, (await it.release()).id);
  await begin(it, id);
  await it.reaches(id, 'failed');
  const { body } = await it.world.call('GET', `/api/deployments/${id}/events`);
  expect(body.items.at(-1)).toMatchObject({
    reason: 'downgrade_left_out',
    message: expect.stringMatching(/^left out: 3 robots/),
  });
});

test('allow_downgrade is a boolean, of releases only, and not beside a plan', async () => {
  await using it = await startDowngrades();
  const messageOf = async (answer: ReturnType<typeof order>) => (await answer).body.error.message as string;
  expect(await messageOf(order(it, it.older.id, { rollout, allow_downgrade: 'yes' }))).toBe(
    'body.allow_downgrade: must be boolean',
  );
  const configId = await it.config('speed', 1);
  const place = { target_kind: 'fleet', target_id: it.fleetId, allow_downgrade: true };
  expect(
    await messageOf(
      it.world.call('POST', '/api/deployment-plans', { body: { kind: 'config', config_id: configId, ...place } }),
    ),
  ).toBe('body.allow_downgrade: the plan is of a config');
  expect(
    await messageOf(
      it.world.call('POST', '/api/configs/deployments', {
        body: { config_id: configId, ...place },
        headers: { 'Idempotency-Key': randomUUID() },
      }),
    ),
  ).toContain('allow_downgrade');
  expect(await messageOf(execute(it, await planOf(it, it.newer.id), { allow_downgrade: true }))).toBe(
    'body: plan_id and allow_downgrade exclude each other',
  );
});

test('a target that does not exist is not found, whatever its form', async () => {
  await using it = await startDowngrades();
  for (const id of [randomUUID(), 'no id', '\u0001']) {
    const { status, text } = await order(it, it.older.id, { rollout, target_id: id });
    expect(status, text).toBe(404);
  }
});
