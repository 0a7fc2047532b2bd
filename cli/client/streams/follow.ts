import { closeCodes } from '../../../generated/protocol.js';
import { backoffMs } from '../../agent/backoff.ts';
import { ApiError, StreamError } from '../errors.ts';
import { pause } from '../pause.ts';
import { untilClosed, type StreamSocket } from './socket.ts';
import type { Queue } from './queue.ts';

/** Closes after which no other connection would fare better. */
const finalCodes: readonly number[] = [
  ...[closeCodes.policy, closeCodes.tooBig, closeCodes.unauthorized, closeCodes.forbidden, closeCodes.notFound],
  ...[closeCodes.gone, closeCodes.protocolUnsupported],
];
/** A stream that held for so long begins its waits anew. */
const stableMs = 60_000;
/** Whether the reader caught up is looked at so often. */
const lookEveryMs = 20;
/** Who leaves waits no longer for the other side. */
const leaveWithinMs = 1_000;

interface Followed<T extends object> {
  open(): Promise<StreamSocket>;
  queue: Queue<T>;
  onMessage(data: unknown): void;
  /** Checked after each message: whether the reader is so far behind that the stream is to be left until he is not. Default: never. */
  isBehind?: () => boolean;
  signal: AbortSignal;
}

/** Reads a stream over every loss of the connection, until the signal ends it, or a close that is final. One that never began is not waited for. */
export async function follow<T extends object>(settings: Followed<T>): Promise<void> {
  const { open, queue, onMessage, isBehind = () => false, signal } = settings;
  let hasOpened = false;
  let waits = backoffMs();
  const isOver = () => signal.aborted;

  /** Why it is over; undefined where it is to be tried again. */
  async function once(): Promise<Error | undefined> {
    const openedMs = performance.now();
    const socket = await open();
    const leave = () => socket.close(closeCodes.ended);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    const close = await untilClosed(socket, {
      onOpen: () => (hasOpened = true),
      onMessage(data) {
        onMessage(data);
        if (isBehind()) leave();
      },
    });
    signal.removeEventListener('abort', leave);
    if (performance.now() - openedMs > stableMs) waits = backoffMs();
    const error = new StreamError(close.reason || `the stream ended (${close.code})`, close.code);
    return !hasOpened || finalCodes.includes(close.code) ? error : undefined;
  }

  while (!isOver()) {
    const over = await once().catch((error: unknown) => (mayPass(error) && hasOpened ? undefined : asError(error)));
    if (over) return queue.end(isOver() ? undefined : over);
    const wasBehind = isBehind();
    while (isBehind() && !isOver()) await pause(lookEveryMs, signal).catch(() => undefined);
    if (!wasBehind) await pause(waits.next().value, signal).catch(() => undefined);
  }
  queue.end();
}

/** A ticket that could not be had now may be had later. */
const mayPass = (error: unknown) =>
  error instanceof ApiError ? error.status === 429 || error.status >= 500 : error instanceof Error;

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** What the queue has, for as long as somebody reads; who stops reading ends the stream. */
export async function* drain<T extends object>(
  queue: Queue<T>,
  begin: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void> {
  const over = new AbortController();
  const leave = () => over.abort();
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
