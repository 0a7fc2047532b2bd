import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { startEmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { tempDir } from './temp-dir.ts';
import { until } from './until.ts';

/** The embedded Postgres with a folder of its own, which can be killed at any moment. */
export interface KillablePostgres extends AsyncDisposable {
  url: string;
  db: Knex;
  /** Kills the postmaster; its children end with it. */
  kill(): Promise<void>;
  /** Resolves when the database responds again. */
  start(): Promise<void>;
}

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

export async function startKillablePostgres(maxConnections?: number): Promise<KillablePostgres> {
  const folder = await tempDir();
  await chmod(folder.path, 0o711); // as root, Postgres runs as another account
  const open = () =>
    startEmbeddedPostgres({ dataDir: folder.path, log: quiet, ...(maxConnections && { maxConnections }) });
  let postgres = await open();
  const { host, port, user, password, database } = postgres.connection;
  const db = openDatabase(postgres.connection);
  const pidFile = join(folder.path, 'pg18', 'postmaster.pid');
  const postmaster = async () => Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
  return {
    url: `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    db,
    async kill() {
      process.kill(await postmaster(), 'SIGKILL');
      // Its supervisor would restart it, after up to 30 s if it keeps dying.
      await postgres.stop();
    },
    async start() {
      postgres = await open();
      // Connections of the pool detect the loss one by one.
      await until(async () => {
        await db.raw('select 1');
        return true;
      });
    },
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await postgres.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}
