import type { Socket } from 'node:net';
import type pg from 'pg';

/** How often a connection is looked at, in ms. */
const lookEveryMs = 1_000;
/** Time without a result after which another server may be the primary, in ms. */
const recheckAfterMs = 2_000;

/**
 * Ends a connection over which Postgres has sent nothing for `limitMs` although statements wait for it, such as one whose
 * network is gone. Their outcome is the error of a database that is away. pg's own `query_timeout` sets a timer for each
 * statement, which keeps the result in memory until the next full collection: a third more CPU for a list. `recheck`: called every second after 2 s of such silence.
 */
export function endWhenOverdue(client: pg.Client, limitMs: number, recheck?: () => void): void {
  const socket = () => socketOf(client);
  let writtenBefore = 0; // when nothing was waited for
  let read = 0;
  let readAt = performance.now();
  client.on('drain', () => (writtenBefore = socket().bytesWritten));
  const look = setInterval(() => {
    const { bytesRead, bytesWritten } = socket();
    const isWaiting = bytesWritten !== writtenBefore;
    const silentMs = performance.now() - readAt;
    if (!isWaiting || bytesRead !== read) {
      read = bytesRead;
      readAt = performance.now();
    } else if (silentMs < limitMs) {
      if (silentMs >= recheckAfterMs) recheck?.();
    } else {
      const error = new Error(`Postgres did not respond for ${limitMs / 1_000} s`);
      socket().destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
    }
  }, lookEveryMs).unref();
  client.once('end', () => clearInterval(look));
}

/** The socket of a connection, which pg does not type: with TLS, another one than at first. */
export function socketOf(client: pg.Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
