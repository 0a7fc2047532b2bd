import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { otlpReceiver } from '../support/otlp-receiver.ts';
import { until } from '../support/until.ts';
import { startIsolatedWorld } from '../support/world.ts';

const callerTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${callerTrace}-00f067aa0ba902b7-01`;

test('a request is a span named by its route, with its statements below it, in the trace of its caller', async () => {
  await using collector = await otlpReceiver();
  await using world = await startIsolatedWorld({ env: { ...collector.env, OTEL_SERVICE_NAME: 'fleet-a' } });
  const made = await world.call('POST', '/api/sites', { body: { name: 'Osaka' }, headers: { traceparent } });
  expect(made.status).toBe(201);
  const span = await collector.first('POST /api/sites');
  expect(span).toMatchObject({
    traceId: callerTrace,
    parentSpanId: '00f067aa0ba902b7',
    kind: 2,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/sites',
      'http.response.status_code': 201,
      'fleet.operation': 'createSite',
      'fleet.org.id': world.orgId,
    },
    resource: { 'service.name': 'fleet-a' },
  });
  await until(() => collector.named('COMMIT').length > 0);
  const statements = collector.spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
  expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['BEGIN', 'INSERT sites', 'COMMIT']));
  expect(statements.every(({ kind, traceId }) => kind === 3 && traceId === callerTrace)).toBe(true);
  const line = world.lines.find((text) => text.includes('"operation":"createSite"'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ trace_id: callerTrace });
});

test('spans have neither tokens nor what callers send', async () => {
  await using collector = await otlpReceiver();
  await using world = await startIsolatedWorld({ env: collector.env });
  const secret = 'a-name-that-nobody-else-may-read';
  await world.call('POST', '/api/sites', { body: { name: secret }, headers: { tracestate: `x=${secret}` } });
  await world.call('GET', `/api/sites?name=${secret}`, { headers: { baggage: `user=${secret}` } });
  await world.call('GET', `/api/nothing/${secret}`);
  await collector.first('GET /api/sites');
  await until(() => collector.spans.some(({ attributes }) => attributes['http.response.status_code'] === 404));
  const exported = collector.requests.map(({ text }) => text).join('\n');
  expect(exported).not.toContain(secret);
  expect(exported).not.toContain(world.orgToken);
  expect(exported).not.toContain(world.orgToken.slice(0, 12));
});

test('the trace context of a caller gives no access, and one that is invalid begins a new trace', async () => {
  await using collector = await otlpReceiver();
  await using world = await startIsolatedWorld({ env: collector.env });
  expect((await world.call('GET', '/api/robots', { token: '', headers: { traceparent } })).status).toBe(401);
  const refused = await collector.first('GET');
  expect(refused).toMatchObject({ traceId: callerTrace });
  expect(refused.attributes).not.toHaveProperty('fleet.org.id');
  for (const wrong of ['00-0-0-01', `ff${traceparent.slice(2)}`, `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`])
    expect((await world.call('GET', '/api/fleets', { headers: { traceparent: wrong } })).status).toBe(200);
  await until(() => collector.named('GET /api/fleets').length === 3);
  const traces = collector.named('GET /api/fleets').map(({ traceId, parentSpanId }) => ({ traceId, parentSpanId }));
  expect(new Set(traces.map(({ traceId }) => traceId)).size).toBe(3);
  expect(traces.every(({ traceId, parentSpanId }) => !/^0+$/.test(traceId) && parentSpanId === undefined)).toBe(true);
});

test('the sampler decides which traces are exported', async () => {
  await using collector = await otlpReceiver();
  const env = { ...collector.env, OTEL_TRACES_SAMPLER: 'parentbased_always_off' };
  await using world = await startIsolatedWorld({ env });
  await world.call('GET', '/api/fleets');
  await world.call('GET', '/api/sites', { headers: { traceparent: `${traceparent.slice(0, -2)}00` } });
  await world.call('GET', '/api/robots', { headers: { traceparent } });
  await collector.first('GET /api/robots');
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([callerTrace]));
  expect(collector.named('GET /api/sites')).toEqual([]);
});

test('a collector that refuses or does not respond costs spans, one warning, and no request', async () => {
  await using collector = await otlpReceiver((response) => void response.writeHead(400).end());
  const env = { ...collector.env, OTEL_BSP_MAX_QUEUE_SIZE: '5', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5' };
  await using world = await startIsolatedWorld({ env });
  const make = factories(world);
  for (const name of ['Osaka', 'Kyoto', 'Nara']) await make.site(name);
  await until(() => collector.requests.length > 1);
  const dropped = async () => {
    const { text } = await world.call('GET', '/metrics', { token: '' });
    return Number(/^fleet_trace_spans_dropped_total (\d+)$/m.exec(text)?.[1]);
  };
  await until(async () => (await dropped()) > 5);
  const warnings = world.lines.filter((line) => line.includes('spans were dropped'));
  expect(warnings).toHaveLength(1);
});

test('without a collector in its settings, a service traces nothing', async () => {
  await using collector = await otlpReceiver();
  const off = { ...collector.env, OTEL_SDK_DISABLED: 'true' };
  await using world = await startIsolatedWorld({ env: off });
  await world.call('GET', '/api/fleets', { headers: { traceparent } });
  await world.stop(0);
  expect(collector.requests).toEqual([]);
  expect(world.lines.some((line) => line.includes('trace_id'))).toBe(false);
});
