import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { credsAuthenticator, type ConnectionOptions } from '@nats-io/transport-node';
import type { NatsSettings } from './nats-settings.ts';

/** Settings of NATS that cannot be used; the message says what to do. */
export class NatsError extends Error {
  override readonly name = 'NatsError';
}

const greetWithinMs = 4_000;

/** @throws NatsError if a file of the settings cannot be read */
export async function natsOptions(settings: NatsSettings): Promise<ConnectionOptions> {
  const { servers, user, password: pass, token, isTls, credentialsFile, caFile, certFile, keyFile } = settings;
  const [credentials, ca, cert, key] = await Promise.all([
    read('NATS_CREDENTIALS', credentialsFile),
    read('NATS_CA', caFile),
    read('NATS_CERT', certFile),
    read('NATS_KEY', keyFile),
  ]);
  return {
    servers: [...servers],
    name: 'fleet-control-service',
    timeout: greetWithinMs,
    maxReconnectAttempts: -1,
    // A wrong password may be right again once the server has read its settings again.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 1_000,
    reconnectJitter: 1_000,
    pingInterval: 4_000,
    maxPingOut: 2,
    ...(user === undefined ? {} : { user, pass: pass ?? '' }),
    ...(token === undefined ? {} : { token }),
    ...(credentials ? { authenticator: credsAuthenticator(credentials) } : {}),
    ...(isTls
      ? {
          tls: { ...(ca && { ca: ca.toString() }), ...(cert && key && { cert: cert.toString(), key: key.toString() }) },
        }
      : {}),
  };
}

async function read(name: string, file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file);
  } catch (error) {
    throw new NatsError(`${name} names ${file}, which cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** Resolves once one of these servers sends its first bytes. @throws Error if none does in time */
export const greets = (servers: readonly string[]): Promise<void> =>
  Promise.any(servers.map(greetingOf)).catch((error: unknown) => {
    throw error instanceof AggregateError ? error.errors[0] : error;
  });

function greetingOf(server: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${server}`);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname.replace(/[[\]]/g, ''), port: Number(port) });
    socket.setTimeout(greetWithinMs, () => socket.destroy(new Error(`${server} does not respond`)));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`${server} ended the connection`)));
    socket.once('data', () => {
      resolve();
      socket.destroy();
    });
  });
}
