import { randomBytes } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { startEmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { freePort } from './free-port.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { tempDir } from './temp-dir.ts';
import { until } from './until.ts';

/** The built service with its own Postgres, each of which can be killed at any moment. */
export interface KillableService extends AsyncDisposable {
  url: URL;
  token: string; // of an admin of its org
  /** Direct access, without the service. */
  db: Knex;
  killServer(): Promise<void>;
  /** Starts the service again at the same address. */
  startServer(): Promise<void>;
  /** Kills the postmaster; its children end with it. */
  killPostgres(): Promise<void>;
  /** Resolves when the database responds again. */
  startPostgres(): Promise<void>;
  /** Output of the current server. */
  said(): string;
}

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

export async function startKillableService(): Promise<KillableService> {
  const folder = await tempDir();
  await chmod(folder.path, 0o711); // as root, Postgres runs as another account
  const openPostgres = () => startEmbeddedPostgres({ dataDir: folder.path, log: quiet });
  let postgres = await openPostgres();
  const { host, port, user, password, database } = postgres.connection;
  const db = openDatabase(postgres.connection);
  const adminToken = randomBytes(24).toString('hex');
  const env = {
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    PORT: String(await freePort()),
    RATE_LIMIT: 'off',
    SERVICE_ADMIN_TOKEN: adminToken,
  };
  let server: ServerProcess = await startServer(env);
  const post = async (path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return ((await answer.json()) as { data: { id: string; token: string } }).data;
  };
  const org = await post('/api/admin/orgs', { name: 'Acme' });
  const { token } = await post(`/api/admin/orgs/${org.id}/approve`);
  const pidFile = join(folder.path, 'pg18', 'postmaster.pid');
  const postmaster = async () => Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
  return {
    url: new URL(server.url),
    token,
    db,
    async killServer() {
      await server.end('SIGKILL');
    },
    async startServer() {
      server = await startServer(env);
    },
    async killPostgres() {
      process.kill(await postmaster(), 'SIGKILL');
      // Its supervisor would restart it, after up to 30 s if it keeps dying.
      await postgres.stop();
    },
    async startPostgres() {
      postgres = await openPostgres();
      // Connections of the pool detect the loss one by one.
      await until(async () => {
        await db.raw('select 1');
        return true;
      });
    },
    said: () => server.stdout(),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await db.destroy();
      await postgres.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}
