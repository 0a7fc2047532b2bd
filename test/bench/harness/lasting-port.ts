import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that Linux gives to outgoing connections (32,768 and up). */
const [lowest, highest] = [10_000, 30_000];

/**
 * A free port for a server that ends and comes back to it. One of those that outgoing connections take is likely gone by then, where there are
 * 20,000 of them.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
