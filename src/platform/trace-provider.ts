import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace, type Context, type Span } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { errorText } from '../kernel/errors.ts';
import { spanQueue } from './trace-queue.ts';
import type { TraceSettings } from './trace-settings.ts';
import type { Attributes, EndedWork, Tracing } from './tracing.ts';
import { summarizer } from './statement-summary.ts';

const stopMs = 2_000;
const warnEveryMs = 60_000;
/** Exports at the same time; the default of the package. */
const maxExports = 30;

/** A request in progress. Timers and other work that it began may outlive it, and then belong to no request. */
interface ActiveRequest {
  span: Span;
  context: Context;
  isOpen: boolean;
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;

/** The root for a text that is none. An unknown version may have more fields. */
function contextOf(text: string | undefined): Context {
  const [, version, traceId = '', spanId = '', flags = '', rest] = pattern.exec(text ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== '')) return ROOT_CONTEXT;
  const traceFlags = parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function textOf(span: Span): string | undefined {
  const { traceId, spanId } = span.spanContext();
  return span.isRecording() ? `00-${traceId}-${spanId}-01` : undefined;
}

function samplerOf({ sampler: name, ratio }: TraceSettings): Sampler {
  const root = name.endsWith('always_on')
    ? new AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Traces that are exported by OTLP over HTTP. A receiver that fails costs spans, and nothing else. */
export function createTracing(settings: TraceSettings, log: Logger, version: string): Tracing {
  const { url, protocol, headers, queue } = settings;
  let dropped = 0;
  let warnedMs = -Infinity;
  let droppedBefore = 0; // at the last warning
  function onDropped(spans: number, error?: Error): void {
    dropped += spans;
    if (performance.now() - warnedMs < warnEveryMs) return;
    warnedMs = performance.now();
    log.warn(
      { reason: error ? errorText(error) : 'the queue is full', url, spans: dropped - droppedBefore },
      'spans were dropped; the next warning follows in a minute at the earliest',
    );
    droppedBefore = dropped;
  }
  // At the stop, all batches of a full queue are exported at once.
  const concurrencyLimit = maxExports + Math.ceil(queue.maxQueueSize / queue.maxExportBatchSize);
  const Exporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter;
  const exporter = new Exporter({ url, headers, concurrencyLimit });
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: resourceFromAttributes({ 'service.version': version, ...settings.resource }),
    spanProcessors: [spanQueue(exporter, queue, onDropped)],
  });
  const tracer = provider.getTracer('fleet-control-service', version);
  const summaryOf = summarizer();
  const requests = new AsyncLocalStorage<ActiveRequest | undefined>();
  const active = (): ActiveRequest | undefined => {
    const request = requests.getStore();
    return request?.isOpen ? request : undefined;
  };

  return {
    async request(method, caller, work) {
      const context = contextOf(caller);
      const attributes: Attributes = { 'http.request.method': method };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, context);
      const request: ActiveRequest = { span, context: trace.setSpan(context, span), isOpen: true };
      try {
        return await requests.run(request, () =>
          work(({ route, operation, orgId, status }) => {
            if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
            if (operation !== undefined) span.setAttribute('fleet.operation', operation);
            if (orgId !== undefined) span.setAttribute('fleet.org.id', orgId);
            span.setAttribute('http.response.status_code', status);
            if (status >= 500)
              span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(status));
          }),
        );
      } finally {
        request.isOpen = false;
        span.end();
      }
    },

    statement(text) {
      const request = active();
      if (!request?.span.isRecording()) return undefined;
      const { operation, summary } = summaryOf(text);
      const attributes: Attributes = {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.summary': summary,
      };
      const span = tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes }, request.context);
      return (error) => {
        if (error !== undefined) {
          const { code = '_OTHER' } = error as { code?: string }; // of Postgres, or of the connection
          span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', code);
        }
        span.end();
      };
    },

    outside: (work) => requests.run(undefined, work),

    context() {
      const request = active();
      return request && textOf(request.span);
    },

    traceId: () => active()?.span.spanContext().traceId,

    record({ name, parent, startedAt, endedAt, attributes, error }: EndedWork) {
      const span = tracer.startSpan(name, { startTime: startedAt, attributes }, contextOf(parent));
      const context = textOf(span);
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
      span.end(endedAt);
      return context;
    },

    get dropped() {
      return dropped;
    },

    async stop() {
      let late: NodeJS.Timeout | undefined;
      const inTime = await Promise.race([
        // An export that fails is counted above.
        provider.shutdown().then(
          () => true,
          () => true,
        ),
        new Promise<false>((resolve) => (late = setTimeout(() => resolve(false), stopMs))),
      ]);
      clearTimeout(late);
      return inTime;
    },
  };
}
