import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase, type Connection } from '../../../src/platform/db/index.ts';
import { startEmbeddedPostgres } from '../../../src/platform/db/embedded/index.ts';
import { withClient } from './sql.ts';

/** A database of one row. */
export interface BenchDatabase {
  /** For `DATABASE_URL`. */
  url: string;
}

/** The Postgres of one run of the bench. */
export interface BenchPostgres extends AsyncDisposable {
  /** An empty database, or one with our schema; the name is made unique. */
  create(name: string, options?: { migrated: boolean }): Promise<BenchDatabase>;
}

/** The address of a database, for `DATABASE_URL`. */
export function databaseUrl({ host, port, user, password, database }: Exclude<Connection, string>): string {
  const url = new URL(`postgres://localhost:${port}/${database}`);
  url.username = user;
  url.password = password;
  url.searchParams.set('host', host);
  return url.href;
}

/** The embedded Postgres in a temporary folder, gone with the bench. Its settings are those the product runs it with. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const quiet = () => undefined;
  const log = {
    info: quiet,
    warn: quiet,
    error: (fields: object, msg: string) => process.stderr.write(`${msg} ${JSON.stringify(fields)}\n`),
  };
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const urlOf = (database: string) => databaseUrl({ ...postgres.connection, database });
  return {
    async create(name, { migrated } = { migrated: true }) {
      const database = `${name}_${randomUUID().slice(0, 8)}`.toLowerCase();
      await withClient(urlOf(postgres.connection.database), (client) => client.query(`create database ${database}`));
      const url = urlOf(database);
      if (migrated) {
        const db = openDatabase(url);
        await migrate(db).finally(() => db.destroy());
      }
      return { url };
    },
    async [Symbol.asyncDispose]() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
