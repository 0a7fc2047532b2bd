import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, credsAuthenticator, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { readMessage, writeMessage, type Message } from './hint.ts';
import type { NatsSettings } from './nats-settings.ts';

/** Settings of NATS that cannot be used; the message tells the operator what to do. */
export class NatsError extends Error {
  override readonly name = 'NatsError';
}

const without =
  'NATS is not connected: hints arrive a second late, and token permissions are read from the database until it is back';

/** Hints of one org: `fleet.hints.<org id>`. */
const subjectOf = (orgId: string): string => `fleet.hints.${orgId}`;
const allSubjects = 'fleet.hints.*';
/** Longer ones are not ours. */
const maxBytes = 1_024;
const reconnectMs = 1_000;
/** A connection without a reply to two pings counts as dead. */
const pingEveryMs = 4_000;

/**
 * Hints over core NATS. Its connection is made and replaced in the background, for ever: without it, hints are late, and
 * nothing else. `onMessage`: a hint of another replica.
 */
export function natsCarrier(settings: NatsSettings, log: Logger, onMessage: (message: Message) => void) {
  let nats: NatsConnection | undefined;
  let up = false;
  let closed = false;

  /** Also called when it is that way already. */
  function note(isUp: boolean, server: string): void {
    if (isUp === up || closed) return;
    up = isUp;
    if (isUp) log.info({ server }, 'NATS is connected');
    else log.warn({ server }, without);
  }

  /** The reply to a ping says that the server has the subscription. If it does not come, there is a new connection. */
  const noteSubscribed = (connection: NatsConnection): Promise<void> =>
    connection.flush().then(
      () => note(true, connection.getServer()),
      () => undefined,
    );

  async function watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status())
      switch (status.type) {
        case 'disconnect':
        case 'staleConnection':
          note(false, connection.getServer());
          break;
        case 'reconnect':
          await noteSubscribed(connection);
          break;
        case 'error':
          log.warn({ reason: reasonOf(status.error) }, 'NATS refused a request');
          break;
        case 'close':
        case 'reconnecting':
        case 'update':
        case 'ldm':
        case 'ping':
        case 'slowConsumer':
        case 'forceReconnect':
      }
  }

  /** The first connection; the client replaces it by itself. Undefined once this was closed. */
  async function connected(options: ConnectionOptions): Promise<NatsConnection | undefined> {
    for (let hasFailed = false; !closed; await sleep(reconnectMs))
      try {
        return await connect(options);
      } catch (error) {
        if (!hasFailed) log.warn({ reason: reasonOf(error) }, `${without}; retrying every second`);
        hasFailed = true;
      }
    return undefined;
  }

  /** Uses connections one after the other: the client of one gives up only for errors that it cannot get over. */
  async function keepConnected(options: ConnectionOptions): Promise<void> {
    for (let connection; (connection = await connected(options));) await use(connection);
  }

  async function use(connection: NatsConnection): Promise<void> {
    nats = connection;
    if (closed) return connection.close();
    connection.subscribe(allSubjects, {
      callback(error, { data }) {
        if (error || data.length > maxBytes) return;
        const message = readMessage(Buffer.from(data.buffer, data.byteOffset, data.length).toString());
        if (message) onMessage(message);
      },
    });
    await noteSubscribed(connection);
    await watch(connection);
    note(false, connection.getServer());
  }

  return {
    /** Whether messages arrive. */
    get up() {
      return up;
    },

    /** Returns the function that connects, in the background. @throws NatsError if a file cannot be read */
    async prepare(): Promise<() => void> {
      const options = await optionsOf(settings);
      return () => void keepConnected(options);
    },

    /** Does nothing while NATS is not connected: the hint is recorded, or nobody depends on it. */
    publish(message: Message): void {
      if (!up || !nats) return;
      try {
        nats.publish(subjectOf(message.hint.orgId), writeMessage(message));
      } catch (error) {
        log.warn({ err: error }, 'a hint could not be sent over NATS');
      }
    },

    async close(): Promise<void> {
      closed = true;
      up = false;
      await nats?.close();
    },
  };
}

/** Errors of TLS have whole certificates. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function optionsOf(settings: NatsSettings): Promise<ConnectionOptions> {
  const { servers, user, password: pass, token, isTls, credentialsFile, caFile, certFile, keyFile } = settings;
  const read = async (name: string, file: string | undefined) => {
    if (file === undefined) return undefined;
    try {
      return await readFile(file);
    } catch (error) {
      throw new NatsError(`${name} names ${file}, which cannot be read: ${(error as NodeJS.ErrnoException).code}`);
    }
  };
  const [credentials, ca, cert, key] = await Promise.all([
    read('NATS_CREDENTIALS', credentialsFile),
    read('NATS_CA', caFile),
    read('NATS_CERT', certFile),
    read('NATS_KEY', keyFile),
  ]);
  return {
    servers: [...servers],
    name: 'fleet-control-service',
    noEcho: true,
    maxReconnectAttempts: -1,
    // A wrong password may be right again after the server has read its file again.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectMs,
    pingInterval: pingEveryMs,
    maxPingOut: 2,
    ...(user === undefined ? {} : { user, pass: pass ?? '' }),
    ...(token === undefined ? {} : { token }),
    ...(credentials ? { authenticator: credsAuthenticator(credentials) } : {}),
    ...(isTls
      ? {
          tls: {
            ...(ca ? { ca: ca.toString() } : {}),
            ...(cert && key ? { cert: cert.toString(), key: key.toString() } : {}),
          },
        }
      : {}),
  };
}
