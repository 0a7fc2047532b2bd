import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Duplex, PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** A listener that passes connections to a port of loopback. */
export interface Forwarder extends AsyncDisposable {
  /** Connections that were accepted so far. */
  connections: number;
}

/**
 * @param port on which it listens at `host`
 * @param target to which it connects
 * @param bytesPerSecond rate towards the target; default: no limit
 */
export async function startForwarder(
  host: string,
  port: number,
  target: number,
  bytesPerSecond?: number,
): Promise<Forwarder> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    forwarder.connections += 1;
    const far = connect(target, '127.0.0.1');
    const both = [near, far];
    for (const socket of both) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        for (const each of both) each.destroySoon();
      });
    }
    near.pipe(bytesPerSecond === undefined ? new PassThrough() : slowedTo(bytesPerSecond)).pipe(far);
    far.pipe(near);
  });
  const forwarder: Forwarder = {
    connections: 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  await once(server.listen(port, host), 'listening');
  return forwarder;
}

/** Passes a hundredth of a second's bytes at a time. */
function slowedTo(bytesPerSecond: number): Duplex {
  const step = Math.ceil(bytesPerSecond / 100);
  return Duplex.from(async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks)
      for (let at = 0; at < chunk.length; at += step) {
        yield chunk.subarray(at, at + step);
        await delay(10);
      }
  });
}
