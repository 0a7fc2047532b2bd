import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgent, stateOf } from '../support/agent-process.ts';
import { startHome } from '../support/cli.ts';
import { factories } from '../support/factories.ts';
import { sha256 } from '../support/orders.ts';
import { otlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts';
import { until } from '../support/until.ts';
import { startIsolatedWorld } from '../support/world.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const caller = { spanId: '00f067aa0ba902b7', name: 'caller' };

/** `name < name of its parent`, of all spans of the trace. */
const edges = (spans: readonly ReceivedSpan[]) =>
  spans.map(({ name, parentSpanId }) => {
    const parent = [caller, ...spans].find(({ spanId }) => spanId === parentSpanId);
    return `${name} < ${parent?.name ?? 'nothing'}`;
  });

test('a deployment is one trace, from the request to the last report of a real agent', async () => {
  await using collector = await otlpReceiver();
  await using world = await startIsolatedWorld({ env: collector.env });
  await using home = await startHome();
  const make = factories(world);
  const script = '#!/bin/sh\nsleep 0.05\n';
  await mkdir(join(stateOf(home), 'artifacts'), { recursive: true, mode: 0o700 });
  await writeFile(join(stateOf(home), 'artifacts', sha256(script)), script);
  const release = await make.release({
    artifact_sha256: sha256(script),
    artifact_size: script.length,
    kind: 'script',
  });
  const env = { SERVICE_ENROLLMENT_KEY: (await make.key()).value as string, TEST_BASE_URL: world.url };
  await using agent = startAgent(home, [], env);
  const robots = async () => (await world.call('GET', '/api/robots')).body.items;
  await until(async () => (await robots())[0]?.online === true);
  const [{ id: robotId }] = await robots();
  const body = { release_id: release.id, target_kind: 'robot', target_id: robotId };
  const headers = { traceparent: `00-${trace}-${caller.spanId}-01`, 'Idempotency-Key': 'one' };
  const made = await world.call('POST', '/api/deployments', { body, headers });
  expect(made.status).toBe(201);
  const ofTrace = () => collector.spans.filter(({ traceId }) => traceId === trace);
  const reports = () => ofTrace().filter(({ name }) => name === 'store report');
  await until(() => reports().some(({ attributes }) => attributes['fleet.order.status'] === 'applied'));

  const ofKind = (isStatement: boolean) => {
    const spans = ofTrace();
    return edges(spans).filter((_edge, index) => (spans[index]?.kind === 3) === isStatement);
  };
  // Spans arrive in several exports.
  await expect
    .poll(() => new Set(ofKind(false)))
    .toEqual(
      new Set([
        'POST /api/deployments < caller',
        'start deployment < POST /api/deployments',
        'create order < POST /api/deployments',
        'store report < POST /api/deployments',
        'robot order < POST /api/deployments',
        'download < robot order',
        'install < robot order',
        'activate < robot order',
        'verify < robot order',
        'commit < robot order',
        'store report < robot order',
      ]),
    );
  const all = ofTrace();
  const statements = ofKind(true);
  expect(new Set(statements.map((edge) => edge.split(' < ')[1]))).toEqual(new Set(['POST /api/deployments']));
  expect(statements.join()).toMatch(/BEGIN.*INSERT deployments.*COMMIT/);
  const activate = all.find(({ name }) => name === 'activate');
  expect((activate?.endMs ?? 0) - (activate?.startMs ?? 0)).toBeGreaterThan(40);
  expect(activate?.attributes['fleet.robot.id']).toBe(robotId);
  const text = collector.requests.map((request) => request.text).join('\n');
  expect(text).not.toMatch(/svc_[a-z]+_/);
  expect(text).not.toContain(release.tag);
  expect(agent.text()).toContain('Connected');
}, 60_000);
