import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { startWorld } from '../../support/world.ts';

const waves = [{ count: 1 }];

async function startRequests() {
  const world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  await make.robot('amr-1', key);
  const [release, config] = [await make.release(), await make.config()];
  const fleet = { target_kind: 'fleet', target_id: key.fleet_id as string };
  const post = (path: string, body: object) =>
    world.call('POST', path, { body, headers: { 'Idempotency-Key': randomUUID() } });
  return {
    world,
    make,
    fleet,
    config,
    deploy: (rollout: object, more: object = {}) =>
      post('/api/deployments', { release_id: release.id, ...fleet, rollout: { waves, ...rollout }, ...more }),
    deployConfig: () =>
      post('/api/configs/deployments', { config_id: config.id, ...fleet, rollout: { waves, approval: {} } }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

test('what is wrong with the approval of a rollout is said of the field, and nothing is created', async () => {
  await using it = await startRequests();
  const empty = await it.make.fleet(undefined, 'empty');
  const refusals: [object, string][] = [
    [{ approval: { people: 0 } }, 'body.rollout.approval.people: must be 1 or more'],
    [{ approval: { people: 11 } }, 'body.rollout.approval.people: must be 10 or less'],
    [{ approval: { role: 'owner' } }, 'body.rollout.approval.role: must be one of viewer, operator, admin'],
    [{ approval: { expires: '9m' } }, 'body.rollout.approval.expires: must be from 10m to 30d'],
    [
      { approval: { expires: 'soon' } },
      'body.rollout.approval.expires: takes a duration such as 90s, 30m, 2h or 1d, not "soon"',
    ],
    [{ advance: { then: 'approval' } }, 'body.rollout.advance.then: approval needs the field approval of the rollout'],
    [{ supersede: 'ask' }, 'body.rollout.supersede: must be one of replace, finish, pause'],
  ];
  for (const [rollout, message] of refusals)
    expect((await it.deploy(rollout)).body).toEqual({ error: { code: 'bad_request', message } });
  const policy = { name: 'careful', rollout: { waves, advance: { then: 'approval' } } };
  expect((await it.world.call('POST', '/api/rollout-policies', { body: policy })).status).toBe(400);
  const nobody = await it.deploy({ approval: {} }, { target_id: empty.id });
  expect(nobody.body.error.message).toBe('no_targets: the fleet has no robots, so there is nothing to plan');
  expect(await it.world.count('deployments')).toBe(0);
});

test('a policy keeps its approval and what it supersedes, and its deployments have both', async () => {
  await using it = await startRequests();
  const rollout = { waves, approval: { people: 3, expires: '2d' }, supersede: 'finish', advance: { then: 'approval' } };
  const policy = await it.make.policy({ rollout });
  const kept = { approval: { people: 3, role: 'operator', expires: '2d' }, supersede: 'finish' };
  expect(policy.rollout).toMatchObject(kept);
  const made = await it.world.call('POST', '/api/configs/deployments', {
    headers: { 'Idempotency-Key': randomUUID() },
    body: { config_id: it.config.id, ...it.fleet, rollout_policy_id: policy.id },
  });
  expect(made.body.data).toMatchObject({ status: 'paused', rollout: { ...kept, advance: { then: 'approval' } } });
});

test('what is wrong with an approval is said of the field', async () => {
  await using it = await startRequests();
  const token = await it.make.userToken('operator');
  const { id, approval } = (await it.deploy({ approval: {} })).body.data;
  const call = async (body: object, at = id) =>
    (await it.world.call('POST', `/api/deployments/${at as string}/approvals`, { token, body })).body.error?.message;
  const hash = approval.plan_hash as string;
  expect(await call({ decision: 'approve' })).toBe('body: "plan_hash" is required');
  expect(await call({ plan_hash: hash })).toBe('body: "decision" is required');
  expect(await call({ decision: 'maybe', plan_hash: hash })).toBe('body.decision: must be one of approve, reject');
  expect(await call({ decision: 'approve', plan_hash: hash, wave: -1 })).toBe('body.wave: must be 0 or more');
  expect(await call({ decision: 'approve', plan_hash: hash }, randomUUID())).toBe('deployment not found');
  const plain = (await it.deploy({})).body.data;
  expect(await call({ decision: 'approve', plan_hash: hash }, plain.id)).toMatch(
    /^the deployment does not wait for approval: it is /,
  );
  const none = await it.world.call('GET', `/api/deployments/${plain.id as string}/approvals`);
  expect(none.body.data).toEqual({ decisions: [] });
  expect(await it.world.count('deployment_approvals')).toBe(0);
});

test('another org sees no approval, and nothing of the other kind is approved', async () => {
  await using it = await startRequests();
  await using other = await startRequests();
  const { id, approval } = (await it.deploy({ approval: {} })).body.data;
  const body = { decision: 'approve', plan_hash: approval.plan_hash };
  for (const [path, token] of [
    [`/api/deployments/${id as string}/approvals`, other.world.orgToken],
    [`/api/configs/deployments/${id as string}/approvals`, it.world.orgToken],
  ] as const) {
    expect((await it.world.call('POST', path, { token, body })).status).toBe(404);
    expect((await it.world.call('GET', path, { token })).status).toBe(404);
  }
});

test('deployments of both kinds that wait for approval are listed', async () => {
  await using it = await startRequests();
  await it.deploy({});
  const [release, config] = [(await it.deploy({ approval: {} })).body.data, (await it.deployConfig()).body.data];
  const idsOf = async (path: string) =>
    (await it.world.call('GET', `${path}?waiting_on=approval`)).body.items.map((each: { id: string }) => each.id);
  expect(await idsOf('/api/deployments')).toEqual([release.id]);
  expect(await idsOf('/api/configs/deployments')).toEqual([config.id]);
  const token = await it.make.userToken('operator');
  const path = `/api/configs/deployments/${config.id as string}/approvals`;
  const body = { decision: 'approve', plan_hash: config.approval.plan_hash };
  expect((await it.world.call('POST', path, { token, body })).status).toBe(200);
  expect(await idsOf('/api/configs/deployments')).toEqual([]);
  await it.world.call('POST', `/api/deployments/${release.id as string}/cancel`);
  expect(await idsOf('/api/deployments')).toEqual([]);
});
