import { asError } from './follow.ts';
import type { Queue } from './queue.ts';

/** What the queue has, for as long as somebody reads; who stops reading ends the stream. `begin` fills it, and rejects with what the reader is told. */
export async function* drain<T extends object>(
  queue: Queue<T>,
  begin: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void> {
  const over = new AbortController();
  function leave(): void {
    over.abort();
    // Where the network is silent the end of the connection may come later.
    queue.end();
  }
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted) leave();
  const following = begin(over.signal).then(
    () => queue.end(),
    (error: unknown) => queue.end(asError(error)),
  );
  try {
    for (let item = await queue.next(); item; item = await queue.next()) yield item;
  } finally {
    leave();
    signal?.removeEventListener('abort', leave);
    await following;
  }
}
