import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to a port of this machine that breaks connections. */
export interface Cutter extends AsyncDisposable {
  url: string;
  /** Number of broken connections. */
  cuts: number;
  /**
   * Called for each new connection that `isToCut`: the bytes, of both directions, after which it is cut; undefined for
   * never.
   */
  after: () => number | undefined;
  /** Cuts every open connection that `isToCut`, now. */
  cutAll(): void;
  /** The same connections stay open, but nothing passes any more: like a network that is lost without a disconnect. */
  silenceAll(): void;
}

/**
 * `isToCut` sees the first bytes from the client; other connections pass unchanged. Everything received before the cut
 * is forwarded, to the byte.
 */
export async function startCutter(target: string, isToCut: (head: string) => boolean): Promise<Cutter> {
  const { port } = new URL(target);
  const cuttable = new Set<{ cut(): void; silence(): void }>();
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    const both = [near, far];
    for (const socket of both) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          for (const each of both) each.destroy();
          cuttable.delete(way);
        });
    }
    let left: number | undefined = Infinity;
    let isJudged = false;
    const cut = () => {
      cutter.cuts += 1;
      // Data forwarded before still arrives.
      for (const each of both) each.destroySoon();
    };
    const way = { cut, silence: () => void (left = 0) };
    const pass = (from: Socket, to: Socket) =>
      from.on('data', (bytes: Buffer) => {
        if (left === undefined || left <= 0) return;
        const part = bytes.subarray(0, left);
        left -= part.length;
        if (!to.write(part)) {
          from.pause();
          to.once('drain', () => from.resume());
        }
        if (left <= 0) cut();
      });
    near.once('data', (head: Buffer) => {
      if (isJudged) return;
      isJudged = true;
      if (!isToCut(head.toString('latin1'))) return;
      cuttable.add(way);
      left = cutter.after() ?? Infinity;
    });
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cutter: Cutter = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: 0,
    after: () => undefined,
    cutAll() {
      for (const { cut } of [...cuttable]) cut();
    },
    silenceAll() {
      for (const { silence } of cuttable) silence();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return cutter;
}
