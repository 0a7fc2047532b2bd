import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket, WebSocketServer } from 'ws';
import { orgOf, type Caller, type CallerKind } from '../../kernel/caller.ts';
import { badRequest, forbidden, notFound, unauthorized } from '../../kernel/errors.ts';
import { readBearer } from '../http/credentials.ts';
import { HttpError } from '../http/failures.ts';
import { checkHeaders, readTarget, type Target } from '../http/guards.ts';
import { readQuery } from '../http/input.ts';
import { sendFailure } from '../http/reply.ts';
import { tryLater } from './admission.ts';

/** One path that takes WebSockets. */
interface UpgradeRoute {
  kinds: CallerKind[]; // of the tokens that it takes
  server: WebSocketServer; // without a listener of its own
  /** @throws HttpError when no more can be taken now; asked before the token is looked at, so that a storm is refused cheaply */
  admit(): void;
  /** From here on the socket is the route's. */
  accept(socket: WebSocket, caller: Caller, request: IncomingMessage): void;
}

export interface UpgradeSettings {
  routes: Map<string, UpgradeRoute>; // by path
  /** @throws unauthorized */
  authenticate(request: IncomingMessage, bearer: string | undefined, target: Target): Promise<Caller>;
  stopping(): boolean;
  /** How long a client waits for the verdict at most: 5 s. */
  decideWithinMs?: number;
}

export interface UpgradeVerdict {
  status: number;
  orgId?: string | undefined;
  error?: unknown;
}

/** Upgrades that may wait for their verdict at once; Node's own time limits do not reach them. */
const maxPending = 1_000;

/**
 * Judges every request for a WebSocket: path, guards, origin and credentials, the same as for HTTP. A refusal is an HTTP answer with the envelope,
 * so that a client sees why. The verdict is given when the upgrade is done or refused.
 */
export function upgradeJudge({ routes, authenticate, stopping, decideWithinMs = 5_000 }: UpgradeSettings) {
  let pending = 0;

  return async (request: IncomingMessage, socket: Socket, head: Buffer, requestId: string): Promise<UpgradeVerdict> => {
    const headers: Record<string, string> = { 'X-Request-Id': requestId };
    let refused: UpgradeVerdict | undefined;
    const refuse = (error: unknown): UpgradeVerdict => {
      if (refused) return refused;
      return (refused = { status: answer(request, socket, error, headers), orgId: headers['X-Service-Org-Id'], error });
    };
    socket.on('error', destroy); // the client hung up; nothing else listens before the upgrade
    const tooLate = setTimeout(() => refuse(tryLater('the service is busy, try again')), decideWithinMs);
    pending += 1;
    try {
      if (pending > maxPending) throw tryLater('too many connections wait for an answer, try again');
      if (stopping()) throw tryLater('the service is stopping, try again');
      checkHeaders(request);
      checkOrigin(request);
      const target = readTarget(request.url ?? '');
      const route = routes.get(target.path);
      route?.admit();
      const caller = await authenticate(request, readCredential(request, target), target);
      if (refused) return refused;
      const orgId = orgOf(caller);
      if (orgId !== undefined) headers['X-Service-Org-Id'] = orgId;
      if (!route) throw notFound('path');
      if (!route.kinds.includes(caller.kind))
        throw forbidden(`this takes tokens of the kind ${route.kinds.join(', ')}`);
      checkHandshake(request);
      if (stopping()) throw tryLater('the service is stopping, try again');
      socket.off('error', destroy);
      const name = (lines: string[]) => void lines.push(...Object.entries(headers).map((each) => each.join(': ')));
      route.server.once('headers', name); // emitted within the call
      try {
        route.server.handleUpgrade(request, socket, head, (accepted) => route.accept(accepted, caller, request));
      } finally {
        route.server.off('headers', name);
      }
      return { status: 101, orgId };
    } catch (error) {
      return refuse(error);
    } finally {
      clearTimeout(tooLate);
      pending -= 1;
    }
  };
}

/** The refusal of a plain request for a path that takes WebSockets only. */
export const mustUpgrade = (method: string | undefined) =>
  method === 'GET' || method === 'HEAD'
    ? new HttpError(426, 'this takes WebSockets only; a proxy on the way may have dropped the Upgrade header', {
        headers: { Connection: 'Upgrade', Upgrade: 'websocket' }, // RFC 9110 §7.8 wants both
      })
    : notGet();

const notGet = () => new HttpError(405, 'a WebSocket is opened by GET', { headers: { Allow: 'GET' } });

function destroy(this: Socket): void {
  this.destroy();
}

/** Answers over the bare socket and ends it; gives the status. */
function answer(request: IncomingMessage, socket: Socket, error: unknown, headers: Record<string, string>): number {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  const { status } = sendFailure(response, error, headers);
  return status;
}

/** The token of the Authorization header or of `?token=`. @throws bad_request for both, or for any other parameter */
function readCredential(request: IncomingMessage, target: Target): string | undefined {
  const { token, ...others } = readQuery(target.search, new Set());
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw badRequest(`query: unknown parameter "${unknown}"`);
  const bearer = readBearer(request.headers.authorization);
  if (token === undefined) return bearer;
  if (bearer !== undefined) throw badRequest('the request carries more than one credential');
  if (typeof token !== 'string' || !/^[!-~]{1,512}$/.test(token)) throw unauthorized('the token is malformed');
  return token;
}

/** A page of another site may not speak with the service in the name of who looks at it. Programs send no Origin. */
function checkOrigin({ headers: { origin, host } }: IncomingMessage): void {
  if (origin === undefined) return;
  const theirs = URL.canParse(origin) ? new URL(origin).host : undefined;
  if (theirs === undefined || theirs !== hostOf(host ?? '', origin)) throw forbidden('the page is of another origin');
}

/** Our own name as the page would write it, without the port that its scheme implies. */
function hostOf(host: string, origin: string): string | undefined {
  const address = `${origin.slice(0, origin.indexOf(':'))}://${host}`;
  return URL.canParse(address) ? new URL(address).host : undefined;
}

/** @throws what RFC 6455 §4.2.1 asks for and the request lacks */
function checkHandshake({ method, headers }: IncomingMessage): void {
  if (method !== 'GET') throw notGet();
  if (headers['sec-websocket-version'] !== '13')
    throw new HttpError(426, 'Sec-WebSocket-Version must be 13', { headers: { 'Sec-WebSocket-Version': '13' } });
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? ''))
    throw badRequest('Sec-WebSocket-Key must be 16 bytes in base64');
}
