import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** One address in front of some ports of this machine, by turns; a port that refuses is passed over. It counts what goes through. */
export interface Front extends AsyncDisposable {
  url: string;
  /** Bytes both ways since the start. */
  readonly bytes: number;
}

export async function startFront(ports: readonly number[]): Promise<Front> {
  const open = new Set<Socket>();
  let [turn, bytes] = [0, 0];

  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  };

  function reach(near: Socket, triesLeft: number): void {
    const far = connect(ports[(turn = (turn + 1) % ports.length)] ?? 0, '127.0.0.1');
    const refused = () => (triesLeft > 0 ? reach(near, triesLeft - 1) : near.destroy());
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

  const server = createServer((near) => {
    keep(near);
    reach(near, ports.length - 1);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get bytes() {
      return bytes;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
