import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { WebSocketServer, type WebSocket } from 'ws';
import { closeCodes } from '../../generated/protocol.js';
import { dialBacks, type DialBacks } from './dial-backs.ts';
import { orderBook, type OrderBook } from './order-book.ts';
import { readNonce, robotTokens, type RobotTokens } from './robot-tokens.ts';
import { shown } from './rule.ts';
import { serveLink, type LinkBehavior, type ServedLink } from './served-link.ts';

/** The response to a refused request. */
export interface Refusal {
  status: number;
  headers?: Record<string, string>;
}

interface Enrollment {
  at: number;
  nonce: string | undefined;
  authorization: string;
}

/**
 * The part of the service that one agent needs, without a database. It behaves as the service does until a check
 * changes that.
 */
export interface TestService extends AsyncDisposable {
  url: string;
  key: string;
  tokens: RobotTokens;
  enrollments: Enrollment[];
  links: ServedLink[];
  /** How often a link was opened beside a working one. */
  replaced: number;
  /** Every attempt to open a link, refused ones included. */
  tries: { at: number; authorization: string }[];
  /** Violations of the protocol, in words. */
  breaches: string[];
  manner: Pick<LinkBehavior, 'heartbeatSeconds' | 'clockAheadMs' | 'acknowledgesLogs' | 'endsBroken'>;
  book: OrderBook;
  streams: DialBacks;
  artifacts: Map<string, Artifact>;
  /** Requested artifacts, by SHA-256. */
  downloads: string[];
  payloads: Map<string, string>;
  /** Overrides the response to an enrollment: `lost` accepts it and cuts the connection. Default: accepted. */
  onEnroll: (() => Refusal | 'lost' | undefined) | undefined;
  /** Overrides the response to a token request, as for an enrollment. */
  onToken: (() => Refusal | 'lost' | undefined) | undefined;
  /** Overrides the response to an upgrade of a link. Default: accepted. */
  onUpgrade: (() => Refusal | undefined) | undefined;
}

/**
 * Content served under a digest. With `heldBack`, only the first half is sent until that resolves. With `elsewhere`, an agent that
 * takes a redirect is sent to that address.
 */
interface Artifact {
  content: Buffer;
  heldBack?: Promise<void>;
  elsewhere?: string;
}

/** Maximum size kept of the frames of an agent in one check; an honest agent sends a fraction of it. */
const maxKeptBytes = 64 * 1024 * 1024;
/** The approximate overhead of a kept frame. */
const frameBytes = 500;

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
const codes: Record<number, string> = { 400: 'bad_request', 401: 'unauthorized', 403: 'forbidden', 404: 'not_found' };
const failure = (response: ServerResponse, { status, headers }: Refusal) =>
  json(
    response,
    status,
    { error: { code: codes[status] ?? 'http_error', message: `refused with ${status}` } },
    headers,
  );

/** Starts it on a free port of this machine, for one robot. */
export async function startTestService(): Promise<TestService> {
  const stored = new Map<string, number>(); // by spool
  const tokens = robotTokens();
  const sockets = new WebSocketServer({ noServer: true });
  const http = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const connections = new Set<Socket>();
  http.on('connection', (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  http.on('upgrade', (request, socket, head) => upgrade(request, socket, head));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const [, kind = '', name = ''] = /^\/(agent\/payloads|api\/artifacts)\/([0-9a-f]{64})$/.exec(url) ?? [];
    if (method === 'POST' && url === '/agent/enroll') return enroll(request, response);
    const { authorization = '' } = request.headers;
    if (!tokens.admits(authorization)) return failure(response, { status: 401 });
    if (method === 'POST' && url === '/agent/token') return renew(request, response, authorization);
    const payload = service.payloads.get(name);
    const artifact = service.artifacts.get(name);
    if (kind === 'agent/payloads' && payload !== undefined)
      return json(response, 200, { data: { digest: name, payload } });
    if (kind !== 'api/artifacts' || !artifact) return failure(response, { status: 404 });
    if (method === 'GET') service.downloads.push(name);
    if (artifact.elsewhere !== undefined && request.headers['x-accept-redirect'] === 'true')
      return void response.writeHead(307, { Location: artifact.elsewhere, 'Content-Length': '0' }).end();
    return give(request, response, artifact);
  }

  async function enroll(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const nonce = nonceOf(await text(request));
    const authorization = request.headers.authorization ?? '';
    service.enrollments.push({ at: performance.now(), nonce, authorization });
    const otherwise = service.onEnroll?.();
    if (otherwise === 'lost') return void response.destroy();
    if (otherwise) return failure(response, otherwise);
    if (authorization !== `Bearer ${service.key}`) return failure(response, { status: 401 });
    const robot_token = tokens.issue();
    const [robot_id = '', org_id, site_id, fleet_id] = Array.from({ length: 4 }, () => randomUUID());
    const data = { robot_id, robot_token, robot_name: 'conformance', org_id, site_id, fleet_id };
    json(response, 201, { data });
  }

  async function renew(request: IncomingMessage, response: ServerResponse, authorization: string): Promise<void> {
    const body = await text(request);
    let nonce: string;
    try {
      nonce = readNonce(body);
    } catch (error) {
      service.breaches.push(`POST /agent/token: ${error instanceof Error ? error.message : ''}: ${shown(body)}`);
      return failure(response, { status: 400 });
    }
    tokens.asks.push({ at: performance.now(), nonce, authorization });
    const token = tokens.next(nonce);
    const otherwise = service.onToken?.();
    if (otherwise === 'lost') return void response.destroy();
    if (otherwise) return failure(response, otherwise);
    json(response, 200, { data: { robot_token: token } });
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { url = '' } = request;
    socket.on('error', () => undefined);
    const shownToken = new URLSearchParams(url.split('?')[1]).get('token');
    const authorization = request.headers.authorization ?? (shownToken === null ? '' : `Bearer ${shownToken}`);
    const accept = (serve: (opened: WebSocket) => void) => sockets.handleUpgrade(request, socket, head, serve);
    if (url.startsWith('/agent/streams/')) {
      const take = service.streams.expected(url, authorization);
      return take ? accept(take) : refuse(socket, { status: 401 });
    }
    if (!/^\/agent\/ws(\?|$)/.test(url)) return refuse(socket, { status: 404 });
    service.tries.push({ at: performance.now(), authorization });
    const refusal = service.onUpgrade?.() ?? (tokens.admits(authorization) ? undefined : { status: 401 });
    if (refusal) return refuse(socket, refusal);
    accept(join);
  }

  /** The newest link wins. */
  function join(socket: WebSocket): void {
    const older = service.links.filter(({ closed }) => !closed);
    // A link that is no longer read looks dead to the agent.
    const isBeside = older.some((each) => each.socket.readyState === each.socket.OPEN && !each.socket.isPaused);
    if (isBeside) service.replaced += 1;
    const link = serveLink(socket, {
      ...service.manner,
      get acknowledgesLogs() {
        return service.manner.acknowledgesLogs;
      },
      robotName: 'conformance',
      stored(spool, seq) {
        const before = stored.get(spool) ?? 0;
        const highest = Math.max(seq, before);
        stored.set(spool, highest);
        return { before, highest };
      },
      admits,
      breach: (what) => void service.breaches.push(what),
      welcomed(welcomed) {
        for (const each of older) each.socket.close(closeCodes.replaced, 'a newer link took its place');
        service.book.welcomed(welcomed);
      },
      heard(frame, from) {
        service.book.heard(frame, from);
        if (frame.type === 'refused') service.streams.refused(frame);
      },
    });
    service.links.push(link);
  }

  let keptBytes = 0;
  function admits(bytes: number): boolean {
    const hadRoom = keptBytes <= maxKeptBytes;
    keptBytes += bytes + frameBytes;
    if (keptBytes <= maxKeptBytes) return true;
    if (hadRoom) service.breaches.unshift(`more than ${maxKeptBytes / 1024 / 1024} MiB came in one check`);
    return false;
  }

  const newest = () => service.links.findLast(({ closed }) => !closed);
  const service: TestService = {
    url: '',
    key: `svc_enroll_${randomBytes(16).toString('hex')}`,
    tokens,
    enrollments: [],
    links: [],
    replaced: 0,
    tries: [],
    breaches: [],
    manner: { heartbeatSeconds: 10, clockAheadMs: 0, acknowledgesLogs: true, endsBroken: true },
    book: orderBook(newest, (what) => void service.breaches.push(what)),
    streams: dialBacks((frame) => newest()?.send(frame), admits),
    artifacts: new Map(),
    downloads: [],
    payloads: new Map(),
    onEnroll: undefined,
    onToken: undefined,
    onUpgrade: undefined,
    async [Symbol.asyncDispose]() {
      // Includes refused connections that the other side keeps open.
      for (const connection of connections) connection.destroy();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  service.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return service;
}

/** Undefined if the body has no nonce. */
function nonceOf(body: string): string | undefined {
  try {
    const { nonce } = JSON.parse(body) as { nonce?: unknown };
    return typeof nonce === 'string' ? nonce : undefined;
  } catch {
    return undefined;
  }
}

/** Sends the whole artifact, or from the offset that the agent requests. */
async function give(
  request: IncomingMessage,
  response: ServerResponse,
  { content, heldBack }: Artifact,
): Promise<void> {
  const [, from = '0'] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
  const rest = content.subarray(Number(from));
  response.writeHead(Number(from) > 0 ? 206 : 200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(rest.length),
    'Accept-Ranges': 'bytes',
    ...(Number(from) > 0 && { 'Content-Range': `bytes ${from}-${content.length - 1}/${content.length}` }),
  });
  if (request.method === 'HEAD') return void response.end();
  const middle = Math.floor(rest.length / 2);
  response.write(rest.subarray(0, middle));
  await heldBack;
  response.end(rest.subarray(middle));
}

function refuse(socket: Duplex, { status, headers = {} }: Refusal): void {
  const lines = Object.entries({ Connection: 'close', 'Content-Length': '0', ...headers });
  socket.end(`HTTP/1.1 ${status} No\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
}
