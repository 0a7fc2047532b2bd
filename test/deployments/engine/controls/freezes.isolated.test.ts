import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDeploymentEngine } from '../../../../src/deployments/api/service.ts';
import { claimDue } from '../../../../src/deployments/engine/due-deployments.ts';
import { findDue } from '../../../../src/deployments/engine/sweep-queries.ts';
import { lockTargets } from '../../../../src/deployments/engine/target-locks.ts';
import { inTransaction } from '../../../../src/platform/db/transaction.ts';
import { createLogger } from '../../../../src/platform/logging.ts';
import { factories } from '../../../support/factories.ts';
import { newcomerOf, only, some, startIsolatedDeploymentWorld, type DeploymentWorld } from '../support.ts';

const freeze = (it: DeploymentWorld, reason = 'robots stop in aisle 4') =>
  it.world.call('PUT', '/api/deployment-freeze', { body: { reason } });
const thaw = (it: DeploymentWorld, reason = 'the map is repaired') =>
  it.world.call('DELETE', `/api/deployment-freeze?reason=${encodeURIComponent(reason)}`);
const freezeOf = async (it: DeploymentWorld) => (await it.world.call('GET', '/api/deployment-freeze')).body.data;
const view = async (it: DeploymentWorld, id: string) =>
  (await it.world.call('GET', `/api/deployments/${id}`)).body.data;
const post = (it: DeploymentWorld, id: string, what: string, body?: object) =>
  it.world.call('POST', `/api/deployments/${id}/${what}`, { body });

async function started(it: DeploymentWorld, robots = 3, more: object = {}) {
  const links = await it.robots(robots);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, more);
  await it.reaches(id, 'pending');
  return { links, release, id };
}

const storyOf = async (it: DeploymentWorld, id: string) => {
  const { items } = (await it.world.call('GET', `/api/deployments/${id}/events`)).body;
  return items
    .filter(({ robot_id: robot }: { robot_id?: string }) => robot === undefined)
    .map(({ status, reason, message }: Record<string, string>) => [status, reason, message].filter(Boolean).join(' '));
};

test('a freeze holds deployments that are open, scheduled or created meanwhile, and a thaw continues each as it was', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { links, release, id } = await started(it);
  const [first, ...others] = some(links);
  const order = only(await it.handOut([first]), first);
  const later = await it.deploy(
    { releaseId: release.id },
    { fleet: it.fleetId },
    { scheduled_at: new Date(Date.now() + 86_400_000).toISOString() },
  );
  const configId = await it.config('speed', 1);
  const paused = await it.deploy({ configId }, { fleet: it.fleetId });
  await it.world.call('POST', `/api/configs/deployments/${paused}/pause`, { body: { reason: 'mine' } });

  const frozen = (await freeze(it)).body.data;
  expect(frozen).toMatchObject({ frozen: true, reason: 'robots stop in aisle 4', held: 2, robots_with_orders: 1 });
  expect(frozen.frozen_by).toMatch(/^an org token ending in \w{4}$/);
  const pause = { code: 'frozen', reason: 'robots stop in aisle 4', since: expect.any(String) };
  for (const each of [id, later]) expect(await view(it, each)).toMatchObject({ status: 'paused', paused: pause });
  expect(await view(it, id)).toMatchObject({ waiting_on: { code: 'paused' } });
  expect((await it.handOut(others)).size).toBe(0);
  await it.report(first, { orderId: order.orderId, status: 'applied', digest: release.sha256 });
  expect(await it.counts(id)).toMatchObject({ waiting: 2, applied: 1 });
  expect(await freezeOf(it)).toMatchObject({ held: 2, robots_with_orders: 0 });

  const created = await it.deploy({ configId: await it.config('mode', 'slow') }, { fleet: it.fleetId });
  await it.reaches(created, 'paused');
  const { newcomer } = await newcomerOf(it);
  expect((await it.handOut([newcomer])).size).toBe(0);
  expect(await freezeOf(it)).toMatchObject({ frozen: true, held: expect.any(Number) });

  const thawed = (await thaw(it)).body.data;
  expect(thawed).toMatchObject({ frozen: false });
  expect(thawed).not.toHaveProperty('frozen_by');
  await it.reaches(id, 'in_progress');
  await it.reaches(later, 'scheduled');
  await it.reaches(created, 'pending');
  expect((await it.deployment(paused)).status).toBe('paused');
  expect((await it.handOut([...others, newcomer])).size).toBe(3);
  expect(await storyOf(it, id)).toEqual([
    'scheduled',
    'pending',
    'paused frozen robots stop in aisle 4',
    'in_progress thawed the map is repaired',
  ]);
  expect(await freezeOf(it)).toMatchObject({ frozen: false, held: 0 });
  await it.check();
});

test('the freeze itself holds what no batch has paused yet: nothing is received, begins or expires', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const configId = await it.config('speed', 1);
  const first = await it.deploy({ configId }, { robot: (await it.robots(1))[0]?.robotId ?? '' });
  await it.reaches(first, 'pending');
  const { links, id } = await started(it, 2);
  const later = { scheduled_at: new Date(Date.now() + 86_400_000).toISOString() };
  const due = await it.deploy({ configId }, { fleet: it.fleetId }, later);
  await it.db.raw(
    `create function fail() returns trigger language plpgsql as $$ begin raise exception 'no batch succeeds'; end $$;
     create trigger fail before update on deployments for each row when (new.pause_code = 'frozen') execute function fail()`,
  );
  await it.db('deployment_freezes').insert({
    org_id: it.world.orgId,
    frozen_at: new Date(),
    frozen_by: 'ops',
    reason: 'stop',
  });
  expect((await it.handOut(links)).size).toBe(0);
  await it.fallDue(due);
  expect(await inTransaction(it.db, async (trx) => ({ result: await claimDue(trx, 1), closing: [] }))).toEqual([]);
  expect(await view(it, id)).toMatchObject({ status: 'pending', waiting_on: { code: 'paused' } });
  await it
    .db('targets')
    .where({ deployment_id: id })
    .update({ deadline_at: it.db.raw("now() - interval '1 s'") });
  await it
    .db('deployments')
    .where({ id })
    .update({ started_at: it.db.raw("now() - interval '8 days'") });
  await it
    .db('deployment_counts')
    .where({ deployment_id: id })
    .update({ next_deadline_at: new Date(0) });
  expect(await findDue(it.db)).toEqual([]);
  await it.db.raw('drop trigger fail on deployments');
  for (const each of [first, id, due]) await it.reaches(each, 'paused');
});

test('a freeze waits for what is being dispatched, longer than other requests wait for locks', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { links, id } = await started(it, 1);
  const [{ orgId, robotId }] = some(links);
  const dispatching = await it.db.transaction();
  await lockTargets(dispatching, { targets: [{ orgId, deploymentId: id, robotId }], dispatches: true });
  const frozen = freeze(it);
  const waits = () => it.db('pg_locks').where({ locktype: 'advisory', granted: false, mode: 'ExclusiveLock' });
  await expect.poll(async () => (await waits()).length, { interval: 10 }).toBe(1);
  await setTimeout(2_200);
  await dispatching.commit();
  expect((await frozen).status).toBe(200);
});

test('a freeze does not wait for deployments that others hold, which are paused when they are free', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { links, id } = await started(it, 1);
  const holding = await it.db.transaction();
  await holding.raw('select from deployments where id = ? for no key update', [id]);
  expect((await freeze(it)).body.data).toMatchObject({ frozen: true, held: 1 });
  await holding.rollback();
  expect((await it.handOut(links)).size).toBe(0);
  await it.reaches(id, 'paused');
  await it.check();
});

test('a freeze that commits while targets are dispatched comes before or after, never between', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { links, id } = await started(it, 40);
  const handOuts = links.map((robot) => it.handOut([robot]));
  const { frozen_at: frozenAt } = (await freeze(it)).body.data;
  await Promise.all(handOuts);
  const late = await it.db('targets').where({ deployment_id: id }).where('dispatched_at', '>', frozenAt);
  expect(late).toEqual([]);
  expect((await it.handOut(links)).size).toBe((await it.counts(id))['dispatched']);
  await it.check();
});

test('more deployments than one batch are held at once, paused by any replica, and all continue after the thaw', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(3);
  const { id: releaseId } = await it.release();
  const [robot] = some(links);
  const one = await it.deploy({ releaseId }, { robot: robot.robotId });
  await it.reaches(one, 'pending');
  // 450 scheduled ones: only their rows matter.
  await it.db.raw(
    `with made as (
       insert into deployments (org_id, id, lane, payload_key, release_id, payload_digest, proof, target_kind, target_id, active_minutes, due_at)
       select org_id, gen_random_uuid(), lane, payload_key, release_id, payload_digest, proof, target_kind, target_id, active_minutes, now() + interval '1 day'
         from deployments, generate_series(1, 450) where id = ? returning org_id, id
     ), counted as (insert into deployment_counts (org_id, deployment_id, event_seq) select org_id, id, 1 from made)
     insert into deployment_events (org_id, deployment_id, seq, status) select org_id, id, 1, 'scheduled' from made`,
    [one],
  );
  const other = createDeploymentEngine({
    db: it.db,
    bus: it.world.bus,
    log: createLogger('fatal', [], () => undefined),
  });
  other.start();
  const paused = async () => (await it.db('deployments').where({ status: 'paused', pause_code: 'frozen' })).length;
  expect((await freeze(it)).body.data).toMatchObject({ frozen: true, held: 451 });
  expect((await it.handOut(links)).size).toBe(0);
  await expect.poll(paused).toBe(451);
  await thaw(it);
  await expect.poll(paused).toBe(0);
  await other.stop();
  expect((await it.handOut([robot])).size).toBe(1);
  expect(await it.db('deployment_events').where({ reason: 'frozen' })).toHaveLength(451);
  expect(await it.db('deployment_events').where({ reason: 'thawed' })).toHaveLength(451);
  await it.check();
});

test('while the org is frozen nobody continues a deployment, but a rollback returns its robots', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { links, release: old, id: first } = await started(it, 2);
  const apply = async (digest: string) => {
    const orders = await it.handOut(links);
    for (const robot of links)
      await it.report(robot, { orderId: only(orders, robot).orderId, status: 'applied', digest });
  };
  await apply(old.sha256);
  await it.reaches(first, 'applied');
  const bad = await it.release();
  const id = await it.deploy({ releaseId: bad.id }, { fleet: it.fleetId }, { rollout: { waves: [{ count: 1 }] } });
  await it.reaches(id, 'pending');
  const order = [...(await it.handOut(links))].find(([, orders]) => orders.length > 0);
  const busy = links.find(({ robotId }) => robotId === order?.[0]);
  if (!busy) throw new Error('no robot has an order');
  await it.report(busy, { orderId: order?.[1][0]?.orderId ?? '', status: 'applied', digest: bad.sha256 });

  await freeze(it);
  const conflict = /^the org is frozen since .+Z by an org token ending in \w+: "robots stop in aisle 4"; thaw first$/;
  for (const what of ['resume', 'advance']) {
    const refused = await post(it, id, what);
    expect(refused.status).toBe(409);
    expect(refused.body.error.message).toMatch(conflict);
  }
  expect((await post(it, id, 'rollback', { reason: 'bad' })).status).toBe(200);
  const returns = async () => (await it.world.call('GET', `/api/deployments?rollback_of=${id}`)).body.items;
  await expect.poll(async () => (await returns()).map(({ status }: { status: string }) => status)).toEqual(['pending']);
  const [returned] = await returns();
  const back = only(await it.handOut([busy]), busy);
  await it.report(busy, { orderId: back.orderId, status: 'applied', digest: old.sha256 });
  await it.reaches(returned.id, 'applied');
  await it.reaches(id, 'applied');
  await thaw(it);
  await it.check();
});

test('a rule that cancels ends a frozen rollout, and failures before the freeze still count after the thaw', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = { waves: [{ count: 2 }], abort: [{ reasons: ['failed'], count: 2, action: 'cancel' }] };
  const { links, id } = await started(it, 4, { rollout });
  const orders = await it.handOut(links);
  const [one, two] = links.filter(({ robotId }) => (orders.get(robotId) ?? []).length > 0);
  if (!one || !two) throw new Error('the first wave has two robots');
  await it.report(one, { orderId: only(orders, one).orderId, status: 'failed' });
  await freeze(it);
  await thaw(it);
  expect(await it.db('deployments').where({ id }).first('accepted_at')).toEqual({ accepted_at: null });
  await freeze(it);
  await it.report(two, { orderId: only(orders, two).orderId, status: 'failed' });
  await expect.poll(async () => (await it.deployment(id)).status).toBe('failed');
  expect(await view(it, id)).toMatchObject({ reason: 'aborted', counts: { failed: 2, cancelled: 2 } });
  await it.check();
});

test('a deployment that a person pauses while the org is frozen stays paused after the thaw', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id } = await started(it);
  await freeze(it);
  expect((await post(it, id, 'pause', { reason: 'mine' })).body.data.paused).toMatchObject({
    code: 'requested',
    reason: 'mine',
  });
  await thaw(it);
  expect((await it.deployment(id)).status).toBe('paused');
  expect((await post(it, id, 'resume')).body.data.status).toBe('pending');
  await it.check();
});

test('freezing and thawing again change nothing, another org is not frozen, and the audit log has who and why', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id } = await started(it);
  const make = factories(it.world);
  const email = `${randomUUID()}@example.com`;
  const token = await make.userToken('operator', email);
  const body = { reason: 'robots stop' };
  const frozen = await it.world.call('PUT', '/api/deployment-freeze', { token, body });
  expect(frozen.body.data).toMatchObject({ frozen_by: email, held: 1 });
  expect((await it.world.call('PUT', '/api/deployment-freeze', { body })).body).toEqual(frozen.body);
  const again = await freeze(it, 'robots fall');
  expect(again.body.data).toMatchObject({ ...frozen.body.data, reason: 'robots fall' });
  const other = await make.org();
  const theirs = await it.world.call('GET', '/api/deployment-freeze', { token: other.token });
  expect(theirs.body.data).toEqual({ frozen: false, held: 0, robots_with_orders: 0 });
  await it.world.call('PUT', '/api/deployment-freeze', { token: other.token, body });
  await it.world.call('DELETE', '/api/deployment-freeze', { token: other.token });
  expect(await freezeOf(it)).toMatchObject({ frozen: true });
  expect((await it.deployment(id)).status).toBe('paused');
  await thaw(it);
  await thaw(it);
  const { robots_with_orders: robots, ...changed } = frozen.body.data;
  expect(robots).toBe(0);
  const { items } = (await it.world.call('GET', `/api/audit?object_id=${it.world.orgId}`)).body;
  const entries = items.filter(({ object_kind: kind }: { object_kind: string }) => kind === 'deployment_freeze');
  expect(
    entries.map(({ operation, after }: { operation: string; after: object }) => ({ operation, ...after })),
  ).toEqual([
    { ...changed, operation: 'setDeploymentFreeze' },
    { operation: 'setDeploymentFreeze', reason: 'robots fall' },
    { operation: 'deleteDeploymentFreeze', frozen: false, held: 0, reason: 'the map is repaired' },
  ]);
});

test('a freeze needs a reason of 1 to 500 characters', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const refusal = async (body: object) => {
    const { status, body: answer } = await it.world.call('PUT', '/api/deployment-freeze', { body });
    return [status, answer.error.message];
  };
  expect(await refusal({})).toEqual([400, 'body: "reason" is required']);
  expect((await refusal({ reason: '' }))[0]).toBe(400);
  expect((await refusal({ reason: 'x'.repeat(501) }))[0]).toBe(400);
  expect((await refusal({ reason: 'x', until: 'tomorrow' }))[0]).toBe(400);
});
