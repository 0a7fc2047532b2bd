import { backoffMs } from '../../transport/backoff.ts';
import { ApiError, StreamError } from '../errors.ts';
import { pause } from '../pause.ts';
import { streamConnection } from './stream-connection.ts';
import type { OpenedStream } from './stream-connector.ts';
import { endOf } from './stream-ends.ts';
import { nodeSocketOf, type StreamSocket } from './stream-socket.ts';

/** A stream that held for so long begins its waits anew. */
const stableMs = 60_000;
/** Whether the reader caught up is looked at so often. */
const lookEveryMs = 20;
/** A reader who leaves waits no longer for a stream that is being opened. */
const leaveWithinMs = 1_000;

/** What a reader is told of the connections below, and says to them. */
export interface FollowOptions {
  /** Ends it in order. */
  signal: AbortSignal;
  /** Whether a stream that is not there, and may come back, is waited for; otherwise that is the end. Default: once it was there. */
  mayWait?: ((hasOpened: boolean) => boolean) | undefined;
  onOpen?: (() => void) | undefined;
  /** It is not there, and is tried again after that time. `attempt` counts from 1. */
  onWaiting?: ((error: Error, waitMs: number, attempt: number) => void) | undefined;
}

interface FollowSettings extends FollowOptions {
  /** Opens it, for the first time or again. */
  open(): Promise<OpenedStream>;
  silentSeconds: number;
  /** Whether silence tells that the network is gone, where no ping is seen. Default: always. */
  isAwaiting?: (() => boolean) | undefined;
  /** Where it gives a promise, no more is read until that resolves, if the socket can be paused. */
  onMessage(data: unknown): Promise<void> | undefined;
  /** Asked after each message: whether the reader is so far behind that the stream is to be left until he is not. Default: never. */
  isBehind?: (() => boolean) | undefined;
}

/** Why a connection is over. `isQuiet`: it may just have been quiet, and is made anew at once. */
interface End {
  error: Error;
  isQuiet: boolean;
}

/** Reads a stream over every loss of the connection. Resolves when the signal ends it; rejects with why it cannot go on. */
export async function follow(settings: FollowSettings): Promise<void> {
  const { open, silentSeconds, isAwaiting, onMessage, onOpen, onWaiting, signal } = settings;
  const { isBehind = () => false, mayWait = (opened: boolean) => opened } = settings;
  let hasOpened = false;
  let waits = backoffMs();
  let attempt = 1;

  async function read({ socket }: OpenedStream): Promise<End> {
    const openedMs = performance.now();
    const connection = streamConnection(socket, {
      silentSeconds,
      ...(isAwaiting && { isAwaiting }),
      onOpen() {
        hasOpened = true;
        onOpen?.();
      },
      onMessage(data) {
        const full = onMessage(data);
        if (isBehind()) connection.close();
        return full;
      },
    });
    const leave = () => connection.close();
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    const close = await connection.closed;
    signal.removeEventListener('abort', leave);
    if (performance.now() - openedMs > stableMs) [waits, attempt] = [backoffMs(), 0];
    return { error: endOf(close), isQuiet: close.isQuiet && close.hasOpened };
  }

  async function once(): Promise<End | undefined> {
    try {
      const opened = await unlessLeft(open(), signal);
      return opened && (await read(opened));
    } catch (error) {
      return { error: asError(error), isQuiet: false };
    }
  }

  for (; !signal.aborted; attempt += 1) {
    const end = await once();
    if (!end || isLeft(signal)) return;
    if (!isRetryable(end.error) || !mayWait(hasOpened)) throw end.error;
    const wasBehind = isBehind();
    while (isBehind() && !isLeft(signal)) await pause(lookEveryMs, signal).catch(() => undefined);
    if (wasBehind || end.isQuiet) continue;
    const waitMs = waits.next().value;
    onWaiting?.(end.error, waitMs, attempt);
    await pause(waitMs, signal).catch(() => undefined);
  }
}

/** Read anew after each wait. */
const isLeft = (signal: AbortSignal) => signal.aborted;

/** Undefined when the signal came meanwhile: a stream that is still to be opened is hardly waited for then. */
async function unlessLeft(opening: Promise<OpenedStream>, signal: AbortSignal): Promise<OpenedStream | undefined> {
  const done = new AbortController();
  const left = new Promise<undefined>((resolve) => {
    const wait = () =>
      void pause(leaveWithinMs, done.signal).then(
        () => resolve(undefined),
        () => undefined,
      );
    signal.addEventListener('abort', wait, { once: true, signal: done.signal });
    if (signal.aborted) wait();
  });
  try {
    const opened = await Promise.race([opening, left]);
    if (!opened)
      void opening.then(
        ({ socket }) => endAtOnce(socket),
        () => undefined,
      );
    return opened;
  } finally {
    done.abort();
  }
}

/** One of `ws` that is paused would not read the answer to its close, and would hold the process for 30 s. */
function endAtOnce(socket: StreamSocket): void {
  const nodeSocket = nodeSocketOf(socket);
  if (nodeSocket) nodeSocket.terminate();
  else socket.close();
}

/** What could not be had now may be had later. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof StreamError) return error.isRetryable;
  return error instanceof ApiError ? error.status === 429 || error.status >= 500 : error instanceof Error;
}

export const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
