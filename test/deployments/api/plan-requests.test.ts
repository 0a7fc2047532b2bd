import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { startWorld } from '../../support/world.ts';

async function startRequests() {
  const world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  const robot = await make.robot('amr-1', key);
  const [release, config] = [await make.release(), await make.config()];
  const fleet = { target_kind: 'fleet', target_id: key.fleet_id as string };
  const kinds = {
    release: { kind: 'release', release_id: release.id as string },
    config: { kind: 'config', config_id: config.id as string },
  } as const;
  const paths = { release: '/api/deployments', config: '/api/configs/deployments' } as const;
  return {
    world,
    make,
    fleet,
    release,
    config,
    kinds,
    robotId: robot.robot_id as string,
    plan: (body: object, token?: string) => world.call('POST', '/api/deployment-plans', { body, token }),
    deploy: (body: object, kind: keyof typeof kinds = 'release', token?: string) =>
      world.call('POST', paths[kind], { body, headers: { 'Idempotency-Key': randomUUID() }, token }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

const badRequest = (message: string) => ({ error: { code: 'bad_request', message } });
const rollout = { waves: [{ count: 1 }] };

test('what is wrong with a plan is said of the field, and nothing is created', async () => {
  await using it = await startRequests();
  const { release, config } = it.kinds;
  const policy = await it.make.policy();
  const refusals: [object, string][] = [
    [{ ...it.fleet, kind: 'release' }, 'body: "release_id" is required'],
    [{ ...it.fleet, kind: 'config' }, 'body: "config_id" is required'],
    [{ ...it.fleet, ...release, config_id: it.config.id }, 'body.config_id: the plan is of a release'],
    [{ ...it.fleet, ...release, revision: 1 }, 'body.revision: the plan is of a release'],
    [{ ...it.fleet, ...config, release_id: it.release.id }, 'body.release_id: the plan is of a config'],
    [{ ...it.fleet, ...release, kind: 'script' }, 'body.kind: must be one of release, config'],
    [{ ...release, target_kind: 'fleet' }, 'body: "target_id" is required'],
    [
      { ...release, target_kind: 'selector', target_id: randomUUID(), target_selector: 'tier' },
      'body: target_id and target_selector exclude each other',
    ],
    [
      { ...it.fleet, ...release, rollout, rollout_policy_id: policy.id },
      'body: rollout and rollout_policy_id exclude each other',
    ],
    [
      { ...release, target_kind: 'robot', target_id: it.robotId, rollout },
      'body.target_kind: a rollout needs a fleet or a selector; one robot is one wave',
    ],
  ];
  for (const [body, message] of refusals) expect((await it.plan(body)).body).toEqual(badRequest(message));
  for (const body of [
    { ...it.fleet, ...release, release_id: randomUUID() },
    { ...it.fleet, ...config, config_id: randomUUID() },
    { ...it.fleet, ...config, revision: 9 },
    { ...it.fleet, ...release, target_id: randomUUID() },
    { ...release, target_kind: 'robot', target_id: randomUUID() },
  ])
    expect((await it.plan(body)).status).toBe(404);
  expect(await it.world.count('deployment_plans')).toBe(0);
  expect(await it.world.count('plan_robots')).toBe(0);
});

test('what cannot be deployed cannot be planned', async () => {
  await using it = await startRequests();
  const { release, config } = it.kinds;
  const empty = { target_kind: 'fleet', target_id: (await it.make.fleet(undefined, 'empty')).id as string };
  const messageOf = async (body: object) => {
    const answer = await it.plan(body);
    expect(answer.status).toBe(409);
    return answer.body.error.message as string;
  };
  expect(await messageOf({ ...release, ...empty })).toBe(
    'no_targets: the fleet has no robots, so there is nothing to plan',
  );
  expect(await messageOf({ ...release, target_kind: 'selector', target_selector: 'tier' })).toMatch(/^no_targets: /);
  await it.world.call('PATCH', `/api/releases/${it.release.id as string}`, { body: { archived: true } });
  expect(await messageOf({ ...it.fleet, ...release })).toMatch(/is archived/);
  await it.world.call('DELETE', `/api/configs/${it.config.id as string}`);
  expect(await messageOf({ ...it.fleet, ...config })).toMatch(/was deleted/);
  expect(await it.world.count('deployment_plans')).toBe(0);
});

test.each(['release', 'config'] as const)(
  'a %s deployment has a plan of its kind or the fields that a plan has',
  async (kind) => {
    await using it = await startRequests();
    const other = kind === 'release' ? 'config' : 'release';
    const { id } = (await it.plan({ ...it.fleet, ...it.kinds[kind] })).body.data;
    const own = kind === 'release' ? { release_id: it.release.id } : { config_id: it.config.id };
    const [ownName = ''] = Object.keys(own);
    const beside: Record<string, object> = {
      [ownName]: own,
      target_kind: { target_kind: 'fleet' },
      target_id: { target_id: it.fleet.target_id },
      target_selector: { target_selector: 'tier' },
      rollout: { rollout },
      rollout_policy_id: { rollout_policy_id: randomUUID() },
      ...(kind === 'config' && { revision: { revision: 1 } }),
    };
    for (const [name, fields] of Object.entries(beside))
      expect((await it.deploy({ plan_id: id, ...fields }, kind)).body).toEqual(
        badRequest(`body: plan_id and ${name} exclude each other`),
      );
    expect((await it.deploy({ plan_id: id }, other)).body).toEqual(
      badRequest(`body.plan_id: the plan is of a ${kind}`),
    );
    expect((await it.deploy({ ...it.fleet }, kind)).body).toEqual(badRequest(`body: "${ownName}" is required`));
    expect((await it.deploy(own, kind)).body).toEqual(badRequest('body: "target_kind" is required'));
    expect((await it.deploy({ plan_id: id, scheduled_at: '2020-01-01T00:00:00Z' }, kind)).status).toBe(400);
    expect(await it.world.count('deployments')).toBe(0);
    const made = await it.deploy({ plan_id: id, active_minutes: 7 }, kind);
    expect(made.body.data).toMatchObject({ ...own, ...it.fleet, plan_id: id, active_minutes: 7 });
  },
);

test('a plan of another org is not found', async () => {
  await using it = await startRequests();
  const { id } = (await it.plan({ ...it.fleet, ...it.kinds.release })).body.data;
  const other = await it.make.org();
  const answers = [
    await it.world.call('GET', `/api/deployment-plans/${id as string}`, { token: other.token }),
    await it.world.call('GET', `/api/deployment-plans/${id as string}/robots`, { token: other.token }),
    await it.world.call('GET', '/api/deployment-plans/x'),
    await it.deploy({ plan_id: id }, 'release', other.token),
    await it.deploy({ plan_id: 'x' }),
  ];
  for (const { body } of answers)
    expect(body).toEqual({ error: { code: 'not_found', message: 'deployment plan not found' } });
});

test('a plan of one robot is of one wave', async () => {
  await using it = await startRequests();
  const { data } = (await it.plan({ ...it.kinds.release, target_kind: 'robot', target_id: it.robotId })).body;
  expect(data).toMatchObject({ counts: { robots: 1, online: 0 }, waves: [{ number: 1, robots: 1, online: 0 }] });
  expect(data).not.toHaveProperty('rollout');
  const days = (Date.parse(data.expires_at) - Date.parse(data.created_at)) / 86_400_000;
  expect(days).toBe(7);
});

test('a plan of a robot that was replaced is refused', async () => {
  await using it = await startRequests();
  const next = await it.make.robot('amr-2');
  await it.world
    .db('robots')
    .where({ id: it.robotId })
    .update({ retired_at: it.world.db.fn.now(), replaced_by: next.robot_id });
  const answer = await it.plan({ ...it.kinds.release, target_kind: 'robot', target_id: it.robotId });
  expect(answer.body.error).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('is retired') as string,
  });
});
