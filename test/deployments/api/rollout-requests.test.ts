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
  const windowed = (more: object, cron = '0 22 * * *', duration = '6h') => ({
    rollout: { waves, windows: { activate: [{ cron, duration }], ...more } },
  });
  const refusals: [object, string | RegExp][] = [
    [
      { ...it.robotTarget, rollout: { waves } },
      'body.target_kind: a rollout needs a fleet or a selector; one robot is one wave',
    ],
    [{ rollout: { waves }, rollout_policy_id: policy.id }, 'body: rollout and rollout_policy_id exclude each other'],
    [{ rollout: { waves: [{}] } }, 'body.rollout.waves.0: needs selector, percent or count'],
    [{ rollout: { waves: [{ count: 0 }] } }, 'body.rollout.waves.0.count: must be 1 or more'],
    [{ rollout: { waves: [] } }, 'body.rollout.waves: must NOT have fewer than 1 items'],
    [{ rollout: { waves, abort: [{ reasons: ['any'] }] } }, 'body.rollout.abort.0: needs percent or count'],
    [{ rollout: { waves, gates: { max_wait: '30s' } } }, 'body.rollout.gates.max_wait: must be from 1m to 30d'],
    [{ rollout: { waves, windows: {} } }, 'body.rollout.windows: needs download or activate'],
    [
      windowed({ zone: 'Europe/Atlantis' }),
      /^body.rollout.windows.zone: takes a time zone such as .*, not "Europe\/Atlantis"$/,
    ],
    [windowed({ zone: '+01:00' }), /^body.rollout.windows.zone: /],
    [windowed({}, '0 0 31 2 *'), 'body.rollout.windows.activate.0.cron: never matches: no such month has such a day'],
    [
      windowed({}, '0 22 * * *', '9m'),
      /activate.0.duration: 9m is shorter than the expected duration of an update, 10m$/,
    ],
    [
      windowed({ expected_duration: '7h' }),
      /activate.0.duration: 6h is shorter than the expected duration of an update, 7h$/,
    ],
    [windowed({}, '0 22 * * *', 'long'), /activate.0.duration: takes a duration/],
    [
      windowed({ blackouts: [{ from: '2026-02-30', to: '2026-03-01' }] }),
      /blackouts.0: takes dates such as 2026-12-24$/,
    ],
    [windowed({ blackouts: [{ from: '2026-12-26', to: '2026-12-24' }] }), /blackouts.0: from is after to$/],
  ];
  for (const [more, message] of refusals)
    expect((await it.deploy(more)).body).toEqual({
      error: { code: 'bad_request', message: typeof message === 'string' ? message : expect.stringMatching(message) },
    });
  expect((await it.world.call('GET', '/api/deployments')).body.items).toEqual([]);
});

test('a wave for a site that does not exist is refused, also of a policy that is older than the name', async () => {
  await using it = await startRequests();
  const site = await it.make.site('Sendai');
  const rollout = { waves: [{ selector: '@site=Sendai' }, { percent: 100 }] };
  const policy = (await it.make.policy({ rollout })) as { id: string };
  await it.world.call('PATCH', `/api/sites/${site.id as string}`, { body: { name: 'Kyoto' } });
  const messageOf = async (more: object) => (await it.deploy(more)).body.error.message;
  expect(await messageOf({ rollout })).toBe('body.rollout.waves.0.selector: site "Sendai" not found');
  expect(await messageOf({ rollout_policy_id: policy.id })).toBe(
    'body.rollout_policy_id: rollout.waves.0.selector: site "Sendai" not found',
  );
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
