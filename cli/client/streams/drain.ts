import { asError } from './follow.ts';
import type { Queue } from './queue.ts';

/**
 * Yields the queue's items; when the reader stops, the stream ends. `begin` fills the queue, and rejects with the
 * reader's error.
 */
export async function* drain<T extends object>(
  queue: Queue<T>,
  begin: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void> {
  const over = new AbortController();
  function leave(): void {
    over.abort();
    // On a silent network the connection may close later.
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
