import { WebSocket } from 'ws';
import { shellAgentFrames, type ShellAgentFrame, type Start, type ViewerFrame } from '../../generated/shell.js';
import type { Closed } from './fake-agent.ts';
import { patienceMs, within } from './until.ts';

/** A viewer of a shell: a socket, and the received data. */
export interface ShellViewer extends Disposable {
  socket: WebSocket;
  /** All received bytes; in `fleet.shell.v1` including the marks of the output, if there are two. */
  output(): Buffer;
  /** The same as text. */
  text(): string;
  frames: ShellAgentFrame[];
  closed: Promise<Closed>;
  type(keys: string | Buffer): void;
  send(frame: ViewerFrame): void;
  /** Resolves when the text appears. @throws with the current text */
  sees(part: string | RegExp): Promise<void>;
  next<T extends ShellAgentFrame['type']>(type: T): Promise<Extract<ShellAgentFrame, { type: T }>>;
}

interface ViewerOptions {
  token: string;
  /** Such as `?cols=132&rows=40`. */
  query?: string;
  /** Default: raw bytes. */
  protocol?: 'fleet.shell.v1';
}

/** Opens a shell as a viewer; resolves when the socket is open. @throws with the status if it is refused */
export async function openShell(
  url: string,
  robotId: string,
  { token, query = '', protocol }: ViewerOptions,
): Promise<ShellViewer> {
  const address = `${url.replace('http', 'ws')}/api/robots/${robotId}/shell/ws${query}`;
  const options = { headers: { Authorization: `Bearer ${token}` }, perMessageDeflate: false };
  const socket = new WebSocket(address, protocol === undefined ? [] : [protocol], options);
  const chunks: Buffer[] = [];
  const frames: ShellAgentFrame[] = [];
  const taken = new Set<object>();
  const wake = new Set<() => void>();
  const changed = () => wake.forEach((check) => check());
  let isClosed = false;
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) chunks.push(data);
    else {
      const frame = JSON.parse(data.toString()) as ShellAgentFrame;
      if (!shellAgentFrames[frame.type](frame)) throw new Error(`not by the contract: ${data.toString()}`);
      frames.push(frame);
    }
    changed();
  });
  const closed = new Promise<Closed>((resolve) =>
    socket.on('close', (code, reason) => {
      isClosed = true;
      resolve({ code, reason: reason.toString() });
      changed();
    }),
  );
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      reject(new Error(`the upgrade was answered ${response.statusCode ?? 0}`));
    });
    socket.on('error', reject);
  });
  const output = () => Buffer.concat(chunks);
  const text = () => output().toString('utf8');

  async function found<T>(look: () => T | undefined, what: string): Promise<T> {
    let check: () => void = () => undefined;
    const looked = new Promise<T>((resolve, reject) => {
      check = () => {
        const value = look();
        if (value !== undefined) resolve(value);
        else if (isClosed) reject(new Error(`closed without ${what}: ${text().slice(-2000)}`));
      };
      wake.add(check);
      check();
    });
    const why = () => `no ${what}: ${text().slice(-2000)} ${JSON.stringify(frames.slice(-5))}`;
    return within(looked, patienceMs, why).finally(() => wake.delete(check));
  }

  return {
    socket,
    output,
    text,
    frames,
    closed,
    type: (keys) => socket.send(Buffer.from(keys)),
    send: (frame) => socket.send(JSON.stringify(frame)),
    sees: async (part) => {
      await found(() => (text().match(part instanceof RegExp ? part : literal(part)) ? true : undefined), String(part));
    },
    next: (type) =>
      found(() => {
        const frame = frames.find((each) => each.type === type && !taken.has(each));
        if (frame) taken.add(frame);
        return frame as never;
      }, type),
    [Symbol.dispose]: () => socket.terminate(),
  };
}

const literal = (text: string) => new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));

/** The same with `fleet.shell.v1`, started. */
export async function startShell(
  url: string,
  robotId: string,
  token: string,
  start: Omit<Start, 'type'> = {},
): Promise<ShellViewer> {
  const viewer = await openShell(url, robotId, { token, protocol: 'fleet.shell.v1' });
  viewer.send({ type: 'start', ...start });
  return viewer;
}
