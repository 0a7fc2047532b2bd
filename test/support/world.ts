import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import createClient, { type Client } from 'openapi-fetch';
import type { Knex } from 'knex';
import { inject } from 'vitest';
import type { paths } from '../../generated/api.d.ts';
import { startApp, type AppParts } from '../../src/app.ts';
import { artifactStorage, type S3TimeLimits } from '../../src/artifacts/service.ts';
import { readConfig } from '../../src/config.ts';
import { createFirstOrg } from '../../src/first-start.ts';
import type { Bus } from '../../src/platform/bus/bus.ts';
import { postgresBus } from '../../src/platform/bus/postgres.ts';
import { openDatabase, type Connection } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { checkReply } from './contract-check.ts';
import { openWorlds } from './open-worlds.ts';

export interface WorldOptions {
  env?: Record<string, string>;
  /** Another connection than this run's Postgres: a database of its own is made there. */
  postgres?: Exclude<Connection, string>;
  /** Another contract, with handlers for it. Its replies are not held against ours. */
  contract?: AppParts['contract'];
  /** A second server process on the same database shares it. */
  shares?: Shared;
  /** Shorter limits of agent links. */
  linkLimits?: AppParts['linkLimits'];
  /** The same of viewers. */
  viewerLimits?: AppParts['viewerLimits'];
  /** And of recordings. */
  recordingLimits?: AppParts['recordingLimits'];
  /** How long a file may stand still on its way, in ms. */
  fileSilenceMs?: number;
  /** How long an S3 store may take. */
  s3Patience?: Partial<S3TimeLimits>;
  /** Another store for the log frames of agents. */
  logs?: AppParts['logs'];
}

/** What a second world on the same database needs of the first. */
export type Shared = Pick<World, 'name' | 'orgId' | 'orgToken'>;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- a test reads it as what it expects
}

export interface World extends AsyncDisposable {
  name: string;
  url: string;
  port: number;
  orgId: string;
  orgToken: string;
  adminToken: string;
  db: Knex;
  bus: Bus;
  lines: string[]; // what the service logged, line by line
  connection: Exclude<Connection, string>;
  dataDir: string;
  api: Client<paths>; // the generated client with the org's token
  apiAs(token: string): Client<paths>;
  /** One request, as it is; nothing is added but the token (the org's by default, none for ''). */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  count(table: string): Promise<number>;
  stop(noticeMs: number): Promise<void>;
}

export interface CallOptions {
  token?: string | undefined;
  body?: unknown; // a text or bytes are sent as they are, anything else as JSON
  headers?: Record<string, string>;
}

export const adminToken = 'admin-token-of-the-tests-0123456789abcdef';

/** The real service in this process: on a free port, with a database of its own. Every reply is held against the contract. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const postgres = options.postgres ?? inject('postgres');
  const name = options.shares?.name ?? `test_${randomBytes(6).toString('hex')}`;
  if (!options.shares) await onPostgres(postgres, (db) => createDatabase(db, name));
  const key = `${name}${options.shares ? ` shared ${randomBytes(2).toString('hex')}` : ''}`;
  openWorlds.add(key);

  const lines: string[] = [];
  const log = createLogger('debug', [adminToken], (line) => void lines.push(line));
  const connection = { ...postgres, database: name };
  // Nobody's outage is a machine where all tests run at once; a database of the test's own may be away.
  const db = options.postgres ? openDatabase(connection) : openDatabase(connection, { waitMs: 20_000 });
  const bus = postgresBus(connection, log);
  await bus.start();
  // Made by whoever keeps something there; worlds that share a database share it.
  const dataDir = join(tmpdir(), name);
  const orgToken = options.shares?.orgToken ?? (await createFirstOrg(db)) ?? '';
  const config = readConfig({
    PORT: '0',
    RATE_LIMIT: 'off',
    SERVICE_ADMIN_TOKEN: adminToken,
    SERVICE_DATA_DIR: dataDir,
    ...options.env,
  });
  async function leave(): Promise<void> {
    await bus.close();
    await db.destroy();
    if (!options.shares)
      await Promise.all([
        onPostgres(postgres, (admin) => admin.raw(`drop database if exists ${name} with (force)`)),
        rm(dataDir, { recursive: true, force: true }),
      ]);
    openWorlds.delete(key);
  }
  const server = await startApp({
    config: { ...config, port: 0 },
    db,
    bus,
    log,
    artifacts: await artifactStorage(config, options.s3Patience),
    assetsDir: new URL('../../dist/docs', import.meta.url).pathname,
    docsDir: new URL('../../docs', import.meta.url).pathname,
    ...(options.contract ? { contract: options.contract } : {}),
    fileSilenceMs: options.fileSilenceMs,
    ...(options.linkLimits ? { linkLimits: options.linkLimits } : {}),
    ...(options.viewerLimits ? { viewerLimits: options.viewerLimits } : {}),
    ...(options.recordingLimits ? { recordingLimits: options.recordingLimits } : {}),
    ...(options.logs ? { logs: options.logs } : {}),
  }).catch(async (error: unknown) => {
    await leave();
    throw error;
  });
  const url = `http://127.0.0.1:${server.port}`;
  const orgId = options.shares?.orgId ?? (await db<{ id: string }>('orgs').select('id').first())?.id ?? '';

  async function call(
    method: string,
    path: string,
    { token = orgToken, body, headers = {} }: CallOptions = {},
  ): Promise<Answer> {
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(token === '' ? {} : { Authorization: `Bearer ${token}` }), ...json, ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!options.contract) checkReply(method, `${url}${path}`, response.status, response.headers, text);
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: /^\{.*\}$/s.test(text) ? JSON.parse(text) : undefined,
    };
  }

  /** The generated client with a token of choice. */
  function apiAs(token: string): Client<paths> {
    return createClient<paths>({
      baseUrl: url,
      headers: { Authorization: `Bearer ${token}` },
      fetch: async (request: Request) => {
        const response = await fetch(request);
        checkReply(request.method, request.url, response.status, response.headers, await response.clone().text());
        return response;
      },
    });
  }

  return {
    name,
    url,
    port: server.port,
    orgId,
    orgToken,
    adminToken,
    db,
    bus,
    lines,
    call,
    api: apiAs(orgToken),
    apiAs,
    connection,
    dataDir: config.dataDir,
    async count(table: string): Promise<number> {
      const [row] = await db(table).count<{ count: number }[]>();
      return row?.count ?? 0;
    },
    stop: (noticeMs: number) => server.stop(noticeMs),
    async [Symbol.asyncDispose]() {
      await server.stop(0);
      await leave();
    },
  };
}

/** The `DATABASE_URL` of its database, for a server that is a process of its own. */
export const addressOf = ({ connection: { host, port, user, password, database } }: World) =>
  `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;

/** What makes a server process another replica beside the world: its database, and its artifacts folder. */
export const replicaBeside = (world: World) => ({
  DATABASE_URL: addressOf(world),
  SERVICE_DATA_DIR: world.dataDir,
  SERVICE_ARTIFACTS_SHARED: '1',
  RATE_LIMIT: 'off',
});

/** Makes and drops the databases of all worlds of this worker: a new connection costs Postgres more than either. Ends with the worker. */
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

/** Copying waits its turn: Postgres refuses while somebody else is connected to the template. */
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
