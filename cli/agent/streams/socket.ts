import type { WebSocket } from 'ws';
import { limits } from '../../../generated/protocol.js';

/** The socket of one live stream. */
export interface StreamSocket {
  /**
   * Sends bytes, or the text of a frame; discards them once the socket is closing. `sent` is called when the data has
   * left this process, or was lost later.
   */
  send(data: Uint8Array | string, sent?: () => void): void;
  /** So much is queued that nothing more should be sent until `eased`. */
  readonly isCongested: boolean;
  /** Stops reading the other side until `resume`. */
  pause(): void;
  resume(): void;
  close(code: number, reason: string): void;
  /** Closes at once, without a close frame. */
  terminate(): void;
}

export interface StreamListener {
  message(data: Buffer, isBinary: boolean): void;
  /** The socket was congested, and accepts more now. */
  eased(): void;
  /** Called once; 1006 is a lost connection. */
  closed(code: number): void;
}

/** Limits of the sockets of streams; a test shortens them. */
interface StreamLimits {
  pingEveryMs: number;
  deadAfterMs: number;
  /** The same while the other side has not read what was sent: it is slow then, not dead. */
  slowAfterMs: number;
}

/** How long to wait for a side that does not read: for its pongs, and for its answer to a close. */
export const slowAfterMs = 15 * 60_000;
const streamLimits: StreamLimits = {
  pingEveryMs: limits.pingEveryMs,
  deadAfterMs: limits.deadAfterMs,
  slowAfterMs,
};
/** The longest close reason. */
const maxReasonBytes = 123;

/**
 * Takes an open socket. It counts as dead after 30 s of silence; time while it is not read does not count. A pong
 * confirms that the other side read everything sent before the ping. While something is unread, the other side may be
 * paused by its viewer, which has 15 minutes.
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
  socket.on('error', () => undefined); // the close event follows
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
      // A paused socket would never read the answer to the close.
      isPaused = false;
      socket.resume();
      socket.close(code, Buffer.from(reason).subarray(0, maxReasonBytes));
    },
    terminate: () => socket.terminate(),
  };
}
