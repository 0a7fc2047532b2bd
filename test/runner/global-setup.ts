import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import { migrate, openDatabase } from '../../src/platform/db/index.ts';
import type { Connection } from '../../src/platform/db/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Exclude<Connection, string>;
    /** Folder of this run, deleted at its end. */
    folder: string;
  }
}

const quiet = {
  info() {},
  warn() {},
  error: (fields: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
};

/**
 * One Postgres for the whole run, in its own folder; each test database is a copy of its migrated database
 * `fleet_template`.
 */
export default async function setup(project: TestProject) {
  execFileSync(process.execPath, ['.ci/build.mjs'], { cwd: new URL('../..', import.meta.url), stdio: 'inherit' });
  const dataDir = await mkdtemp(join(tmpdir(), 'fleet-test-'));
  await chmod(dataDir, 0o711); // as root, Postgres runs as another account, which needs access to its folder
  // For four workers, each with several services that have a pool.
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet, maxConnections: 200 });
  const admin = openDatabase(postgres.connection);
  // Test data need not survive a power cut, and copying a database is four times as fast.
  await admin.raw('alter system set fsync = off');
  // Nor does its password need protection on the socket. With SCRAM, each of thousands of connections costs 4,096
  // hashes on both sides. Here clients send the password, and the server computes one hash.
  const { rows } = await admin.raw<{ rows: { hba_file: string }[] }>('show hba_file');
  const rules = rows[0]?.hba_file ?? '';
  await writeFile(rules, (await readFile(rules, 'utf8')).replaceAll('scram-sha-256', 'password'));
  await admin.raw('alter system set scram_iterations = 1');
  await admin.raw('select pg_reload_conf()');
  const { user, password } = postgres.connection;
  await admin.raw('set scram_iterations = 1');
  await admin.raw(`alter role ?? password '${password}'`, [user]); // base64url, so it needs no quoting
  await admin.raw('create database fleet_template');
  await admin.destroy();
  const template = openDatabase({ ...postgres.connection, database: 'fleet_template' });
  await migrate(template);
  await template.destroy();
  project.provide('postgres', postgres.connection);
  project.provide('folder', dataDir);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
