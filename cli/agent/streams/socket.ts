import type { WebSocket } from 'ws';
import { limits } from '../../../generated/protocol.js';

/** The socket of one live stream. */
export interface StreamSocket {
  /** Bytes, or the text of a frame. Lost once it is closing. `sent` is called when it left this process, or was lost later. */
  send(data: Uint8Array | string, sent?: () => void): void;
  /** So much waits that nothing more should be sent until `eased`. */
  readonly isCongested: boolean;
  /** The other side is not read until `resume`. */
  pause(): void;
  resume(): void;
  close(code: number, reason: string): void;
  /** At once, without a word. */
  terminate(): void;
}

export interface StreamListener {
  message(data: Buffer, isBinary: boolean): void;
  /** It was congested, and takes more now. */
  eased(): void;
  /** Once; 1006 is a connection that broke. */
  closed(code: number): void;
}

/** Limits of the sockets of streams; a test shortens them. */
interface StreamLimits {
  pingEveryMs: number;
  deadAfterMs: number;
  /** The same while the other side has not read what was sent: it is slow then, and not dead. */
  slowAfterMs: number;
}

/** How long who does not read is waited for, while pings are not answered as well as for the answer to a close. */
export const slowAfterMs = 15 * 60_000;
const streamLimits: StreamLimits = {
  pingEveryMs: limits.pingEveryMs,
  deadAfterMs: limits.deadAfterMs,
  slowAfterMs,
};
/** The longest that a reason may be. */
const maxReasonBytes = 123;

/**
 * Takes a socket that is open. It is dead when nothing was heard of it for 30 s, time in which it was not read not counted. A pong tells that all was read
 * that was sent before its ping; where that is not all, the other side may be paused by its viewer, who has 15 minutes.
 */
export function streamSocket(socket: WebSocket, on: StreamListener, times: StreamLimits = streamLimits): StreamSocket {
  let isCongested = false;
  let isPaused = false;
  let sentBytes = 0;
  let readBytes = 0;
  let pingedBytes: number | undefined;
  let silentMs = 0;

  const heard = () => void (silentMs = 0);
  socket.on('message', (data, isBinary) => {
    heard();
    on.message(data as Buffer, isBinary);
  });
  socket.on('ping', heard).on('pong', () => {
    heard();
    readBytes = pingedBytes ?? readBytes;
    pingedBytes = undefined;
  });
  socket.on('error', () => undefined); // its close follows
  socket.on('close', (code) => {
    clearInterval(timer);
    on.closed(code);
  });
  const timer = setInterval(() => {
    silentMs = isPaused ? 0 : silentMs + times.pingEveryMs;
    const isUnread = readBytes < sentBytes || socket.readyState === socket.CLOSING;
    if (silentMs > (isUnread ? times.slowAfterMs : times.deadAfterMs)) return socket.terminate();
    if (pingedBytes !== undefined || socket.readyState !== socket.OPEN) return;
    pingedBytes = sentBytes;
    socket.ping();
  }, times.pingEveryMs);

  function sent(): void {
    if (!isCongested || socket.bufferedAmount > limits.streamResumeBytes || socket.readyState !== socket.OPEN) return;
    isCongested = false;
    on.eased();
  }

  return {
    send(data, whenSent) {
      if (socket.readyState !== socket.OPEN) return;
      sentBytes += data.length;
      socket.send(data, () => {
        sent();
        whenSent?.();
      });
      if (socket.bufferedAmount > limits.streamPauseBytes) isCongested = true;
    },
    get isCongested() {
      return isCongested;
    },
    pause() {
      isPaused = true;
      socket.pause();
    },
    resume() {
      isPaused = false;
      socket.resume();
    },
    close(code, reason) {
      // A paused socket would never read the answer.
      isPaused = false;
      socket.resume();
      socket.close(code, Buffer.from(reason).subarray(0, maxReasonBytes));
    },
    terminate: () => socket.terminate(),
  };
}
