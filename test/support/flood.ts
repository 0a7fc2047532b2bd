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
export const heldBytes = async (url: string): Promise<number> => (await memoryOf(url)).external;

/**
 * Memory that a service with `tellsHeldBytes` uses, its heap included. Its resident memory also depends on the machine:
 * on how soon garbage is collected, and on which pages of its program are loaded.
 */
export async function usedBytes(url: string): Promise<number> {
  const { heap, external } = await memoryOf(url);
  return heap + external;
}

async function memoryOf(url: string): Promise<{ heap: number; external: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const valueOf = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return { heap: valueOf('nodejs_heap_size_used_bytes'), external: valueOf('nodejs_external_memory_bytes') };
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
