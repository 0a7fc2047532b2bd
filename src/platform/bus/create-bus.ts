import type { Knex } from 'knex';
import type pg from 'pg';
import type { Logger } from 'pino';
import { newId } from '../../kernel/ids.ts';
import type { Connection } from '../db/index.ts';
import type { Bus, Listener } from './bus.ts';
import type { Carrier, CarrierEvents } from './carrier.ts';
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
  /** Not through a pooler in transaction mode: LISTEN needs a session. */
  connection: Connection;
  log: Logger;
  name?: string; // see `connectionSettings`
  nats?: NatsSettings | undefined;
}

/**
 * Each transaction records its hints in Postgres, where every replica reads the new ones each second, over a connection
 * of its own. They also travel faster: by NOTIFY at the commit or, with NATS, right after it. One that is lost on the
 * way is late by a second; see decision 116.
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
  const events: CarrierEvents = { onMessage: (message) => hints.carry(message), onLost: reset };
  const nats = settings && natsCarrier(settings, log, events);
  const carrier: Carrier = nats ?? listening(log, events);
  /** A replica of a release that records no hints is alive: it hears NOTIFY alone, and is heard by LISTEN alone. */
  let hasOlder = false;
  let wasLost = false;
  let droppedMs = performance.now();

  async function read(client: pg.Client): Promise<void> {
    const take = hints.begin();
    const { rows } = await client.query<LogRow>(readSql, [hints.snapshot ?? null]);
    const [row] = rows;
    if (!row) throw new Error('the hints were read without a result');
    noteOlder(row.older);
    const nowMs = performance.now();
    if (take(row, nowMs)) {
      log.warn('hints of other replicas may be lost: caches are discarded');
      reset();
    }
    if (nowMs - droppedMs < dropEveryMs) return;
    droppedMs = nowMs;
    await drop(client, hints.droppable(nowMs));
  }

  async function drop(client: pg.Client, snapshot: string | undefined): Promise<void> {
    if (snapshot === undefined) return;
    await client.query(dropSql, [snapshot]).catch((error: unknown) => log.warn({ err: error }, 'old hints stay'));
  }

  function noteOlder(now: boolean): void {
    if (now === hasOlder) return;
    hasOlder = now;
    if (!nats) return;
    if (now)
      log.warn(
        'a replica of an earlier release is alive, which does not use NATS: token permissions are read from the database until it stops',
      );
    else {
      log.info('no replica of an earlier release is left');
      reset(); // its hints were not heard
    }
  }

  const link = lastingConnection({
    connection,
    name,
    log,
    everyMs: readEveryMs,
    async onOpen(client) {
      await carrier.open(client);
      await read(client);
      // Hints of replicas that do not record them are lost while this connection is down.
      reset();
      if (wasLost) log.info('the bus is back');
      wasLost = false;
    },
    async work(client) {
      await read(client);
      await carrier.check(client);
    },
    onLost() {
      wasLost = true;
      log.warn('the bus is down: token permissions are read from the database until it is back');
    },
  });

  return {
    get up() {
      return link.isOpen && carrier.isHeard && !(nats && hasOlder);
    },
    async start() {
      await nats?.prepare();
      await link.open();
    },
    announcing(transaction, announced) {
      const messages = distinct(announced).map((hint) => ({ id: newId(), hint }));
      if (messages.length === 0) return { closing: [], onCommit: () => undefined };
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
      if (!nats) return notify(db, messages.map(writeMessage));
      for (const message of messages) nats.publish(message);
      if (!nats.isHeard) deliver(sent);
    },
    deliver,
    subscribe: (listener) => void listeners.push(listener),
    async close() {
      await link.close();
      await carrier.close();
    },
  };
}

const distinct = (hints: readonly Hint[]): Hint[] => [
  ...new Map(hints.map((hint) => [JSON.stringify(hint), hint])).values(),
];

async function notify(db: Knex, messages: readonly string[]): Promise<void> {
  if (messages.length > 0)
    await db.raw(`select pg_notify('${channel}', hint) from unnest(?::text[]) as hint`, [[...messages]]);
}
