import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { limits } from '../../generated/protocol.js';
import { backoffMs } from '../transport/backoff.ts';
import { endOf, type StreamEnd, type ViewerSocket } from './viewer-socket.ts';

interface KeptStream {
  /** Opens it, for the first time or again. */
  open(): Promise<ViewerSocket | StreamEnd>;
  /** Whether a stream that is away, and could come back, is waited for; else that is the end. `hasOpened`: it was there before. */
  mayWait(hasOpened: boolean): boolean;
  signal: AbortSignal;
  onOpen(headers: IncomingHttpHeaders): void;
  /** Where it gives a promise, no more is read until that resolves. */
  onMessage(data: Buffer, isBinary: boolean): Promise<void> | undefined;
  /** It is away, and is tried again after that time. */
  onWaiting(end: StreamEnd, waitMs: number, attempt: number): void;
}

/** A stream that held for so long begins its waits anew. */
const stableMs = 60_000;
/** Who leaves waits no longer for the other side. */
const leaveWithinMs = 1_000;

/** Reads a live stream over every loss of the connection. Resolves when the signal ends it. Rejects with the CliError of what cannot be mended by trying again. */
export async function keepOpen(settings: KeptStream): Promise<void> {
  const { open, mayWait, signal, onOpen, onMessage, onWaiting } = settings;
  let hasOpened = false;
  let waits = backoffMs();
  let attempt = 1;
  const isOver = () => signal.aborted;

  async function follow({ socket, headers }: ViewerSocket): Promise<StreamEnd> {
    const openedMs = performance.now();
    const silence = endWhenSilent(socket);
    hasOpened = true;
    onOpen(headers);
    const end = await read(socket, signal, (data, isBinary) => {
      const full = onMessage(data, isBinary);
      if (full && !socket.isPaused) {
        silence.pause();
        socket.pause();
        void full.then(() => {
          silence.resume();
          socket.resume();
        });
      }
    });
    if (performance.now() - openedMs > stableMs) [waits, attempt] = [backoffMs(), 0];
    return end;
  }

  /** Undefined when the signal came meanwhile: an answer that is still to come is hardly waited for then. */
  async function openUnlessLeft(): Promise<ViewerSocket | StreamEnd | undefined> {
    const opening = open();
    const left = new Promise<undefined>((resolve) => {
      const wait = () => void setTimeout(() => resolve(undefined), leaveWithinMs).unref();
      signal.addEventListener('abort', wait, { once: true });
      if (signal.aborted) wait();
      void opening.then(
        () => signal.removeEventListener('abort', wait),
        () => signal.removeEventListener('abort', wait),
      );
    });
    const opened = await Promise.race([opening, left]);
    if (opened) return opened;
    void opening.then(
      (late) => 'socket' in late && late.socket.terminate(),
      () => undefined,
    );
    return undefined;
  }

  for (; !isOver(); attempt += 1) {
    const opened = await openUnlessLeft();
    if (!opened) return;
    const end = 'socket' in opened ? await follow(opened) : opened;
    if (isOver()) return;
    if (end.isFinal || !mayWait(hasOpened)) throw end.error;
    const waitMs = waits.next().value;
    onWaiting(end, waitMs, attempt);
    await pause(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

/** The service pings each viewer; one that hears nothing, after a sleep of the machine too, is not connected any more. Paused, it does not listen. */
function endWhenSilent(socket: WebSocket): { pause(): void; resume(): void } {
  let silence: NodeJS.Timeout | undefined;
  const pause = () => clearTimeout(silence);
  const resume = () => {
    // What came last may be written after the end; a timer from then on would hold up the whole command.
    if (socket.readyState !== socket.CLOSED) silence = setTimeout(() => socket.terminate(), limits.deadAfterMs);
  };
  const heard = () => void silence?.refresh();
  resume();
  socket.on('ping', heard).on('message', heard);
  socket.once('close', pause);
  return { pause, resume };
}

function read(
  socket: WebSocket,
  signal: AbortSignal,
  onMessage: (data: Buffer, isBinary: boolean) => void,
): Promise<StreamEnd> {
  return new Promise((resolve) => {
    const leave = () => {
      // One that is not read never hears the answer, and one that is lost never gives any.
      socket.resume();
      socket.close();
      setTimeout(() => socket.terminate(), leaveWithinMs).unref();
    };
    signal.addEventListener('abort', leave);
    socket.on('message', onMessage);
    socket.on('error', () => undefined); // its close follows
    socket.on('close', (code, reason) => {
      signal.removeEventListener('abort', leave);
      resolve(endOf(code, reason.toString('utf8')));
    });
    socket.resume();
    // It may have been asked to end while the stream was being opened.
    if (signal.aborted) leave();
  });
}
