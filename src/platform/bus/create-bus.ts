import type pg from 'pg';
import type { Logger } from 'pino';
import { newId } from '../../kernel/ids.ts';
import type { Connection } from '../db/index.ts';
import type { Bus, Listener } from './bus.ts';
import { lastingConnection } from './connection.ts';
import { writeMessage, type Hint } from './hint.ts';
import { channel, dropSql, hintLog, readSql, recordSql, type LogRow } from './hint-log.ts';
import { listening } from './listening.ts';
import { natsCarrier } from './nats.ts';
import type { NatsSettings } from './nats-settings.ts';

const readEveryMs = 1_000;
const dropEveryMs = 10_000;

/** Its owner starts and closes it. */
export interface ServiceBus extends Bus {
  /** May be called again after a failure: a failed attempt leaves no state. */
  start(): Promise<void>;
  close(): Promise<void>;
}

interface BusSettings {
  /** Reached without a pooler in transaction mode, unless `nats` is given: LISTEN needs a session. */
  connection: Connection;
  log: Logger;
  name?: string; // see `connectionSettings`
  nats?: NatsSettings | undefined;
}

/**
 * Each transaction records its hints in Postgres, where every replica reads the new ones each second, over a connection
 * of its own. They also travel faster: by NOTIFY at the commit or, with NATS, right after it. One that is lost on the
 * way is late by a second at most; see decision 116.
 */
export function createBus({ connection, log, name, nats: settings }: BusSettings): ServiceBus {
  const listeners: Listener[] = [];
  const deliver = (hints: readonly Hint[]) => {
    for (const hint of hints) for (const listener of listeners) listener.hint(hint);
  };
  const reset = () => {
    for (const listener of listeners) listener.reset();
  };
  const hints = hintLog(({ hint }) => deliver([hint]));
  const nats = settings && natsCarrier(settings, log, (message) => hints.carry(message));
  const channels = nats
    ? undefined
    : listening({ log, onMessage: (message) => hints.carry(message), onUnknown: reset });
  /** A replica of a release that records no hints is alive: it hears NOTIFY alone, and is heard by LISTEN alone. */
  let hasOlder = false;
  let droppedMs = performance.now();

  async function read(client: pg.Client): Promise<void> {
    const take = hints.read();
    const { rows } = await client.query<LogRow>(readSql, [hints.from ?? null]);
    const [row] = rows;
    if (!row) throw new Error('the hints were read without a result');
    hasOlder = row.older;
    const nowMs = performance.now();
    if (take(row, nowMs)) reset();
    const droppable = hints.droppable(nowMs);
    if (droppable === undefined || nowMs - droppedMs < dropEveryMs) return;
    droppedMs = nowMs;
    await client.query(dropSql, [droppable]);
  }

  const link = lastingConnection({
    connection,
    name,
    log,
    everyMs: readEveryMs,
    async onOpen(client) {
      await channels?.begin(client);
      await read(client);
      // Hints sent by replicas that do not record them are lost while this connection is down.
      reset();
    },
    async work(client) {
      await read(client);
      await channels?.check(client);
    },
    onLost: () => log.warn('the bus is down: token permissions are read from the database until it is back'),
  });

  return {
    get up() {
      return link.isOpen && (nats ? nats.up && !hasOlder : channels?.isHeard === true);
    },
    async start() {
      const connectNats = await nats?.prepare();
      await link.open();
      connectNats?.();
    },
    announcing(transaction, announced) {
      if (announced.length === 0) return { closing: [], onCommit: () => undefined };
      const messages = announced.map((hint) => ({ id: newId(), hint }));
      return {
        closing: [transaction.raw(recordSql(!nats || hasOlder), [messages.map(writeMessage)])],
        onCommit() {
          if (!nats) return;
          for (const message of messages) {
            nats.publish(message);
            hints.carry(message);
          }
        },
      };
    },
    async send(db, sent) {
      const messages = sent.map((hint) => ({ id: undefined, hint }));
      if (nats) {
        for (const message of messages) nats.publish(message);
        deliver(sent);
      } else if (sent.length > 0)
        await db.raw(`select pg_notify('${channel}', hint) from unnest(?::text[]) as hint`, [
          messages.map(writeMessage),
        ]);
    },
    deliver,
    subscribe: (listener) => void listeners.push(listener),
    async close() {
      await link.close();
      await nats?.close();
    },
  };
}
