import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';

export type Sender = 'agent' | 'server';
/** As it travels: any of the contract's frames. */
export interface PassingFrame {
  type: string;
  order_id?: string;
  status?: string;
  ended?: boolean;
  items?: { order_id: string; cancel?: boolean }[];
}

/** Somewhere on the way of a frame. */
export interface Checkpoint {
  /** Resolves when the frame is there, also where one before it is held. */
  reached: Promise<void>;
  /** Lets a frame that is held go on; what came after it follows. */
  release(): void;
}

type Matches = (frame: PassingFrame) => boolean;

export interface AgentFront extends AsyncDisposable {
  url: string;
  /** Links that were welcomed until now. */
  welcomes: number;
  /** When the last one was, by performance.now(). */
  welcomedMs: number;
  /** Links that were welcomed and live, both of their ends. */
  live: number;
  /** Holds the next such frame, and all that its sender says after it on that link. */
  hold(sender: Sender, matches: Matches): Checkpoint;
  /** Resolves when the next such frame has gone on. */
  passes(sender: Sender, matches: Matches): Promise<void>;
  /** Keeps the next answer to a POST to this path from its caller, whose connection is cut by `release`. */
  loseAnswer(path: string): Checkpoint;
}

interface Watch {
  sender: Sender;
  matches: Matches;
  arrived?(): void;
  /** What the frame waits for before it goes on. */
  before?: Promise<void>;
  after?(): void;
}

/** Stands between agents and a service at this address, reads every frame, and can hold one up. Calls that are no links pass. */
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
      // What comes before the other end is there waits in the socket.
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

/** A promise that is resolved by hand. */
function latch() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
