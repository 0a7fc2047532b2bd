import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { bundle } from './child.ts';

/** One address in front of some ports of this machine, by turns; a port that refuses is passed over. It counts what goes through. */
export interface Front extends AsyncDisposable {
  url: string;
  /** Bytes both ways since the start. */
  readonly bytes: number;
}

/** Passes on the sockets that it is given to one of the ports. */
export function relay(ports: readonly number[]) {
  const open = new Set<Socket>();
  let [turn, bytes] = [0, 0];

  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  };

  /** The port `at` comes first, then those after it: other sockets take their turns meanwhile. */
  function reach(near: Socket, at: number, triesLeft: number): void {
    const far = connect(ports[at % ports.length] ?? 0, '127.0.0.1');
    const refused = () => (triesLeft > 0 ? reach(near, at + 1, triesLeft - 1) : near.destroy());
    far.once('error', refused);
    far.once('connect', () => {
      far.off('error', refused);
      keep(far);
      far.on('close', () => near.destroy());
      near.on('close', () => far.destroy());
      // Nobody reads before: a listener would let what comes first go by.
      for (const socket of [near, far]) socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
      near.pipe(far).pipe(near);
    });
  }

  return {
    get bytes() {
      return bytes;
    },
    take(near: Socket): void {
      keep(near);
      reach(near, (turn += 1), ports.length - 1);
    },
    close: () => open.forEach((socket) => socket.destroy()),
  };
}

export async function startFront(ports: readonly number[]): Promise<Front> {
  const front = relay(ports);
  const server = createServer(front.take);
  const url = await listen(server);
  return {
    url,
    get bytes() {
      return front.bytes;
    },
    async [Symbol.asyncDispose]() {
      front.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A process may have 20,000 files open where this was first measured, and a connection that is passed on takes two. */
const wideProcesses = 2;

/** A front of several processes, which take connections as they can: for more than one may hold. It counts nothing. */
export async function startWideFront(ports: readonly number[]): Promise<Omit<Front, 'bytes'>> {
  const script = await bundle('harness/front-process.ts');
  const children = Array.from({ length: wideProcesses }, () => fork(script, ports.map(String), { execArgv: [] }));
  const server = createServer();
  const url = await listen(server);
  for (const child of children) {
    child.send('listen', server);
    await once(child, 'message');
  }
  server.close();
  return {
    url,
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map(end));
    },
  };
}

async function listen(server: Server): Promise<string> {
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
