import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from 'pino';
import { QuotaExceeded, Unavailable } from '../../../kernel/errors.ts';
import type { Metrics } from '../../metrics.ts';
import type { Tracing } from '../../tracing.ts';
import { brokenRequests } from './broken-requests.ts';
import type { createDispatcher } from '../dispatch/dispatch.ts';
import { Overloaded } from '../dispatch/admission.ts';
import { HttpError } from '../reply/failures.ts';
import { lingerForBody } from './linger.ts';
import { checkHeaders, mustUpgrade, readTarget } from '../request/guards.ts';
import { Message } from '../request/message.ts';
import { hasBody } from '../request/input.ts';
import { sendFailure, sendJson } from '../reply/reply.ts';

interface HttpSettings {
  dispatch: Awaited<ReturnType<typeof createDispatcher>>;
  /** Serves everything outside the API: documents, pages, files. */
  pages(request: IncomingMessage, response: ServerResponse): void;
  /** Whether the service can serve requests now. */
  ready(): Promise<{ ready: boolean; checks: Record<string, string> }>;
  /** WebSocket handling; without it WebSockets are off. */
  sockets?: UpgradeHandler;
  metrics: Metrics;
  log: Logger;
  tracing?: Tracing | undefined;
}

export interface UpgradeVerdict {
  status: number;
  orgId?: string | undefined;
  error?: unknown;
}

export interface UpgradeHandler {
  /** Whether the path is a WebSocket path: a plain request for it lacks its upgrade. */
  takes(path: string): boolean;
  /** Accepts the request for a WebSocket, or responds with the refusal. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer, requestId: string): Promise<UpgradeVerdict>;
  /** Refuses all further upgrades. */
  refuse(): void;
  /** Ends all open WebSockets. */
  drain(): Promise<void>;
}

export interface HttpServer {
  readonly port: number;
  /**
   * Resolves when every accepted request has its response, or after 10 s, and every WebSocket has ended. `noticeMs`:
   * how long to keep serving while `/readyz` reports not ready to load balancers.
   */
  stop(noticeMs: number): Promise<void>;
}

/** The outcome of a request. Outside of the API, only its status is known. */
interface Verdict {
  status: number;
  operation?: string | undefined;
  route?: string | undefined;
  orgId?: string | undefined;
  error?: unknown;
}

type Describe = (facts: { status: number } & Record<'operation' | 'route' | 'orgId', string | undefined>) => void;

const drainMs = 10_000;
/** For the whole body. A body that is a file has its own timeout (`../dispatch/files.ts`). */
const bodyMs = 30_000;
/** Same code as Node's error for a request that takes too long. */
const lateBody = Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
/** Label of probes in metrics: without it, they would hide that all requests to a quiet service fail. */
const probe = 'probe';
const probes = new Set(['/healthz', '/readyz', '/metrics']);
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/**
 * The listener: guards first, then the API, the probes, the pages. No guard is Express middleware: a second slash
 * bypasses a guard by prefix there.
 */
export async function serve(settings: HttpSettings, host: string, port: number): Promise<HttpServer> {
  const { dispatch, pages, ready, sockets, metrics, log, tracing } = settings;
  let stopping = false;

  /** `describe`: of its span, if the request is traced. */
  async function handle(request: Message, response: ServerResponse, describe?: Describe): Promise<void> {
    const startedAt = performance.now();
    const requestId = readRequestId(request.headers['x-request-id']);
    // Clients move to another connection, and so to another replica, before this one closes.
    if (stopping) response.shouldKeepAlive = false;
    let verdict: Verdict;
    try {
      // If headers are ambiguous, the next bytes on this connection may be a smuggled request: close it.
      const { shouldKeepAlive } = response;
      response.shouldKeepAlive = false;
      checkHeaders(request);
      response.shouldKeepAlive = shouldKeepAlive;
      const target = readTarget(request.url ?? '');
      if (!knownMethods.has(request.method ?? ''))
        throw new HttpError(501, `${request.method ?? ''} is not a known path`);
      if (sockets?.takes(target.path)) throw mustUpgrade(request.method);
      const [first] = target.segments;
      if (first === 'api' || first === 'agent') verdict = await dispatch(request, response, target, requestId);
      else if (probes.has(target.path) && request.method !== 'GET' && request.method !== 'HEAD')
        throw new HttpError(405, `${target.path} takes GET`, { headers: { Allow: 'GET, HEAD' } });
      else if (target.path === '/healthz') verdict = plain(response, 200, { status: 'ok' });
      else if (target.path === '/readyz') {
        const state = stopping ? { ready: false, checks: { service: 'stopping' } } : await ready();
        verdict = plain(response, state.ready ? 200 : 503, {
          status: state.ready ? 'ready' : 'not ready',
          ...state.checks,
        });
      } else if (target.path === '/metrics') {
        const { type, body } = await metrics.text();
        sendJson(response, 200, body, { 'Content-Type': type });
        verdict = { status: 200, operation: probe };
      } else {
        response.setHeader('X-Request-Id', requestId);
        return pages(request, response);
      }
    } catch (error) {
      verdict = { status: sendFailure(response, error, { 'X-Request-Id': requestId }).status, error };
    }
    const { status, operation, route, orgId, error } = verdict;
    describe?.({ status, operation, route, orgId });
    const ms = performance.now() - startedAt;
    metrics.observe(operation, status, ms / 1_000);
    if (error instanceof QuotaExceeded) metrics.quotaRefused(error.room.name);
    if (error instanceof Overloaded) return; // logged in summary
    const isRead = request.method === 'GET';
    if (isRead && status < 500 && !log.isLevelEnabled('debug')) return;
    const line = { requestId, method: request.method, operation, orgId, status, ms: Math.round(ms) };
    // A refused request is the caller's error; a failed one is the service's. Reads are logged at debug, as they are
    // most of all requests.
    if (status >= 500 && status !== 501) log.error({ ...line, ...logFieldsOf(error) }, 'request failed');
    else if (isRead) log.debug(line, 'request');
    else log.info(line, 'request');
  }

  /** The address is not logged: it may contain the token. */
  async function handleUpgrade(
    { upgrade }: UpgradeHandler,
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
  ): Promise<void> {
    // The response to an earlier request is still being sent; the upgrade response would be written between its bytes.
    if (broken.hasUnanswered(socket)) return void socket.destroy();
    const requestId = readRequestId(request.headers['x-request-id']);
    const { status, orgId, error } = await upgrade(request, socket, head, requestId);
    if (status !== 101) metrics.upgradeRefused(status);
    const line = { requestId, orgId, status };
    if (status >= 500 && status !== 503) log.error({ ...line, err: error }, 'upgrade failed');
    else log.debug(line, 'upgrade');
  }

  const broken = brokenRequests();
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 0, // some bodies are files
      connectionsCheckingInterval: 2_000, // ms; the maximum delay of `headersTimeout`
      keepAliveTimeout: 65_000,
      joinDuplicateHeaders: false,
      requireHostHeader: false, // `checkHeaders` checks it and responds with the error envelope
      IncomingMessage: Message,
    },
    (request, response) => {
      broken.note(request, response);
      if (hasBody(request)) {
        request.expectBody(bodyMs, () => broken.answer(lateBody, request.socket));
        lingerForBody(request);
      }
      const handled =
        tracing && /^\/(api|agent)\//.test(request.url ?? '')
          ? tracing.request(methodOf(request), contextOf(request), (describe) => handle(request, response, describe))
          : handle(request, response);
      handled.catch((error: unknown) => {
        log.error({ err: error }, 'request failed outside its handler');
        response.destroy();
      });
    },
  );
  server.maxConnections = 25_000;
  server.maxRequestsPerSocket = 1_000; // so that load moves to newer replicas
  if (sockets)
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      handleUpgrade(sockets, request, socket, head).catch((error: unknown) => {
        log.error({ err: error }, 'upgrade failed outside its judge');
        socket.destroy();
      });
    });
  server.on('clientError', broken.answer);
  server.on('connect', broken.refuseTunnel);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = new HttpError(417, 'Expect must be 100-continue', { closes: true });
    sendFailure(response, refusal, { 'X-Request-Id': readRequestId(request.headers['x-request-id']) });
  });
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    async stop(noticeMs) {
      stopping = true;
      sockets?.refuse();
      if (noticeMs > 0) await new Promise((resolve) => setTimeout(resolve, noticeMs));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection becomes idle when its response ends, which may be after the stop.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const late = setTimeout(() => server.closeAllConnections(), drainMs);
      await Promise.all([closed, sockets?.drain()]);
      clearInterval(idle);
      clearTimeout(late);
    },
  };
}

/** HTTP methods are open; each unknown one would be a name of its own. */
const methodOf = ({ method = '' }: IncomingMessage): string => (knownMethods.has(method) ? method : '_OTHER');

function contextOf({ headers: { traceparent } }: IncomingMessage): string | undefined {
  return typeof traceparent === 'string' ? traceparent : undefined; // repeated: ambiguous
}

function plain(response: ServerResponse, status: number, body: object) {
  sendJson(response, status, JSON.stringify(body), {});
  return { status, operation: probe };
}

/** For an unavailable dependency, the stack of `Unavailable` does not help; its cause does. */
const logFieldsOf = (error: unknown) =>
  error instanceof Unavailable ? { reason: error.message, err: error.cause } : { err: error };

/** The caller's own id, unless it could be a token: the id is written to the audit log and the service log. */
const readRequestId = (header: string | string[] | undefined): string =>
  typeof header === 'string' && /^[\w.-]{1,128}$/.test(header) && !/svc_[a-z]+_/.test(header) ? header : randomUUID();

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
