import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { startWorld } from '../../support/world.ts';

const waves = [{ count: 1 }];

async function startRequests() {
  const world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  const robot = (await make.robot('amr-1', key)) as { robot_id: string };
  const release = await make.release();
  const fleet = { target_kind: 'fleet', target_id: key.fleet_id };
  let keys = 0;
  return {
    world,
    make,
    robotTarget: { target_kind: 'robot', target_id: robot.robot_id },
    deploy: async (more: object) => {
      const headers = { 'Idempotency-Key': `k${(keys += 1)}-${key.fleet_id as string}` };
      return world.call('POST', '/api/deployments', { body: { release_id: release.id, ...fleet, ...more }, headers });
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

test('what is wrong with a rollout is said of the field, and nothing is created', async () => {
  await using it = await startRequests();
  const policy = (await it.make.policy()) as { id: string };
  const refusals: [object, string][] = [
    [
      { ...it.robotTarget, rollout: { waves } },
      'body.target_kind: a rollout needs a fleet or a selector; one robot is one wave',
    ],
    [{ rollout: { waves }, rollout_policy_id: policy.id }, 'body: rollout and rollout_policy_id exclude each other'],
    [{ rollout: { waves: [{}] } }, 'body.rollout.waves.0: needs selector, percent or count'],
    [{ rollout: { waves: [{ count: 0 }] } }, 'body.rollout.waves.0.count: must be 1 or more'],
    [{ rollout: { waves: [] } }, 'body.rollout.waves: must NOT have fewer than 1 items'],
    [{ rollout: { waves, abort: [{ reasons: ['any'] }] } }, 'body.rollout.abort.0: needs percent or count'],
  ];
  for (const [more, message] of refusals)
    expect((await it.deploy(more)).body).toEqual({ error: { code: 'bad_request', message } });
  expect((await it.world.call('GET', '/api/deployments')).body.items).toEqual([]);
});

test('a deployment keeps the rollout of its policy, whatever becomes of the policy', async () => {
  await using it = await startRequests();
  const policy = (await it.make.policy({ name: 'careful', rollout: { waves, advance: { soak: '1h' } } })) as {
    id: string;
  };
  const { id } = (await it.deploy({ rollout_policy_id: policy.id })).body.data;
  await it.world.call('PATCH', `/api/rollout-policies/${policy.id}`, {
    body: { name: 'other', rollout: { waves: [{ percent: 9 }] } },
  });
  await it.world.call('DELETE', `/api/rollout-policies/${policy.id}`);
  const { rollout } = (await it.world.call('GET', `/api/deployments/${id as string}`)).body.data;
  expect(rollout).toMatchObject({ policy_id: policy.id, policy_name: 'careful', advance: { soak: '1h' } });
  expect(rollout.waves[0]).toMatchObject({ number: 1, count: 1 });
  expect((await it.deploy({ rollout_policy_id: policy.id })).body).toEqual({
    error: { code: 'not_found', message: 'rollout policy not found' },
  });
});

test('only a rollout can advance, and only once it has begun', async () => {
  await using it = await startRequests();
  const advance = async (id: string) => (await it.world.call('POST', `/api/deployments/${id}/advance`)).body;
  const whole = (await it.deploy({})).body.data;
  expect(await advance(whole.id)).toMatchObject({
    error: { code: 'conflict', message: 'the deployment has no rollout: all robots receive it at once' },
  });
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
  const later = (await it.deploy({ rollout: { waves }, scheduled_at })).body.data;
  expect(await advance(later.id)).toMatchObject({
    error: { code: 'conflict', message: 'the deployment has not begun' },
  });
});
