import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket, WebSocketServer } from 'ws';
import { orgOf, hasAtLeastRole, type Caller, type CallerKind, type Grant, type Role } from '../../kernel/caller.ts';
import { badRequest, forbidden, notFound, unauthorized } from '../../kernel/errors.ts';
import { readBearer } from '../http/access/credentials.ts';
import { keyOf } from '../http/dispatch/limits.ts';
import { HttpError } from '../http/reply/failures.ts';
import { checkHeaders, notGet, readTarget, type RequestTarget } from '../http/request/guards.ts';
import type { UpgradeVerdict } from '../http/listener/server.ts';
import { readQuery } from '../http/request/input.ts';
import { orgChoice } from '../http/access/org-choice.ts';
import { sendFailure } from '../http/reply/reply.ts';
import { retrySpread, tryLater } from './admission.ts';

/** One kind of WebSocket path. */
export interface UpgradeRoute {
  path: string; // with `{name}` for a variable segment
  kinds: CallerKind[]; // accepted kinds of tokens
  leastRole?: Role; // for tokens that have a role; default: any
  parameters?: readonly string[]; // accepted query parameters, beside the credential
  server: WebSocketServer; // without a listener of its own
  /** A different server for this request, chosen once the caller is known; undefined for the one above. */
  serverOf?(request: IncomingMessage): WebSocketServer | undefined;
  /**
   * Serves robots still linked to this replica, so it stays open during the shutdown notice. Default: refused as soon
   * as the service is stopping.
   */
  servesLinkedRobots?: boolean;
  /**
   * @throws HttpError while no more can be accepted; called before the token is checked, so that a storm is refused
   * cheaply
   */
  admit?(): void;
  /** Identifies a caller that has no token; undefined if the token identifies it. @throws unauthorized */
  identify?(
    credential: string | undefined,
    params: Record<string, string>,
    request: IncomingMessage,
  ): Caller | undefined | Promise<Caller | undefined>;
  /**
   * Returns the function that takes over the socket.
   * @throws the error to send instead of an upgrade
   */
  prepare(asked: Asked): ((socket: WebSocket) => void) | Promise<(socket: WebSocket) => void>;
}

interface Asked {
  caller: Caller;
  params: Record<string, string>; // of the path
  query: Record<string, string>;
  request: IncomingMessage;
  requestId: string;
  /** Headers of the response; the route may add more. */
  headers: Record<string, string>;
}

export interface UpgradeSettings {
  routes: readonly UpgradeRoute[];
  /** @throws unauthorized */
  authenticate(request: IncomingMessage, bearer: string | undefined, target: RequestTarget): Promise<readonly Grant[]>;
  /** Counts an upgrade of a viewer as a read of its token; returns headers of the response. @throws HttpError 429 */
  countRead(key: string): Record<string, string>;
  /** Called for every caller of an existing route, before authorization. */
  noteCaller(caller: Caller): void;
  /** Whether the service refuses new sockets of this route; undefined for an unknown route. */
  stopping(route: UpgradeRoute | undefined): boolean;
  /** Maximum time until the verdict; default 5 s. */
  decideWithinMs?: number;
}

/**
 * Maximum number of upgrades of viewers that wait for a verdict, and of the others, such as agents; Node's own timeouts
 * do not cover them.
 */
const maxPending = 1_000;
/** So many upgrades per second are decided also by a busy service. */
const leastPerSecond = 200;

/** Another replica, or the next process at this address, accepts the client: it need not wait longer than 1 s. */
const isStopping = ['the service is stopping, retry', 1] as const;

/**
 * Checks every request for a WebSocket: path, guards, origin and credentials, the same as for HTTP. A refusal is an
 * HTTP response with the error envelope, so that a client sees the reason. Resolves when the upgrade is done or
 * refused.
 */
export function upgradeDecider({
  routes,
  authenticate,
  countRead,
  noteCaller,
  stopping,
  decideWithinMs = 5_000,
}: UpgradeSettings) {
  const [viewers, others] = [new Set<Socket>(), new Set<Socket>()]; // that wait for a verdict
  const retries = retrySpread(leastPerSecond);

  return async (request: IncomingMessage, socket: Socket, head: Buffer, requestId: string): Promise<UpgradeVerdict> => {
    const headers: Record<string, string> = { 'X-Request-Id': requestId };
    let refused: UpgradeVerdict | undefined;
    // What a refused upgrade waits for may never end, and holds no place.
    const settle = () => {
      clearTimeout(tooLate);
      viewers.delete(socket);
      others.delete(socket);
    };
    const refuse = (error: unknown): UpgradeVerdict => {
      if (refused) return refused;
      settle();
      return (refused = { status: answer(request, socket, error, headers), orgId: headers['X-Service-Org-Id'], error });
    };
    socket.on('error', destroy); // the client disconnected; nothing else listens before the upgrade
    const tooLate = setTimeout(
      () => refuse(tryLater('the service is busy, try again', retries.refuse())),
      decideWithinMs,
    );
    try {
      checkHeaders(request);
      checkOrigin(request);
      const target = readTarget(request.url ?? '');
      const { route, params } = findRoute(routes, target.path);
      const waiting = isForViewers(route) ? viewers : others;
      if (waiting.size >= maxPending)
        throw tryLater('too many connections wait for a response, try again', retries.refuse());
      waiting.add(socket);
      if (stopping(route)) throw tryLater(...isStopping);
      route?.admit?.();
      const { credential, query } = readSearch(request, target, route);
      const identified = await route?.identify?.(credential, params, request);
      const grants = identified ? [{ caller: identified }] : await authenticate(request, credential, target);
      const late = () => refused;
      if (refused) return refused;
      const choice = orgChoice(grants, request.headers['x-service-org-id']);
      const orgId = choice.caller && orgOf(choice.caller);
      if (orgId !== undefined) headers['X-Service-Org-Id'] = orgId;
      if (isForViewers(route)) Object.assign(headers, countRead(keyOf(grants)));
      if (!route) throw notFound('path');
      const caller = choice.settle();
      noteCaller(caller);
      authorizeUpgrade(route, caller);
      checkHandshake(request);
      const accept = await route.prepare({ caller, params, query, request, requestId, headers });
      const answered = late();
      if (answered) return answered;
      if (stopping(route)) throw tryLater(...isStopping);
      socket.off('error', destroy);
      const server = route.serverOf?.(request) ?? route.server;
      const name = (lines: string[]) => void lines.push(...Object.entries(headers).map((each) => each.join(': ')));
      server.once('headers', name); // emitted within the call
      try {
        server.handleUpgrade(request, socket, head, accept);
      } finally {
        server.off('headers', name);
      }
      return { status: 101, orgId };
    } catch (error) {
      return refuse(error);
    } finally {
      settle();
    }
  };
}

const isForViewers = (route: UpgradeRoute | undefined) => !route || route.kinds.includes('user');

function destroy(this: Socket): void {
  this.destroy();
}

/** Responds over the bare socket and ends it; returns the status. */
function answer(request: IncomingMessage, socket: Socket, error: unknown, headers: Record<string, string>): number {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  const { status } = sendFailure(response, error, headers);
  return status;
}

/** The route of a path, and the values of its parameters. */
export function findRoute(routes: readonly UpgradeRoute[], path: string) {
  const parts = path.split('/');
  for (const route of routes) {
    const wanted = route.path.split('/');
    const params: Record<string, string> = {};
    const isRoute =
      wanted.length === parts.length &&
      wanted.every((name, index) => {
        const part = parts[index] ?? '';
        if (!name.startsWith('{')) return name === part;
        params[name.slice(1, -1)] = part;
        return part !== '';
      });
    if (isRoute) return { route, params };
  }
  return { route: undefined, params: {} };
}

/** @throws forbidden */
function authorizeUpgrade({ kinds, leastRole }: UpgradeRoute, caller: Caller): void {
  if (!kinds.includes(caller.kind)) throw forbidden(`this takes tokens of the kind ${kinds.join(', ')}`);
  if (leastRole === undefined || !('role' in caller) || hasAtLeastRole(caller.role, leastRole)) return;
  throw forbidden(`needs ${leastRole} or higher; this token is ${caller.role}`);
}

/**
 * The token from the Authorization header or `?token=`, and the other parameters.
 * @throws bad_request for both, or for an unknown parameter
 */
function readSearch(request: IncomingMessage, target: RequestTarget, route: UpgradeRoute | undefined) {
  const { token, ...query } = readQuery(target.search) as Record<string, string>;
  const unknown = Object.keys(query).find((name) => !route?.parameters?.includes(name));
  if (unknown !== undefined) throw badRequest(`query: unknown parameter "${unknown}"`);
  const bearer = readBearer(request.headers.authorization);
  if (token === undefined) return { credential: bearer, query };
  if (bearer !== undefined) throw badRequest('the request carries more than one credential');
  if (!/^[!-~]{1,512}$/.test(token)) throw unauthorized('the token is malformed');
  return { credential: token, query };
}

/** A page of another site must not use the service in the name of its viewer. Programs send no Origin. */
function checkOrigin({ headers: { origin, host } }: IncomingMessage): void {
  if (origin === undefined) return;
  const theirs = URL.canParse(origin) ? new URL(origin).host : undefined;
  if (theirs === undefined || theirs !== hostOf(host ?? '', origin)) throw forbidden('the page is of another origin');
}

/** The host of the service as the page writes it, without the default port of its scheme. */
function hostOf(host: string, origin: string): string | undefined {
  const address = `${origin.slice(0, origin.indexOf(':'))}://${host}`;
  return URL.canParse(address) ? new URL(address).host : undefined;
}

/** @throws if the request lacks what RFC 6455 §4.2.1 requires */
function checkHandshake({ method, headers }: IncomingMessage): void {
  if (method !== 'GET') throw notGet();
  if (headers['sec-websocket-version'] !== '13')
    throw new HttpError(426, 'Sec-WebSocket-Version must be 13', { headers: { 'Sec-WebSocket-Version': '13' } });
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? ''))
    throw badRequest('Sec-WebSocket-Key must be 16 bytes in base64');
}
