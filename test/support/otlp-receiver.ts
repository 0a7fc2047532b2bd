import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { readOtlp, type OtlpAttribute, type OtlpBody } from './otlp-protobuf.ts';
import { until } from './until.ts';

/** A span as OTLP writes it, with its attributes as an object. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number>;
  status: { code?: number; message?: string };
  resource: Record<string, string | number>;
}

const objectOf = (attributes: readonly OtlpAttribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
  );

/** A collector: receives OTLP over HTTP, as protobuf or JSON. `answer` responds in place of the usual 200. */
export async function otlpReceiver(answer?: (response: ServerResponse) => void) {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string | undefined; headers: IncomingHttpHeaders; text: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isJson = request.headers['content-type'] === 'application/json';
      const sent = Buffer.concat(chunks);
      const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      const text = bytes.toString();
      requests.push({ path: request.url, headers: request.headers, text });
      const { resourceSpans } = isJson ? (JSON.parse(text) as OtlpBody) : readOtlp(bytes);
      for (const { resource, scopeSpans } of resourceSpans)
        for (const span of scopeSpans.flatMap((each) => each.spans))
          spans.push({
            ...span,
            startMs: Number(span.startTimeUnixNano) / 1e6,
            endMs: Number(span.endTimeUnixNano) / 1e6,
            attributes: objectOf(span.attributes),
            resource: objectOf(resource.attributes),
          });
      if (answer) answer(response);
      else
        response
          .setHeader('content-type', isJson ? 'application/json' : 'application/x-protobuf')
          .end(isJson ? '{}' : '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    spans,
    requests,
    /** Settings of a service that exports here, at once. */
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '20' },
    named: (name: string) => spans.filter((span) => span.name === name),
    /** The first span of this name that arrives. */
    async first(name: string): Promise<ReceivedSpan> {
      await until(() => spans.some((span) => span.name === name));
      return spans.find((span) => span.name === name) as ReceivedSpan; // `until` has seen it
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
