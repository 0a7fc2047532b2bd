import dns from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../../src/platform/logging.ts';
import { summarizer } from '../../src/platform/statement-summary.ts';
import { createTracing } from '../../src/platform/trace-provider.ts';
import { readTracing, type TraceSettings } from '../../src/platform/trace-settings.ts';
import { otlpReceiver } from '../support/otlp-receiver.ts';
import { until } from '../support/until.ts';

const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const work = { name: 'work', parent, startedAt: new Date(), endedAt: new Date(), attributes: {} };
const request = <T>(tracing: ReturnType<typeof createTracing>, run: () => Promise<T>) =>
  tracing.request('GET', parent, async (describe) => {
    const result = await run();
    describe({ status: 200, route: '/api/sites', operation: 'listSites', orgId: undefined });
    return result;
  });

function tracingOf(env: Record<string, string>) {
  const lines: string[] = [];
  const settings = readTracing(env, []) as TraceSettings; // each test has an endpoint
  const log = createLogger('debug', [], (line) => void lines.push(line));
  return Object.assign(createTracing(settings, log, '1.2.3'), { lines });
}

test('what a request leaves behind, and what it causes elsewhere, is no part of it', async () => {
  await using collector = await otlpReceiver();
  const tracing = tracingOf(collector.env);
  let late: Promise<void> = Promise.resolve();
  await request(tracing, async () => {
    tracing.statement('select 1')?.();
    tracing.outside(() => tracing.statement('delete from elsewhere')?.());
    late = sleep(30).then(() => {
      expect(tracing.traceId()).toBeUndefined();
      expect(tracing.context()).toBeUndefined();
      tracing.statement('update later set x = 1')?.();
    });
    expect(tracing.traceId()).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
  });
  await late;
  expect(await tracing.stop()).toBe(true);
  expect(collector.spans.map(({ name }) => name).sort()).toEqual(['GET /api/sites', 'SELECT']);
});

test('a statement that fails is marked with its code, and with nothing of its message', async () => {
  await using collector = await otlpReceiver();
  const tracing = tracingOf(collector.env);
  await request(tracing, async () => {
    tracing.statement('insert into sites (name) values ($1)')?.(Object.assign(new Error('secret'), { code: '23505' }));
  });
  await tracing.stop();
  const failed = await collector.first('INSERT sites');
  expect(failed).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': '23505' } });
  expect(collector.requests.map(({ text }) => text).join()).not.toContain('secret');
});

test('spans beyond the queue are dropped and counted, with one warning', async () => {
  await using collector = await otlpReceiver(() => undefined); // never responds
  const tracing = tracingOf({ ...collector.env, OTEL_BSP_MAX_QUEUE_SIZE: '10', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10' });
  for (let count = 0; count < 10; count += 1) tracing.record(work);
  await until(() => collector.requests.length === 1);
  for (let count = 0; count < 1_000; count += 1) tracing.record(work);
  expect(tracing.dropped).toBe(990);
  expect(tracing.lines).toHaveLength(1);
  expect(tracing.lines[0]).toContain('the queue is full');
  expect(await tracing.stop()).toBe(false);
});

test('the warning says why an export failed, also if a host has several addresses', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '100'); // the exporter reads it by itself
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  using lookup = vi.spyOn(dns, 'lookup');
  lookup.mockImplementation(((_host: string, _options: object, done: (...found: unknown[]) => void) =>
    done(null, addresses)) as typeof dns.lookup);
  const tracing = tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:9' }); // nothing listens there
  tracing.record(work);
  await tracing.stop();
  expect(tracing.lines.map((line) => (JSON.parse(line) as { reason: string }).reason)).toEqual(['ECONNREFUSED']);
});

test('all batches of a full queue are exported at the stop', async () => {
  await using collector = await otlpReceiver();
  const tracing = tracingOf({ ...collector.env, OTEL_BSP_MAX_QUEUE_SIZE: '100', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' });
  for (let count = 0; count < 100; count += 1) tracing.record(work);
  expect(await tracing.stop()).toBe(true);
  expect(collector.spans).toHaveLength(100);
  expect(tracing.dropped).toBe(0);
});

test.each([
  [undefined, 'application/x-protobuf'],
  ['http/protobuf', 'application/x-protobuf'],
  ['http/json', 'application/json'],
])('exports over %s have the headers of the settings, and the version of the service', async (protocol, type) => {
  await using collector = await otlpReceiver();
  const tracing = tracingOf({
    ...collector.env,
    ...(protocol && { OTEL_EXPORTER_OTLP_PROTOCOL: protocol }),
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of%20the%20collector',
  });
  tracing.record(work);
  await tracing.stop();
  expect(collector.requests[0]).toMatchObject({
    path: '/v1/traces',
    headers: { authorization: 'Bearer of the collector', 'content-type': type },
  });
  const { name, traceId, parentSpanId, startMs } = collector.spans[0] ?? {};
  expect({ name, traceId, parentSpanId }).toEqual({
    name: 'work',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    parentSpanId: '00f067aa0ba902b7',
  });
  expect(startMs).toBeCloseTo(work.startedAt.getTime(), 1);
  expect(collector.spans[0]?.resource).toMatchObject({ 'service.version': '1.2.3' });
});

test('a share of the traces is exported, whatever their callers wish', async () => {
  await using collector = await otlpReceiver();
  const tracing = tracingOf({ ...collector.env, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
  expect(tracing.record(work)).toBeUndefined();
  await tracing.stop();
  expect(collector.requests).toEqual([]);
});

test.each([
  ['begin', 'BEGIN'],
  ['  select id from "robots" where id = $1', 'SELECT robots'],
  ['insert into "sites" ("id") values ($1)', 'INSERT sites'],
  ['insert into sites (id) values ($1)', 'INSERT sites'],
  ['update orders o set sent_at = now()', 'UPDATE orders'],
  ['with k as (select * from unnest($1::uuid[])) select from k join fleets using (id)', 'WITH k'],
  ["select set_config('enable_seqscan', 'off', true)", 'SELECT'],
  ['', 'OTHER'],
])('the summary of %j is %s', (text, summary) => {
  expect(summarizer()(text).summary).toBe(summary);
});
