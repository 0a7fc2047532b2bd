import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ConnectionOptions, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Carrier, CarrierEvents } from './carrier.ts';
import { readMessage, writeMessage, type Message } from './hint.ts';
import { greets, natsOptions } from './nats-options.ts';
import type { NatsSettings } from './nats-settings.ts';

const without =
  'NATS does not work: hints arrive a second late, and token permissions are read from the database until it does';
/** Longer messages are not of this service. */
const maxBytes = 1_024;
const retryMs = 1_000;

/** Which database this is: others may use the same NATS server. A restored copy is another one. */
const databaseSql = `select (select system_identifier from pg_control_system()) || '/' || current_database() as name`;

interface NatsCarrier extends Carrier {
  /** Reads the files of the settings. @throws NatsError for one that cannot be read */
  prepare(): Promise<void>;
  /** Does nothing while there is no connection: the hint is recorded, or nobody depends on it. */
  publish(message: Message): void;
}

/**
 * Hints over core NATS, one subject for each org: `fleet.hints.<database>.<org id>`. The connection is made and replaced
 * in the background for ever: without it, hints are late, and nothing else.
 */
export function natsCarrier(settings: NatsSettings, log: Logger, { onMessage }: CarrierEvents): NatsCarrier {
  const own = `check-${randomBytes(8).toString('hex')}`;
  let options: ConnectionOptions | undefined;
  let prefix = '';
  let nats: NatsConnection | undefined;
  let checks = 0;
  let heard = 0;
  let isHeard = false;
  let closed = false;
  let reason: string | undefined; // the last one in the log

  function note(now: boolean): void {
    if (now === isHeard || closed) return;
    isHeard = now;
    reason = undefined;
    if (now) log.info({ server: nats?.getServer() }, 'NATS is connected');
    else log.warn(without);
  }

  function fail(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error); // an error of TLS has whole certificates
    if (closed || text === reason) return;
    log.warn({ reason: text }, without);
    reason = text;
  }

  function receive(error: Error | null, { subject, data }: Msg): void {
    if (error) {
      // The right to subscribe is missing, and the client has dropped the subscription.
      fail(error);
      void nats?.close();
      return;
    }
    if (data.length > maxBytes) return;
    const text = Buffer.from(data.buffer, data.byteOffset, data.length).toString();
    if (subject === `${prefix}.${own}`) {
      heard = Number(text);
      if (heard === checks) note(true);
      return;
    }
    const message = readMessage(text);
    if (message) onMessage(message);
  }

  function publish(to: string, text: string): void {
    try {
      nats?.publish(`${prefix}.${to}`, text);
    } catch {
      // It is closed, and the next one is being made.
    }
  }

  function check(): void {
    if (heard < checks) note(false);
    checks += 1;
    publish(own, String(checks));
  }

  /** Uses a connection until the client gives it up. */
  async function use(connection: NatsConnection): Promise<void> {
    nats = connection;
    if (closed) return connection.close();
    const states = connection.status();
    connection.subscribe(`${prefix}.*`, { callback: receive });
    check();
    for await (const state of states) if (state.type === 'error') fail(state.error);
  }

  async function keepConnected(dialed: ConnectionOptions): Promise<void> {
    for (; !closed; await sleep(retryMs, undefined, { ref: false }))
      try {
        await greets(settings.servers); // the client leaves a socket behind at a server that says nothing
        await use(await connect(dialed));
      } catch (error) {
        fail(error);
      }
  }

  return {
    get isHeard() {
      return isHeard;
    },

    async prepare() {
      options = await natsOptions(settings);
    },

    async open(client: pg.Client) {
      if (prefix !== '' || !options) return;
      const { rows } = await client.query<{ name: string }>(databaseSql);
      const database = createHash('sha256')
        .update(rows[0]?.name ?? '')
        .digest('hex')
        .slice(0, 16);
      prefix = `fleet.hints.${database}`;
      void keepConnected(options);
    },

    check: async () => check(),

    publish(message) {
      publish(message.hint.orgId, writeMessage(message));
    },

    async close() {
      closed = true;
      isHeard = false;
      await nats?.close();
    },
  };
}
