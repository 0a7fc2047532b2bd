import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the system gives to connections and to those who listen at any port: nobody gets it by chance before it is used. */
const range = [10_000, 32_000] as const;

/** A port that nothing listens on now: for what must be told its port, or has to come back to its own. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...range);
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
