import { readFileSync } from 'node:fs';
import { validateHeaderName, validateHeaderValue } from 'node:http';

/** Where traces go, and which. The names are those of OpenTelemetry. */
export interface TraceSettings {
  url: string; // OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, or OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces
  protocol: Protocol; // OTEL_EXPORTER_OTLP_PROTOCOL, http/protobuf
  headers: Record<string, string>; // OTEL_EXPORTER_OTLP_HEADERS and OTEL_EXPORTER_OTLP_TRACES_HEADERS
  resource: Record<string, string>; // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES
  sampler: Sampler; // OTEL_TRACES_SAMPLER, parentbased_always_on
  ratio: number; // OTEL_TRACES_SAMPLER_ARG, 1; of traceidratio
  queue: {
    maxQueueSize: number; // OTEL_BSP_MAX_QUEUE_SIZE, 2048 spans
    maxExportBatchSize: number; // OTEL_BSP_MAX_EXPORT_BATCH_SIZE, 512 spans
    scheduledDelayMillis: number; // OTEL_BSP_SCHEDULE_DELAY, 5000
    exportTimeoutMillis: number; // OTEL_BSP_EXPORT_TIMEOUT, 30000
  };
}

const samplers = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;
type Sampler = (typeof samplers)[number];

const supportedProtocols = ['http/protobuf', 'http/json'] as const;
type Protocol = (typeof supportedProtocols)[number];

type Environment = Record<string, string | undefined>;

/** Values of OpenTelemetry that other programs may need. */
const otherExporters = ['console', 'logging', 'zipkin', 'jaeger'];

/** What the exporter reads by itself. It ignores what is invalid, so it is checked here. */
const certificates = ['CERTIFICATE', 'CLIENT_CERTIFICATE', 'CLIENT_KEY'];

/**
 * Settings of traces; undefined without an endpoint, or if they are switched off. Adds a sentence to `problems` for each that
 * is invalid, and to `warnings` for one that other programs of the host may need: without it, there are no traces.
 */
export function readTracing(env: Environment, problems: string[], warnings: string[] = []): TraceSettings | undefined {
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, wants: string): T => {
    const text = env[name]?.trim() ?? '';
    if (text === '') return fallback;
    const value = parse(text);
    if (value === undefined) problems.push(`${name} must be ${wants}`);
    return value ?? fallback;
  };
  const endpoint = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].find((name) =>
    env[name]?.trim(),
  );
  if (endpoint === undefined) return undefined;
  const exporters = oneOf(['otlp', 'none', ...otherExporters]);
  const kind = read('OTEL_TRACES_EXPORTER', 'otlp', exporters, 'otlp or none');
  const isDisabled = read('OTEL_SDK_DISABLED', 'false', oneOf(['true', 'false']), 'true or false') === 'true';
  if (kind === 'none' || isDisabled) return undefined;
  if (kind !== 'otlp') {
    warnings.push(`OTEL_TRACES_EXPORTER=${kind} is not supported: no traces are exported. Set it to otlp`);
    return undefined;
  }

  /** The setting of traces alone, or else that of all signals. */
  const exporter = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, wants: string): T =>
    read(`OTEL_EXPORTER_OTLP_TRACES_${name}`, read(`OTEL_EXPORTER_OTLP_${name}`, fallback, parse, wants), parse, wants);
  const count = (name: string, fallback: number) =>
    read(`OTEL_BSP_${name}`, fallback, parseCount, 'a whole number from 1 to 1000000');
  const protocols = oneOf([...supportedProtocols, 'grpc']);
  const protocol = exporter('PROTOCOL', 'http/protobuf', protocols, supportedProtocols.join(' or '));
  if (protocol === 'grpc') {
    warnings.push(
      'OTLP over grpc is not supported: no traces are exported. Set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL to http/protobuf',
    );
    return undefined;
  }
  const url = read(endpoint, '', parseUrl, 'an http or https address without query or user');
  exporter('COMPRESSION', 'none', (text) => (/^(gzip|none)$/.test(text) ? text : undefined), 'gzip or none');
  exporter('TIMEOUT', 10_000, parseCount, 'milliseconds from 1 to 1000000');
  for (const name of certificates) exporter(name, '', readable, 'a file that can be read');
  const pairs = 'key=value pairs, separated by commas and percent-encoded';
  const named = read('OTEL_RESOURCE_ATTRIBUTES', {}, parsePairs, pairs);
  const queue = {
    maxQueueSize: count('MAX_QUEUE_SIZE', 2_048),
    maxExportBatchSize: count('MAX_EXPORT_BATCH_SIZE', 512),
    scheduledDelayMillis: count('SCHEDULE_DELAY', 5_000),
    exportTimeoutMillis: count('EXPORT_TIMEOUT', 30_000),
  };
  if (queue.maxExportBatchSize > queue.maxQueueSize)
    problems.push('OTEL_BSP_MAX_EXPORT_BATCH_SIZE must not be greater than OTEL_BSP_MAX_QUEUE_SIZE');
  return {
    url: endpoint === 'OTEL_EXPORTER_OTLP_ENDPOINT' ? `${url.replace(/\/$/, '')}/v1/traces` : url,
    protocol,
    headers: {
      ...read('OTEL_EXPORTER_OTLP_HEADERS', {}, parseHeaders, pairs),
      ...read('OTEL_EXPORTER_OTLP_TRACES_HEADERS', {}, parseHeaders, pairs),
    },
    resource: { 'service.name': 'fleet-control-service', ...named, ...serviceName(env['OTEL_SERVICE_NAME']) },
    sampler: read<Sampler>(
      'OTEL_TRACES_SAMPLER',
      'parentbased_always_on',
      oneOf(samplers),
      `one of ${samplers.join(', ')}`,
    ),
    ratio: read('OTEL_TRACES_SAMPLER_ARG', 1, parseRatio, 'a number from 0 to 1'),
    queue,
  };
}

const serviceName = (name: string | undefined) => (name ? { 'service.name': name } : {});

const oneOf =
  <Value extends string>(values: readonly Value[]) =>
  (text: string): Value | undefined =>
    values.find((value) => value === text.toLowerCase());

function parseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  return isPlain ? url.href : undefined;
}

const parseCount = (text: string): number | undefined =>
  /^[1-9]\d{0,6}$/.test(text) && Number(text) <= 1_000_000 ? Number(text) : undefined;

const parseRatio = (text: string): number | undefined =>
  /^\d+(\.\d+)?$/.test(text) && Number(text) <= 1 ? Number(text) : undefined;

function parsePairs(text: string): Record<string, string> | undefined {
  const pairs: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [, name, value] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    const decoded = value === undefined ? undefined : decode(value);
    if (name === undefined || decoded === undefined) return undefined;
    pairs[name] = decoded;
  }
  return pairs;
}

/** Undefined for names and values that no request can have. */
function parseHeaders(text: string): Record<string, string> | undefined {
  const headers = parsePairs(text);
  try {
    for (const [name, value] of Object.entries(headers ?? {})) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return headers;
  } catch {
    return undefined;
  }
}

function readable(file: string): string | undefined {
  try {
    readFileSync(file);
    return file;
  } catch {
    return undefined;
  }
}

/** Undefined for what is no percent-encoded text, or has control characters. */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return /[\0-\x1f\x7f]/.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}
