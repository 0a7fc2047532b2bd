import pg from 'pg';
import type { Logger } from 'pino';
import { connectionSettings, type Connection } from '../db/index.ts';

/** A connection without a reply for this long counts as dead. */
const replyWithinMs = 4_000;
/** Minimum time between the starts of two connections. A connection that lasted longer is replaced at once. */
const reconnectMs = 1_000;

interface LastingSettings {
  connection: Connection;
  name: string | undefined; // see `connectionSettings`
  log: Logger;
  /** Prepares a new connection. A failure ends it. */
  onOpen(client: pg.Client): Promise<void>;
  /** Repeated while the connection lasts. A failure ends it. */
  work(client: pg.Client): Promise<void>;
  everyMs: number;
  onLost(): void;
}

/**
 * One connection to Postgres that is replaced whenever it ends. States: connecting → open → (connection lost) connecting
 * …, until closed. A half-open connection is noticed by the next work, as its reply does not come.
 */
export function lastingConnection({ connection, name, log, onOpen, work, everyMs, onLost }: LastingSettings) {
  let client: pg.Client | undefined;
  let isOpen = false;
  let begunMs = -Infinity; // start of the newest connection, on the monotonic clock
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ ...connectionSettings(connection, name), query_timeout: replyWithinMs });
    client = fresh;
    begunMs = performance.now();
    fresh.on('error', () => lose(fresh));
    fresh.on('end', () => lose(fresh));
    await fresh.connect();
    await onOpen(fresh);
    // The end may arrive in the same packet as the reply, and is then handled first.
    if (client !== fresh) throw new Error('the connection ended while it was being opened');
    isOpen = true;
    schedule(everyMs, again);
  }

  async function again(): Promise<void> {
    const asked = client;
    if (asked) await work(asked);
    if (client === asked) schedule(everyMs, again);
  }

  /** Runs a step after `afterMs`. A failed step closes the connection, never the process. */
  function schedule(afterMs: number, step: () => Promise<void>): void {
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      step().catch((error: unknown) => {
        log.warn({ err: error }, 'bus connection failed');
        lose(client);
      });
    }, afterMs);
    timer.unref();
  }

  function lose(lost: pg.Client | undefined): void {
    if (lost !== client || closed) return;
    const wasOpen = isOpen;
    isOpen = false;
    client = undefined;
    lost?.end().catch(() => undefined);
    if (wasOpen) onLost();
    schedule(Math.max(0, begunMs + reconnectMs - performance.now()), connect);
  }

  return {
    get isOpen() {
      return isOpen;
    },

    /** May be called again after a failure: a failed attempt leaves no state. */
    async open(): Promise<void> {
      try {
        await connect();
      } catch (error) {
        clearTimeout(timer);
        const failed = client;
        client = undefined;
        failed?.end().catch(() => undefined);
        throw error;
      }
    },

    async close(): Promise<void> {
      closed = true;
      isOpen = false;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
