import type { WebSocket } from 'ws';

/** How long a socket may be silent. */
export interface Liveness {
  pingEveryMs: number;
  deadAfterMs: number;
}

/** How long a reader may take nothing of what waits for it: somebody looks at a paused page. */
const stuckAfterMs = 900_000;
/** Each is answered, and the answers wait for who does not read. */
const maxPingsPerSecond = 20;
const policyViolation = 1_008;

/**
 * Ends a socket of which nothing is heard, until it is closed. One whose bytes wait for its reader is slow and not dead; of one that we do not
 * read now, nothing can be heard. It is pinged in any case, so that the other side, whose pings we may not read, hears of us.
 */
export function keepAlive(socket: WebSocket, { pingEveryMs, deadAfterMs }: Liveness): void {
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
