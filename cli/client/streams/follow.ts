import { closeCodes } from '../../../generated/protocol.js';
import { backoffMs } from '../../transport/backoff.ts';
import { ApiError } from '../errors.ts';
import { pause } from '../pause.ts';
import { endOf } from './stream-connector.ts';
import { untilClosed } from './socket.ts';
import type { StreamSocket } from './stream-socket.ts';
import type { Queue } from './queue.ts';

/** A stream that held for so long begins its waits anew. */
const stableMs = 60_000;
/** Whether the reader caught up is looked at so often. */
const lookEveryMs = 20;
/** Who leaves waits no longer for the other side. */
const leaveWithinMs = 1_000;

interface Followed<T extends object> {
  open(): Promise<StreamSocket>;
  silentSeconds: number;
  /** Whether silence tells that the network is gone, where no ping is seen. Default: always. */
  isAwaiting?: () => boolean;
  queue: Queue<T>;
  onMessage(data: unknown): void;
  /** Checked after each message: whether the reader is so far behind that the stream is to be left until he is not. Default: never. */
  isBehind?: () => boolean;
  signal: AbortSignal;
}

/** Reads a stream over every loss of the connection, until the signal ends it, or a close that is final. One that never began is not waited for. */
export async function follow<T extends object>(settings: Followed<T>): Promise<void> {
  const { open, silentSeconds, isAwaiting = () => true, queue, onMessage, isBehind = () => false, signal } = settings;
  let hasOpened = false;
  let waits = backoffMs();
  const isOver = () => signal.aborted;

  /** Why it is over; undefined where it is to be tried again, after a pause or `at once`. */
  async function once(): Promise<Error | 'at once' | undefined> {
    const openedMs = performance.now();
    const socket = await open();
    const leave = () => socket.close(closeCodes.ended);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    const close = await untilClosed(socket, {
      silentSeconds,
      isAwaiting,
      onOpen: () => (hasOpened = true),
      onMessage(data) {
        onMessage(data);
        if (isBehind()) leave();
      },
    });
    signal.removeEventListener('abort', leave);
    if (performance.now() - openedMs > stableMs) waits = backoffMs();
    const { isFinal, error } = endOf(close);
    if (!hasOpened || isFinal) return error;
    // It may just have been quiet.
    return close.isSilent && close.hasOpened ? 'at once' : undefined;
  }

  while (!isOver()) {
    const over = await once().catch((error: unknown) => (isPassing(error) && hasOpened ? undefined : asError(error)));
    if (over instanceof Error) return queue.end(isOver() ? undefined : over);
    const wasBehind = isBehind();
    while (isBehind() && !isOver()) await pause(lookEveryMs, signal).catch(() => undefined);
    if (!wasBehind && !over) await pause(waits.next().value, signal).catch(() => undefined);
  }
  queue.end();
}

/** A ticket that could not be had now may be had later. */
export const isPassing = (error: unknown) =>
  error instanceof ApiError ? error.status === 429 || error.status >= 500 : error instanceof Error;

export const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** What the queue has, for as long as somebody reads; who stops reading ends the stream. */
export async function* drain<T extends object>(
  queue: Queue<T>,
  begin: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void> {
  const over = new AbortController();
  function leave(): void {
    over.abort();
    // Where the network is silent the end of the connection may come much later.
    queue.end();
  }
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted) leave();
  const following = begin(over.signal);
  try {
    for (let item = await queue.next(); item; item = await queue.next()) yield item;
  } finally {
    leave();
    signal?.removeEventListener('abort', leave);
    const left = new AbortController();
    const late = pause(leaveWithinMs, left.signal).catch(() => undefined);
    await Promise.race([following.then(() => left.abort()), late]);
  }
}
