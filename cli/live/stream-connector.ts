import { IncomingMessage, type IncomingHttpHeaders } from 'node:http';
import type { WebSocket } from 'ws';
import { limits } from '../../generated/protocol.js';
import { orgHeader, type Api } from '../api/api.ts';
import { envelopeOf, refusal } from '../api/api-errors.ts';
import { caCertificatesOf } from '../api/ca-certificates.ts';
import { proxyFor } from '../api/connection.ts';
import { traced } from '../api/trace.ts';
import { StreamError } from '../client/errors.ts';
import { maxFrameBytes } from '../client/streams/socket-maker.ts';
import { streamUrl, type StreamConnector } from '../client/streams/stream-connector.ts';
import { reasonOfStatus } from '../client/streams/stream-ends.ts';
import { CliError } from '../command-line/errors.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { messageOf } from '../transport/http.ts';
import { retryClassOf, retryAfterSeconds } from '../transport/retry.ts';

/** Time limit for the response to a stream request, and for the body of a refusal. */
const answerWithinMs = 15_000;
/** Of a longer refusal only the beginning is read. It is not from the service. */
const maxRefusalBytes = 64 * 1024;

/** The protocol's limit. */
export const silentSeconds = limits.deadAfterMs / 1000;

/**
 * Opens streams on `ws` sockets, with the proxy and the certificates of the call. The cause of a StreamError is the
 * error for people.
 */
export function streamConnector(call: Invocation, api: Api): StreamConnector {
  const { connection } = api;
  return {
    silentSeconds,
    async open(robotId, kind, query, protocol) {
      // A bundle of its own: no other command needs WebSockets.
      const { openSocket } = await import('../transport/link-socket.ts');
      const url = streamUrl(connection.baseUrl, robotId, kind, query);
      try {
        const socket = await openSocket(url, connection.token ?? '', {
          proxy: proxyFor(new URL(url.href.replace(/^ws/, 'http')), call.environment),
          authorities: await caCertificatesOf(call),
          userAgent: `fleet-cli/${call.version}`,
          headers: orgHeader(connection),
          maxFrameBytes,
          protocol,
        });
        const answer = await traced(call, { method: 'GET', url }, () => answerOf(socket), outcomeOf);
        if (answer instanceof IncomingMessage) throw await refused(answer, api, url.pathname);
        return { socket, newestSeq: newestSeqOf(answer) };
      } catch (error) {
        if (error instanceof StreamError) throw error;
        const cause = error instanceof CliError ? error : new CliError(messageOf(error));
        throw new StreamError(cause.message, 1006, 'unopened', { cause, isRetryable: cause !== error });
      }
    },
  };
}

/** The response: the headers of the opened socket, or a refusal. Rejects if the connection broke. */
function answerOf(socket: WebSocket): Promise<IncomingHttpHeaders | IncomingMessage> {
  return new Promise((resolve, reject) => {
    let headers: IncomingHttpHeaders = {};
    let refusal: IncomingMessage | undefined;
    const tooLate = setTimeout(() => {
      const late = new Error(`no complete response within ${answerWithinMs / 1000} s`);
      reject(late);
      refusal?.destroy(late);
      socket.terminate();
    }, answerWithinMs);
    socket.once('close', () => clearTimeout(tooLate));
    socket.on('error', reject);
    socket.once('upgrade', (response) => (headers = response.headers));
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      refusal = response.once('close', () => clearTimeout(tooLate));
      resolve(response);
    });
    socket.once('open', () => {
      // Messages that arrive with the response would otherwise precede any listener.
      socket.pause();
      clearTimeout(tooLate);
      resolve(headers);
    });
  });
}

const outcomeOf = (answer: IncomingHttpHeaders | IncomingMessage) =>
  answer instanceof IncomingMessage
    ? { status: answer.statusCode ?? 0, requestId: answer.headers['x-request-id'] }
    : { status: 101, requestId: answer['x-request-id'] };

async function refused(response: IncomingMessage, { connection }: Api, path: string): Promise<StreamError> {
  const { statusCode: status = 0, headers } = response;
  const body = await beginningOf(response);
  const cause = refusal({ status, headers, body }, connection, path);
  if (status === 409 && envelopeOf(body)?.message === 'agent offline')
    return new StreamError(cause.message, 1006, 'offline');
  const outlook = retryClassOf(status, retryAfterSeconds(headers['retry-after'], headers.date));
  const isRetryable = outlook === 'temporary' || status >= 500;
  return new StreamError(cause.message, 1006, reasonOfStatus(status), { cause, isRetryable });
}

/** At most `maxRefusalBytes` of a body, and one chunk. Throws if the response breaks off. */
async function beginningOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxRefusalBytes) break;
  }
  return Buffer.concat(chunks);
}

/** The header of live logs. */
const newestSeqOf = ({ 'x-log-seq': header }: IncomingHttpHeaders): number | undefined =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
