import type { WebSocket } from 'ws';

/** Ping interval and timeout of a socket. */
export interface KeepAliveTimes {
  pingEveryMs: number;
  deadAfterMs: number;
}

/** How long a reader may leave its pending bytes unread: a viewer may have paused its page. */
const stuckAfterMs = 900_000;
/** Each ping gets a pong, and the pongs queue up for a peer that does not read. */
const maxPingsPerSecond = 20;
const policyViolation = 1_008;

/**
 * Terminates a silent socket. A socket with unsent bytes is slow, not dead; a socket that this side does not read now
 * cannot be heard. Every open socket is pinged, so that the peer, whose pings may stay unread, sees activity.
 */
export function keepAlive(socket: WebSocket, { pingEveryMs, deadAfterMs }: KeepAliveTimes): void {
  const maxPings = (maxPingsPerSecond * pingEveryMs) / 1_000;
  let [silentMs, stuckMs, waiting, pings] = [0, 0, 0, 0];
  const heard = () => void (silentMs = 0);
  socket.on('pong', heard).on('message', heard);
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
    if (silentMs > deadAfterMs || stuckMs > stuckAfterMs) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.ping();
  }, pingEveryMs);
  socket.on('close', () => clearInterval(timer));
}
