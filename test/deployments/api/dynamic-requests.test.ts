import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { startWorld } from '../../support/world.ts';

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
const selector = { target_kind: 'selector', target_selector: 'tier=canary' };

async function startRequests() {
  const world = await startWorld();
  const make = factories(world);
  const [release, config, fleet] = [await make.release(), await make.config(), await make.fleet()];
  const what = { release: { release_id: release.id }, config: { config_id: config.id } };
  const paths = { release: '/api/deployments', config: '/api/configs/deployments' };
  return {
    world,
    make,
    fleet,
    deploy: (body: object, kind: 'release' | 'config' = 'release') =>
      world.call('POST', paths[kind], {
        body: { ...what[kind], ...body },
        headers: { 'Idempotency-Key': randomUUID() },
      }),
    plan: (body: object) =>
      world.call('POST', '/api/deployment-plans', { body: { kind: 'release', ...what.release, ...body } }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

test.each(['release', 'config'] as const)('a %s deployment says until when it is dynamic', async (kind) => {
  await using it = await startRequests();
  const until = inDays(30);
  const scheduled_at = inDays(1);
  const made = await it.deploy({ ...selector, dynamic: true, dynamic_until: until, scheduled_at }, kind);
  expect(made).toMatchObject({ status: 201, body: { data: { dynamic: true, dynamic_until: until } } });
  const plain = await it.deploy({ ...selector, dynamic: false, scheduled_at }, kind);
  expect(plain.body.data).not.toHaveProperty('dynamic');
  expect(plain.body.data).not.toHaveProperty('dynamic_until');
});

test('a scheduled one that is cancelled, or finds no robot, is not dynamic any longer', async () => {
  await using it = await startRequests();
  const dynamic = { ...selector, dynamic: true, dynamic_until: inDays(30) };
  const { id } = (await it.deploy({ ...dynamic, scheduled_at: inDays(1) })).body.data;
  const cancelled = await it.world.call('POST', `/api/deployments/${id as string}/cancel`);
  expect(cancelled.body.data).toMatchObject({ status: 'cancelled', dynamic: false });
  const empty = (await it.deploy(dynamic)).body.data.id as string;
  const view = async () => (await it.world.call('GET', `/api/deployments/${empty}`)).body.data;
  await expect.poll(async () => (await view()).status).toBe('failed');
  expect(await view()).toMatchObject({ dynamic: false, reason: 'no_targets' });
});

test('what is wrong with a dynamic request is said of the field', async () => {
  await using it = await startRequests();
  const until = { dynamic: true, dynamic_until: inDays(30) };
  const wrong: [object, string][] = [
    [{ ...selector, dynamic_until: inDays(1) }, 'body.dynamic_until: needs dynamic true'],
    [{ ...selector, dynamic: true }, 'body: "dynamic_until" is required with dynamic true'],
    [{ target_kind: 'fleet', target_id: it.fleet.id, ...until }, 'body.dynamic: needs the target_kind selector'],
    [{ ...selector, dynamic: true, dynamic_until: inDays(-1) }, 'body.dynamic_until: must be in the future'],
    [{ ...selector, dynamic: true, dynamic_until: inDays(367) }, 'body.dynamic_until: more than 366 days ahead'],
    [
      { ...selector, dynamic: true, dynamic_until: '1969-12-31T00:00:00Z' },
      'body.dynamic_until: must be an instant like 2026-12-31T00:00:00Z or 2026-12-31T00:00:00+09:00',
    ],
  ];
  for (const [body, message] of wrong)
    for (const answer of [await it.deploy(body), await it.deploy(body, 'config'), await it.plan(body)])
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request', message } } });
  const late = await it.deploy({ ...selector, ...until, scheduled_at: inDays(31) });
  expect(late.body.error.message).toBe('body.dynamic_until: must be after scheduled_at, when the deployment begins');
  expect(await it.world.count('deployments')).toBe(0);
  expect((await it.deploy({ ...selector, dynamic: true, dynamic_until: inDays(365.9) })).status).toBe(201);
});

test('a plan has the end date, its hash covers it, and the deployment with the plan is dynamic', async () => {
  await using it = await startRequests();
  const { robot_id: robot } = await it.make.robot();
  await it.world.call('PATCH', `/api/robots/${robot}`, { body: { labels: { tier: 'canary' } } });
  const until = inDays(30);
  const planned = (await it.plan({ ...selector, dynamic: true, dynamic_until: until })).body.data;
  expect(planned.dynamic_until).toBe(until);
  const plain = (await it.plan(selector)).body.data;
  expect(plain).not.toHaveProperty('dynamic_until');
  expect(plain.hash).not.toBe(planned.hash);
  const deploy = (more: object) =>
    it.world.call('POST', '/api/deployments', {
      body: { plan_id: planned.id, ...more },
      headers: { 'Idempotency-Key': randomUUID() },
    });
  expect((await deploy({ dynamic_until: until })).body.error.message).toBe(
    'body: plan_id and dynamic_until exclude each other',
  );
  expect((await deploy({})).body.data).toMatchObject({ dynamic: true, dynamic_until: until });
});
