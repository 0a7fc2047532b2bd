import { backoffMs } from '../../transport/backoff.ts';
import { ApiError, StreamError } from '../errors.ts';
import { pause } from '../pause.ts';
import { streamConnection } from './stream-connection.ts';
import type { OpenedStream } from './stream-connector.ts';
import { endOf } from './stream-ends.ts';
import { nodeSocketOf, type StreamSocket } from './stream-socket.ts';

/** After a connection of this length the backoff restarts. */
const stableMs = 60_000;
/** How often to check whether the reader has caught up. */
const lookEveryMs = 20;
/** Maximum wait, after an abort, for a stream that is still opening. */
const leaveWithinMs = 1_000;

/** Callbacks and settings of a stream across its connections. */
export interface FollowOptions {
  /** Ends the stream in order. */
  signal: AbortSignal;
  /** Whether to wait for a missing stream that may return; otherwise the stream ends. Default: once it has opened. */
  mayWait?: ((hasOpened: boolean) => boolean) | undefined;
  onOpen?: (() => void) | undefined;
  /** The stream is missing; it reconnects after that time. `attempt` counts from 1. */
  onWaiting?: ((error: Error, waitMs: number, attempt: number) => void) | undefined;
}

interface FollowSettings extends FollowOptions {
  /** Opens the first or a later connection. */
  open(): Promise<OpenedStream>;
  silentSeconds: number;
  /** Whether silence means a lost network, on a socket without pings. Default: always. */
  isAwaiting?: (() => boolean) | undefined;
  /** If it returns a promise, reading pauses until that resolves, provided that the socket can pause. */
  onMessage(data: unknown): Promise<void> | undefined;
  /**
   * Called after each message: whether the reader is so far behind that the stream closes until it catches up. Default:
   * never.
   */
  isBehind?: (() => boolean) | undefined;
}

/** Why a connection ended. `isQuiet`: it may only have been quiet, so it reconnects at once. */
interface End {
  error: Error;
  isQuiet: boolean;
}

/**
 * Reads a stream across disconnects. Resolves when the signal aborts; rejects with the error that rules out a
 * reconnect.
 */
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

/** Read again after each wait. */
const isLeft = (signal: AbortSignal) => signal.aborted;

/** Undefined if the signal aborts first; a stream that is still opening then gets only a short wait. */
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

/** A paused `ws` socket would not read the response to its close, and would hold the process for 30 s. */
function endAtOnce(socket: StreamSocket): void {
  const nodeSocket = nodeSocketOf(socket);
  if (nodeSocket) nodeSocket.terminate();
  else socket.close();
}

/** Whether a later attempt may succeed. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof StreamError) return error.isRetryable;
  return error instanceof ApiError ? error.status === 429 || error.status >= 500 : error instanceof Error;
}

export const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
