import type { WebSocket } from 'ws';
import { connectionOf } from './connection.ts';

/** Ping interval and timeout of a socket. */
export interface KeepAliveTimes {
  pingEveryMs: number;
  deadAfterMs: number;
}

/** How long a reader may leave its pending bytes unread: a viewer may have paused its page. */
const stuckAfterMs = 900_000;
/**
 * Slowest reader that is not taken for dead. The kernels of both ends hold many megabytes for it, and its pong follows
 * once it has read what was sent before the ping.
 */
const minBytesPerMs = 64;
/** Each ping gets a pong, and the pongs queue up for a peer that does not read. */
const maxPingsPerSecond = 20;
const policyViolation = 1_008;

/**
 * Terminates a silent socket. A socket with unsent bytes is slow, not dead; one with sent bytes that may be unread has
 * time to read them; a socket that this side does not read now cannot be heard. Every open socket is pinged, so that the
 * peer, whose pings may stay unread, sees activity.
 */
export function keepAlive(socket: WebSocket, { pingEveryMs, deadAfterMs }: KeepAliveTimes): void {
  const maxPings = (maxPingsPerSecond * pingEveryMs) / 1_000;
  // A ping states how many bytes were written before it, and its pong repeats that.
  const wire = connectionOf(socket);
  let [silentMs, stuckMs, waiting, pings, readBytes] = [0, 0, 0, 0, wire.bytesWritten];
  const heard = () => void (silentMs = 0);
  socket.on('message', heard).on('pong', (data: Buffer) => {
    heard();
    readBytes = Math.max(readBytes, Number(data.toString()) || 0);
  });
  socket.on('ping', () => {
    heard();
    pings += 1;
    if (pings > maxPings) socket.close(policyViolation, `more than ${maxPingsPerSecond} pings a second`);
  });
  const timer = setInterval(() => {
    const { bufferedAmount } = socket;
    stuckMs = bufferedAmount > 0 && bufferedAmount >= waiting ? stuckMs + pingEveryMs : 0;
    waiting = bufferedAmount;
    pings = 0;
    silentMs = bufferedAmount > 0 || socket.isPaused ? 0 : silentMs + pingEveryMs;
    const readingMs = Math.max(0, wire.bytesWritten - readBytes) / minBytesPerMs;
    if (silentMs > Math.min(deadAfterMs + readingMs, stuckAfterMs) || stuckMs > stuckAfterMs) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.ping(String(wire.bytesWritten));
  }, pingEveryMs);
  socket.on('close', () => clearInterval(timer));
}
