import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A listener that passes connections to a port of loopback. */
export interface Forwarder extends AsyncDisposable {
  /** Connections that were accepted so far. */
  connections: number;
}

/** @param port on which it listens at `host` @param target to which it connects */
export async function startForwarder(host: string, port: number, target: number): Promise<Forwarder> {
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
    near.pipe(far).pipe(near);
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
