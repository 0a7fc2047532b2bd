import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { inject } from 'vitest';
import { release } from '../../generated/release.js';
import { startApp, type AppParts } from '../../src/app.ts';
import { artifactStorage, type S3TimeLimits } from '../../src/artifacts/service.ts';
import { readConfig } from '../../src/config.ts';
import { createBus, type ServiceBus } from '../../src/platform/bus/create-bus.ts';
import { openDatabase, type Connection } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { startTracing } from '../../src/platform/start-tracing.ts';
import { openObjectStore } from '../../src/platform/s3/open.ts';
import { coverRequest } from '../runner/covered.ts';

export interface ServiceOptions {
  env?: Record<string, string>;
  /** Another connection than this run's Postgres: a new database is created there. */
  postgres?: Exclude<Connection, string>;
  /** Another contract, with handlers for it. Its responses are not checked against the project's contract. */
  contract?: AppParts['contract'];
  /** The database of a running service: this one becomes another replica beside it. */
  database?: string | undefined;
  /** Shorter limits of agent links. */
  linkLimits?: AppParts['linkLimits'];
  /** Shorter limits of viewers. */
  viewerLimits?: AppParts['viewerLimits'];
  /** Shorter limits of recordings. */
  recordingLimits?: AppParts['recordingLimits'];
  /** How long a file transfer may stall, in ms. */
  fileSilenceMs?: number;
  /** Time limits of an S3 store. */
  s3Patience?: Partial<S3TimeLimits>;
  /** Another store for the log frames of agents. */
  logs?: AppParts['logs'];
  /** Called with each log line of the service. */
  onLine: (line: string) => void;
}

export interface Service extends AsyncDisposable {
  name: string; // of its database
  url: string;
  port: number;
  db: Knex;
  bus: ServiceBus;
  connection: Exclude<Connection, string>;
  dataDir: string;
  stop(noticeMs: number): Promise<void>;
}

/** Slowness of a machine that runs all tests is neither an outage nor an overload; a test's own database may be unavailable. */
const slowMs = 20_000;

/** The built script of the thread that applies log redaction rules. */
export const redactionThread = new URL('../../dist/server/log-redaction-thread.js', import.meta.url).pathname;

export const adminToken = 'admin-token-of-the-tests-0123456789abcdef';

/** The real service in this process: on a free port, with its own database, which has no org yet. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const postgres = options.postgres ?? inject('postgres');
  const name = options.database ?? `test_${randomBytes(6).toString('hex')}`;
  if (options.database === undefined) await onPostgres(postgres, (db) => createDatabase(db, name));

  // Created at first use; services that share a database share it.
  const dataDir = join(inject('folder'), name);
  const config = readConfig({
    PORT: '0',
    RATE_LIMIT: 'off',
    SERVICE_ADMIN_TOKEN: adminToken,
    SERVICE_DATA_DIR: dataDir,
    ...options.env,
  });
  const write = (line: string) => {
    coverRequest(line);
    options.onLine(line);
  };
  const log = createLogger('debug', [adminToken], write, config.tracing && (() => tracing?.traceId()));
  const tracing = await startTracing(config.tracing, log, release);
  const connection = { ...postgres, database: name };
  const trace = tracing?.statement;
  const db = openDatabase(connection, options.postgres ? { trace } : { trace, waitMs: slowMs });
  const bus = createBus({ connection, log, name: 'hints', nats: config.nats });
  await bus.start();
  async function leave(): Promise<void> {
    await bus.close();
    await db.destroy();
    await tracing?.stop();
    if (options.database === undefined)
      await Promise.all([
        onPostgres(postgres, (admin) => admin.raw(`drop database if exists ${name} with (force)`)),
        rm(dataDir, { recursive: true, force: true }),
      ]);
  }
  const server = await startApp({
    config: { ...config, port: 0 },
    db,
    bus,
    log,
    tracing,
    artifacts: await artifactStorage(config, options.s3Patience),
    objectStore: await openObjectStore(config.s3, options.s3Patience),
    assetsDir: new URL('../../dist/docs', import.meta.url).pathname,
    docsDir: new URL('../../docs', import.meta.url).pathname,
    redactionThread,
    ...(options.contract ? { contract: options.contract } : {}),
    fileSilenceMs: options.fileSilenceMs,
    patience: { expectedMs: slowMs, longestMs: slowMs },
    ...(options.linkLimits ? { linkLimits: options.linkLimits } : {}),
    ...(options.viewerLimits ? { viewerLimits: options.viewerLimits } : {}),
    ...(options.recordingLimits ? { recordingLimits: options.recordingLimits } : {}),
    ...(options.logs ? { logs: options.logs } : {}),
  }).catch(async (error: unknown) => {
    await leave();
    throw error;
  });

  return {
    name,
    url: `http://127.0.0.1:${server.port}`,
    port: server.port,
    db,
    bus,
    connection,
    dataDir: config.dataDir,
    stop: (noticeMs) => server.stop(noticeMs),
    async [Symbol.asyncDispose]() {
      await server.stop(0);
      await leave();
    },
  };
}

/**
 * Creates and drops the databases of all worlds of this worker: a new connection costs Postgres more than either. Ends
 * with the worker.
 */
let maker: Knex | undefined;

async function onPostgres(postgres: Exclude<Connection, string>, work: (db: Knex) => Promise<unknown>): Promise<void> {
  if (postgres === inject('postgres')) {
    await work((maker ??= openDatabase(postgres, { connections: 1, waitMs: 60_000 })));
    return;
  }
  const db = openDatabase(postgres, { waitMs: 20_000 });
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}

/** Copies are retried: Postgres refuses while another client is connected to the template. */
async function createDatabase(db: Knex, name: string): Promise<void> {
  for (let tries = 50; ; tries -= 1) {
    try {
      await db.raw(`create database ${name} template fleet_template strategy file_copy`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || tries === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
