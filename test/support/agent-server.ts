import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import type { AgentFrame, Logs, ServerFrame, SpooledRecord } from '../../generated/frames.js';
import { agentFrames } from '../../generated/frames.js';
import { protocol } from '../../generated/protocol.js';
import { patienceMs } from './until.ts';

/** One link from the server's side. */
export interface ServedLink {
  socket: WebSocket;
  request: IncomingMessage;
  /** All received frames, in order; an invalid one fails `valid`. */
  frames: AgentFrame[];
  send(frame: ServerFrame): void;
}

/** A server with only protocol 1: enough for the agent's side, so that tests can produce each fault of a link. */
export interface AgentServer extends AsyncDisposable {
  url: string;
  links: ServedLink[];
  /** Records by spool and number, each once, as a store keeps them. */
  stored: Map<string, Map<number, SpooledRecord>>;
  /** Frames that no validator of the contract accepts. */
  invalid: unknown[];
  /** Bytes received in frames, without their headers. */
  received: number;
  acknowledges: boolean;
  heartbeatSeconds: number;
  /** Called with each received frame, after the server's own handling. */
  onFrame: ((frame: AgentFrame, link: ServedLink) => void) | undefined;
  /** Accepts the sockets of live streams; default undefined: each is another link. */
  onStream: ((socket: WebSocket) => void) | undefined;
  /** Refuses an upgrade; default undefined: it is accepted. */
  refuse: ((request: IncomingMessage) => { status: number; headers?: Record<string, string> } | undefined) | undefined;
  /** Responds to requests that are no upgrade; default 404. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * All stored messages of a source in the order of their numbers; of all spools, in the order of their first frame.
   */
  messages(source?: string): string[];
  records(): SpooledRecord[];
  /** Resolves when the condition holds; checked after each frame and each link. */
  until<T>(condition: () => T | undefined | false, withinMs?: number): Promise<T>;
}

export async function startAgentServer(port = 0): Promise<AgentServer> {
  const waiting = new Set<() => void>();
  const changed = () => waiting.forEach((check) => check());
  const http = createServer((request, response) => server.answer(request, response));
  const ws = new WebSocketServer({ noServer: true });
  http.on('upgrade', (request, socket, head) => {
    const refused = server.refuse?.(request);
    if (refused) {
      const headers = Object.entries({ Connection: 'close', 'Content-Length': '0', ...refused.headers });
      const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      socket.end(`HTTP/1.1 ${refused.status} No\r\n${lines}\r\n`);
      return;
    }
    ws.handleUpgrade(request, socket, head, (opened) => serve(opened, request));
  });

  function serve(socket: WebSocket, request: IncomingMessage): void {
    if (server.onStream && request.url?.startsWith('/agent/streams/')) return server.onStream(socket);
    const send = (frame: ServerFrame) => socket.send(JSON.stringify(frame));
    const link: ServedLink = { socket, request, frames: [], send };
    server.links.push(link);
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      server.received += data.length;
      const frame = JSON.parse(data.toString('utf8')) as AgentFrame;
      if (!Object.hasOwn(agentFrames, frame.type) || !agentFrames[frame.type](frame)) server.invalid.push(frame);
      link.frames.push(frame);
      if (frame.type === 'hello') {
        const server_time = new Date().toISOString();
        const heartbeat_seconds = server.heartbeatSeconds;
        send({ type: 'welcome', protocol, server_time, heartbeat_seconds, robot_id: 'r-1', robot_name: 'amr-007' });
      }
      if (frame.type === 'logs') store(frame, send);
      server.onFrame?.(frame, link);
      changed();
    });
    changed();
  }

  function store({ spool, records, to_seq: seq }: Logs, send: (frame: ServerFrame) => void): void {
    if (!server.acknowledges) return;
    const kept = server.stored.get(spool) ?? new Map<number, SpooledRecord>();
    server.stored.set(spool, kept);
    for (const record of records) if (!kept.has(record.seq)) kept.set(record.seq, record);
    send({ type: 'logs_ack', spool, seq });
  }

  const server: AgentServer = {
    url: '',
    links: [],
    stored: new Map(),
    invalid: [],
    received: 0,
    acknowledges: true,
    heartbeatSeconds: 10,
    onFrame: undefined,
    onStream: undefined,
    refuse: undefined,
    answer: (_request, response) => void response.writeHead(404).end(),
    records: () =>
      [...server.stored.values()].flatMap((spool) => [...spool.values()].sort((one, other) => one.seq - other.seq)),
    messages: (source) =>
      server
        .records()
        .filter((record) => record.type === undefined && (source === undefined || record.source === source))
        .map((record) => String(record.message)),
    until: (condition, withinMs = patienceMs) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const value = condition();
          if (value === undefined || value === false) return;
          waiting.delete(check);
          clearInterval(poll);
          clearTimeout(limit);
          resolve(value);
        };
        // Some conditions change without a frame.
        const poll = setInterval(check, 50);
        const limit = setTimeout(() => {
          waiting.delete(check);
          clearInterval(poll);
          reject(new Error(`not within ${withinMs} ms: ${condition.toString()}`));
        }, withinMs);
        waiting.add(check);
        check();
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of ws.clients) socket.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return server;
}
