import { expect, test } from 'vitest';
import { readTracing } from '../../src/platform/trace-settings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

/** The settings, or what is wrong with them. */
function read(env: Record<string, string>, warnings: string[] = []) {
  const problems: string[] = [];
  const settings = readTracing(env, problems, warnings);
  return problems.length > 0 ? problems : settings;
}

test('traces are off without an endpoint, and where OpenTelemetry or its exporter is switched off', () => {
  for (const env of [
    { OTEL_SERVICE_NAME: 'fleet', OTEL_TRACES_SAMPLER: 'nonsense that nothing uses' },
    { OTEL_TRACES_EXPORTER: 'otlp,console', OTEL_SDK_DISABLED: 'maybe' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ' ' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' },
    { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' },
    { ...endpoint, OTEL_TRACES_EXPORTER: 'none' },
  ])
    expect(read(env)).toBeUndefined();
});

test('an endpoint alone gives the defaults of OpenTelemetry', () => {
  expect(read(endpoint)).toEqual({
    url: 'http://collector:4318/v1/traces',
    protocol: 'http/protobuf',
    headers: {},
    resource: { 'service.name': 'fleet-control-service' },
    sampler: 'parentbased_always_on',
    ratio: 1,
    queue: { maxQueueSize: 2_048, maxExportBatchSize: 512, scheduledDelayMillis: 5_000, exportTimeoutMillis: 30_000 },
  });
});

test('the settings of traces come before those of all signals, and the service name before the resource', () => {
  expect(
    read({
      ...endpoint,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/otlp',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20one, x-tenant=a=b',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=Bearer%20two',
      OTEL_SERVICE_NAME: 'fleet-eu',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=production',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_SCHEDULE_DELAY: '1000',
    }),
  ).toMatchObject({
    url: 'https://traces.example.com/otlp',
    protocol: 'http/json',
    headers: { authorization: 'Bearer two', 'x-tenant': 'a=b' },
    resource: { 'service.name': 'fleet-eu', 'deployment.environment.name': 'production' },
    sampler: 'traceidratio',
    ratio: 0.25,
    queue: { scheduledDelayMillis: 1_000 },
  });
});

test.each([
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc'],
  ['OTEL_TRACES_EXPORTER', 'console'],
])('%s=%s of the host gives no traces and one warning, whatever else is set', (name, value) => {
  const warnings: string[] = [];
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317', [name]: value };
  expect(read(env, warnings)).toBeUndefined();
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(`${value} is not supported`);
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:secret@collector:4318'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'ftp://collector'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'quic'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'thrift'],
  ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd'],
  ['OTEL_EXPORTER_OTLP_COMPRESSION', 'GZIP'],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', '10 s'],
  ['OTEL_EXPORTER_OTLP_CERTIFICATE', '/nonexistent/ca.pem'],
  ['OTEL_EXPORTER_OTLP_CLIENT_KEY', '/'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'no pair'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a@b=1'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=%E2%82%AC'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=%0d%0aX: 1'],
  ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'a=%E0%A4%A'],
  ['OTEL_RESOURCE_ATTRIBUTES', '=x'],
  ['OTEL_TRACES_EXPORTER', 'nothing'],
  ['OTEL_SDK_DISABLED', 'maybe'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['OTEL_BSP_MAX_QUEUE_SIZE', '-1'],
  ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '4096'],
  ['OTEL_BSP_SCHEDULE_DELAY', '5s'],
  ['OTEL_BSP_EXPORT_TIMEOUT', 'never'],
])('%s=%s is refused in one sentence that does not repeat the value', (name, value) => {
  const problems = read({ ...endpoint, [name]: value }) as string[];
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${name} must `));
  expect(problems[0]).not.toContain(value);
});
