import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { orderAgent } from '../support/order-agent.ts';
import { factories } from '../support/factories.ts';
import { otlpReceiver } from '../support/otlp-receiver.ts';
import { robotsOf, type Identity } from '../support/robots.ts';
import { until } from '../support/until.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };

/** Config that is deployed to a robot in the trace. */
async function deploy(world: World, sent: Record<string, string> = headers, to?: Identity, key = 'nav.max_speed') {
  const robot = to ?? (await robotsOf(world).enroll());
  const config = await factories(world).config({ key, value: 1.2 });
  const body = { config_id: config.id, target_kind: 'robot', target_id: robot.robot_id };
  const made = await world.call('POST', '/api/configs/deployments', {
    body,
    headers: { ...sent, 'Idempotency-Key': randomUUID() },
  });
  expect(made.status).toBe(201);
  return { robot, deploymentId: made.body.data.id as string };
}

test('an order carries the trace of its request, and steps of a robot are spans without anything that it wrote', async () => {
  await using collector = await otlpReceiver();
  await using world = await startIsolatedWorld({ env: collector.env });
  const { robot, deploymentId } = await deploy(world);
  using agent = await orderAgent(world.url, robot.robot_token);
  const order = await agent.order();
  const request = await collector.first('POST /api/configs/deployments');
  expect(order.traceparent).toBe(`00-${trace}-${request.spanId}-01`);
  const started_at = new Date(Date.now() - 60_000).toISOString();
  await agent.report({
    order_id: order.order_id,
    status: 'failed',
    reason: 'Svc Secret',
    message: 'secret-of-the-robot',
    steps: [
      { step: 'download', started_at, duration_ms: 1_500 },
      { step: 'install', started_at, duration_ms: 2_500, failed: true },
      { step: 'later', started_at: 'soon', duration_ms: 1 },
      { step: 'longest', started_at, duration_ms: Number.MAX_SAFE_INTEGER },
      { step: 'longer', started_at, duration_ms: 1e13 }, // more nanoseconds than OTLP has
      { step: 'before', started_at: '1969-12-31T23:59:59Z', duration_ms: 1 },
      { step: 'after', started_at: '2999-01-01T00:00:00Z', duration_ms: 1 },
    ],
  });
  const last = await collector.first('store report');
  const whole = await collector.first('robot order');
  expect(last.parentSpanId).toBe(whole.spanId);
  expect(whole).toMatchObject({ parentSpanId: request.spanId, status: { code: 2, message: 'failed' } });
  expect([whole.startMs, whole.endMs - whole.startMs].map(Math.round)).toEqual([Date.parse(started_at), 2_500]);
  expect(await collector.first('install')).toMatchObject({ parentSpanId: whole.spanId, status: { code: 2 } });
  const steps = collector.spans.filter(({ parentSpanId }) => parentSpanId === whole.spanId).map(({ name }) => name);
  expect(steps.sort()).toEqual(['download', 'install', 'store report']);
  for (const name of ['store report', 'robot order', 'install'])
    expect((await collector.first(name)).attributes).toMatchObject({
      'fleet.deployment.id': deploymentId,
      'fleet.order.id': order.order_id,
      'fleet.robot.id': robot.robot_id,
    });
  expect(collector.requests.map(({ text }) => text).join()).not.toMatch(/secret/i);
});

test('an order of two deployments is in the trace of the first one, with its reports', async () => {
  await using collector = await otlpReceiver();
  await using world = await startIsolatedWorld({ env: collector.env });
  const { robot, deploymentId } = await deploy(world);
  const other = { traceparent: headers.traceparent.replace(trace, trace.replace('4', '5')) };
  const second = await deploy(world, other, robot, 'nav.min_speed');
  using agent = await orderAgent(world.url, robot.robot_token);
  const { order_id, traceparent, deployments } = await agent.order();
  expect(deployments).toEqual([deploymentId, second.deploymentId]);
  expect(traceparent).toContain(trace);
  await agent.report({ order_id, status: 'verifying' });
  expect(await collector.first('store report')).toMatchObject({
    traceId: trace,
    attributes: { 'fleet.deployment.id': deploymentId },
  });
});

test('a report that is sent again is no second span', async () => {
  await using collector = await otlpReceiver();
  await using world = await startIsolatedWorld({ env: collector.env });
  const { robot } = await deploy(world);
  using agent = await orderAgent(world.url, robot.robot_token);
  const { order_id, digest } = await agent.order();
  for (let count = 0; count < 3; count += 1) await agent.report({ order_id, status: 'verifying' });
  await agent.report({ order_id, status: 'applied', digest });
  await until(() => collector.named('store report').length > 1);
  const statuses = collector.named('store report').map(({ attributes }) => attributes['fleet.order.status']);
  expect(statuses).toEqual(['verifying', 'applied']);
});

test('a deployment of a request that is not sampled, or of a service without traces, has no trace', async () => {
  await using collector = await otlpReceiver();
  await using world = await startIsolatedWorld({ env: collector.env });
  const notSampled = { traceparent: `${headers.traceparent.slice(0, -2)}00` };
  const { robot } = await deploy(world, notSampled);
  using agent = await orderAgent(world.url, robot.robot_token);
  expect(await agent.order()).not.toHaveProperty('traceparent');
  await using plain = await startIsolatedWorld({ shares: world });
  await deploy(plain);
  expect(await world.db('deployments').select('traceparent')).toEqual([{ traceparent: null }, { traceparent: null }]);
});

test('a wave is in the trace of its deployment once it has begun', async () => {
  await using collector = await otlpReceiver();
  await using world = await startIsolatedWorld({ env: collector.env });
  const robots = await robotsOf(world).enrollMany(2);
  const { fleet_id: fleetId } = await robotsOf(world).robot(robots[0] as Identity); // two were enrolled
  const release = await factories(world).release();
  const body = {
    release_id: release.id,
    target_kind: 'fleet',
    target_id: fleetId,
    rollout: { waves: [{ count: 1 }, { count: 1 }] },
  };
  const made = await world.call('POST', '/api/deployments', {
    body,
    headers: { ...headers, 'Idempotency-Key': 'one' },
  });
  expect(made.status).toBe(201);
  await collector.first('start deployment');
  const { items } = (await world.call('GET', `/api/deployments/${made.body.data.id}/targets`)).body;
  const { robot_id: canary } = items.find(({ wave }: { wave: number }) => wave === 1);
  const robot = robots.find(({ robot_id: id }) => id === canary) as Identity; // one of the two
  using agent = await orderAgent(world.url, robot.robot_token);
  const { order_id } = await agent.order();
  await world.db
    .raw(`create function fail() returns trigger language plpgsql as $$ begin raise exception 'no wave begins'; end $$;
    create trigger fail before update on deployments for each row when (new.open_wave > old.open_wave) execute function fail()`);
  await agent.report({ order_id, status: 'applied', digest: release.artifact_sha256 });
  const later = world.db('deployments').whereRaw(`decide_at > now() + interval '6 seconds'`); // it was postponed
  await until(async () => (await later.clone().select('id')).length > 0);
  const mayBeginMs = Date.now();
  await world.db.raw('drop trigger fail on deployments; update deployments set decide_at = now()');
  const wave = await collector.first('start wave');
  expect(wave).toMatchObject({ traceId: trace, attributes: { 'fleet.wave': 2 } });
  expect(Math.round(wave.startMs)).toBeGreaterThanOrEqual(mayBeginMs);
});

test('a retry is in the trace of the deployment that failed', async () => {
  await using collector = await otlpReceiver();
  await using world = await startIsolatedWorld({ env: collector.env });
  const { robot, deploymentId } = await deploy(world);
  using agent = await orderAgent(world.url, robot.robot_token);
  const { order_id, traceparent } = await agent.order();
  await agent.report({ order_id, status: 'failed', reason: 'no_space' });
  const retry = await world.call('POST', `/api/configs/deployments/${deploymentId}/retry`, {
    headers: { 'Idempotency-Key': 'again' },
  });
  expect(retry.status).toBe(201);
  expect(await agent.order()).toMatchObject({ traceparent });
});
