import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { WebSocket } from 'ws';
import { until } from './until.ts';

export const mib = 2 ** 20;

/** Environment of a service that reports its memory without garbage. */
export const tellsHeldBytes = {
  NODE_OPTIONS: `--require ${fileURLToPath(new URL('gc-before-memory-usage.cjs', import.meta.url))}`,
};

/** Memory that a service with `tellsHeldBytes` holds outside its heap, where data in transit is. */
export async function heldBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_external_memory_bytes (\S+)/m.exec(text)?.[1]);
}

/** Sends as much as the peer accepts, until it is stopped; returns the number of bytes that the kernel accepted. */
export function flood(socket: WebSocket): { taken(): number; stop(): void } {
  const piece = randomBytes(65_536);
  let sent = 0;
  const timer = setInterval(() => {
    while (socket.readyState === socket.OPEN && socket.bufferedAmount < 2 * mib) {
      socket.send(piece);
      sent += piece.length;
    }
  }, 1);
  return { taken: () => sent - socket.bufferedAmount, stop: () => clearInterval(timer) };
}

/** Waits until nothing moves: all buffers on the path are full. */
export async function allFull(floods: readonly ReturnType<typeof flood>[]): Promise<void> {
  let taken = -1;
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const now = floods.reduce((sum, each) => sum + each.taken(), 0);
    const isStill = now === taken;
    taken = now;
    return isStill;
  });
}
