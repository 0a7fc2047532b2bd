import { TraceFlags } from '@opentelemetry/api';
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { TraceSettings } from './trace-settings.ts';

/** The queue of spans, with a limit. `onDropped`: these spans are lost, with the error of the export if it was sent. */
export function spanQueue(
  exporter: SpanExporter,
  settings: TraceSettings['queue'],
  onDropped: (spans: number, error?: Error) => void,
): SpanProcessor {
  let waiting = 0;
  const batches = new BatchSpanProcessor({
    ...settings,
    exporter: {
      export(spans, done) {
        waiting -= spans.length;
        exporter.export(spans, (result) => {
          if (result.error) onDropped(spans.length, result.error);
          done(result);
        });
      },
      shutdown: () => exporter.shutdown(),
    },
  });
  return {
    onStart() {},
    onEnd(span) {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
      // The queue of the package drops spans too, but counts them nowhere.
      if (waiting >= settings.maxQueueSize) return onDropped(1);
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}
