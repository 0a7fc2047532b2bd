import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { frameCheck } from './frame-check.ts';
import { patienceMs } from './until.ts';

const check = frameCheck('sendToAgent');

export interface Closed {
  code: number;
  reason: string;
}

/** An agent's end of a link, without the agent: it sends what a test wants, and keeps what it received. */
export interface FakeAgent extends Disposable {
  socket: WebSocket;
  frames: Record<string, unknown>[];
  closed: Promise<Closed>;
  send(frame: unknown): void; // a text is sent unchanged
  hello(changes?: object): void;
  /** The next frame of this type; an earlier one counts too. */
  next(type: string): Promise<Record<string, unknown>>;
}

export const hello = {
  type: 'hello',
  protocol: 1,
  agent_version: 'fake-agent/1',
  boot_id: 'boot-1',
  capabilities: { logs: true },
};

/** Opens a link; resolves after the upgrade. @throws with the status if it is refused */
export async function connectAgent(
  url: string,
  token: string,
  options: { inQuery?: boolean; headers?: Record<string, string>; autoPong?: boolean; localAddress?: string } = {},
): Promise<FakeAgent> {
  const address = `${url.replace('http', 'ws')}/agent/ws${options.inQuery ? `?token=${token}` : ''}`;
  const headers = { ...(options.inQuery ? {} : { Authorization: `Bearer ${token}` }), ...options.headers };
  const { autoPong = true, localAddress } = options;
  const socket = new WebSocket(address, { headers, perMessageDeflate: false, autoPong, localAddress });
  const frames: Record<string, unknown>[] = [];
  const taken = new Set<object>();
  const wake = new Set<() => void>();
  let broken: Error | undefined;
  socket.on('message', (data: Buffer) => {
    try {
      frames.push(check(data.toString()) as Record<string, unknown>);
    } catch (error) {
      broken = error as Error;
      throw error; // also for a test that waits for no frame
    } finally {
      for (const go of wake) go();
    }
  });
  const closed = new Promise<Closed>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
      for (const go of wake) go();
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_request, response) => {
      void refusalOf(response).then((refused) => {
        reject(refused);
        socket.terminate();
      });
    });
    socket.on('error', reject);
  });
  const send = (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  return {
    socket,
    frames,
    closed,
    send,
    hello: (changes = {}) => send({ ...hello, instance: randomUUID(), ...changes }),
    async next(type) {
      const deadline = performance.now() + patienceMs;
      for (;;) {
        const found = frames.find((frame) => frame['type'] === type && !taken.has(frame));
        if (found) {
          taken.add(found);
          return found;
        }
        if (broken) throw broken;
        if (socket.readyState === WebSocket.CLOSED) throw new Error(`the link ended before a ${type} came`);
        await new Promise<void>((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error(`no ${type} came`)), deadline - performance.now());
          const go = () => {
            clearTimeout(timer);
            wake.delete(go);
            resolve();
          };
          wake.add(go);
        });
      }
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}

/** An established link. */
export async function linkedAgent(
  url: string,
  token: string,
  options: Parameters<typeof connectAgent>[2] & { hello?: object } = {},
): Promise<FakeAgent> {
  const agent = await connectAgent(url, token, options);
  agent.hello(options.hello);
  await agent.next('welcome');
  return agent;
}

export class UpgradeRefused extends Error {
  readonly status: number;
  readonly retryAfter: string | undefined;
  constructor(status: number, retryAfter: string | undefined, body: string) {
    super(`the upgrade was answered ${status} ${body}`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Its body says why. */
export const refusalOf = async (response: IncomingMessage): Promise<UpgradeRefused> =>
  new UpgradeRefused(response.statusCode ?? 0, response.headers['retry-after'], await text(response));
