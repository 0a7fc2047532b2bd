import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';

export type Sender = 'agent' | 'server';
/** As on the wire: any frame of the contract. */
export interface PassingFrame {
  type: string;
  order_id?: string;
  status?: string;
  ended?: boolean;
  items?: { order_id: string; cancel?: boolean }[];
}

/** A point on the path of a frame. */
export interface Checkpoint {
  /** Resolves when the frame arrives here, even if an earlier one is held. */
  reached: Promise<void>;
  /** Releases a held frame; the frames after it follow. */
  release(): void;
}

type Matches = (frame: PassingFrame) => boolean;

export interface AgentFront extends AsyncDisposable {
  url: string;
  /** Links welcomed so far. */
  welcomes: number;
  /** Time of the last welcome, by performance.now(). */
  welcomedMs: number;
  /** Welcomed links with both ends still open. */
  live: number;
  /** Holds the next matching frame, and all later frames of its sender on that link. */
  hold(sender: Sender, matches: Matches): Checkpoint;
  /** Resolves when the next matching frame has been forwarded. */
  passes(sender: Sender, matches: Matches): Promise<void>;
  /** Withholds the next response to a POST to this path from its caller; `release` closes the caller's connection. */
  loseAnswer(path: string): Checkpoint;
}

interface Watch {
  sender: Sender;
  matches: Matches;
  arrived?(): void;
  /** What the frame waits for before it is forwarded. */
  before?: Promise<void>;
  after?(): void;
}

/**
 * A proxy between agents and a service at this address. It reads every frame and can hold one. Calls other than links
 * pass.
 */
export async function startAgentFront(target: URL): Promise<AgentFront> {
  const watches = new Set<Watch>();
  const links = new Set<WebSocket>();
  const losses = new Set<{ path: string; reached: () => void; released: Promise<void> }>();
  const ws = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const http = createServer((incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const call = httpRequest({ host: target.hostname, port: target.port, method, path, headers }, (reply) => {
      const loss = method === 'POST' && [...losses].find((each) => each.path === path);
      if (loss) {
        losses.delete(loss);
        loss.reached();
        return void loss.released.then(() => answer.destroy());
      }
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      return void pipeline(reply, answer, () => undefined);
    });
    call.on('error', () => answer.destroy());
    incoming.pipe(call);
  });
  http.on('upgrade', (incoming, socket, head) => {
    socket.on('error', () => undefined);
    const { authorization = '' } = incoming.headers;
    const address = `ws://${target.host}${incoming.url ?? ''}`;
    const service = new WebSocket(address, { headers: { authorization }, perMessageDeflate: false });
    links.add(service);
    service.on('error', () => socket.destroy());
    service.on('close', () => links.delete(service));
    service.once('open', () => {
      // Messages that arrive before the other end is open wait in the socket.
      service.pause();
      ws.handleUpgrade(incoming, socket, head, (agent) => {
        links.add(agent);
        agent.on('error', () => undefined);
        agent.on('close', () => links.delete(agent));
        join('agent', agent, service);
        join('server', service, agent);
        service.resume();
      });
    });
  });

  function join(sender: Sender, from: WebSocket, to: WebSocket): void {
    let before = Promise.resolve();
    from.on('message', (data: Buffer) => {
      const text = data.toString();
      const frame = JSON.parse(text) as PassingFrame;
      const watch = [...watches].find((each) => each.sender === sender && each.matches(frame));
      if (watch) watches.delete(watch);
      watch?.arrived?.();
      before = before.then(() => carry(sender, frame, text, to, watch));
    });
    from.on('close', () => to.terminate());
  }

  function welcomed(agent: WebSocket): void {
    front.welcomes += 1;
    front.welcomedMs = performance.now();
    front.live += 1;
    agent.once('close', () => (front.live -= 1));
  }

  async function carry(sender: Sender, { type }: PassingFrame, text: string, to: WebSocket, watch?: Watch) {
    await watch?.before;
    if (to.readyState === WebSocket.OPEN) {
      to.send(text);
      if (sender === 'server' && type === 'welcome') welcomed(to);
    }
    watch?.after?.();
  }

  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const front: AgentFront = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    welcomes: 0,
    welcomedMs: 0,
    live: 0,
    hold(sender, matches) {
      const [reached, released] = [latch(), latch()];
      const watch = { sender, matches, arrived: reached.open, before: released.opened };
      watches.add(watch);
      const release = () => {
        watches.delete(watch);
        released.open();
      };
      return { reached: reached.opened, release };
    },
    passes(sender, matches) {
      const passed = latch();
      watches.add({ sender, matches, after: passed.open });
      return passed.opened;
    },
    loseAnswer(path) {
      const [reached, released] = [latch(), latch()];
      const loss = { path, reached: reached.open, released: released.opened };
      losses.add(loss);
      const release = () => {
        losses.delete(loss);
        released.open();
      };
      return { reached: reached.opened, release };
    },
    async [Symbol.asyncDispose]() {
      for (const link of links) link.terminate();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  return front;
}

/** A promise that the caller resolves. */
function latch() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
