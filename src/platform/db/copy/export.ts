import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { errorCode } from '../embedded/types.ts';
import type { Connection } from '../index.ts';
import {
  columnList,
  connectForCopy,
  listAppliedMigrations,
  listSequences,
  listTables,
  quoted,
  type CatalogTable,
} from './catalog.ts';
import { writeNewFile } from './files.ts';
import { CopyError, manifestFile, tableFile, type Manifest, type TableEntry } from './manifest.ts';

/**
 * Writes every row, as of one moment, into a new or empty folder (0700, its files 0600: they contain all data of the
 * database). The service may keep writing meanwhile.
 * @param report gets each table and its row count
 * @throws CopyError
 */
export async function exportDatabase(
  connection: Connection,
  folder: string,
  report: (line: string) => void,
): Promise<Manifest> {
  const client = await connectForCopy(connection);
  try {
    await client.query('begin isolation level repeatable read, read only');
    const migrations = await listAppliedMigrations(client);
    if (migrations.length === 0)
      throw new CopyError('the database was never used by the service: there is nothing to export');
    const madeHere = await makeFolder(folder);
    try {
      return await fillFolder(client, folder, migrations, report);
    } catch (error) {
      // The folder was empty before: its content is from this incomplete export.
      for (const entry of await readdir(folder)) await rm(join(folder, entry), { force: true });
      if (madeHere) await rmdir(folder);
      throw isFault(error)
        ? new CopyError(`the export was interrupted, and its files were removed from ${folder}: ${error.message}`, {
            cause: error,
          })
        : error;
    }
  } finally {
    await client.end().catch(() => undefined); // the pending query has reported a lost connection
  }
}

/** A fault of the disk or the database, not a bug. */
const isFault = (error: unknown): error is Error =>
  error instanceof Error &&
  ('syscall' in error ||
    error instanceof pg.DatabaseError ||
    /^(Connection terminated|Client has encountered a connection error)/.test(error.message));

async function fillFolder(
  client: pg.Client,
  folder: string,
  migrations: string[],
  report: (line: string) => void,
): Promise<Manifest> {
  const tables: TableEntry[] = [];
  for (const table of await listTables(client)) {
    const entry = await exportTable(client, table, folder);
    report(`${entry.name}: ${entry.rows} rows`);
    tables.push(entry);
  }
  const sequences = await listSequences(client);
  const { rows: server } = await client.query<{ server_version: string }>('show server_version');
  const postgres = server[0]?.server_version ?? '';
  const manifest: Manifest = {
    format: 1,
    exported_at: new Date().toISOString(),
    postgres,
    migrations,
    tables,
    sequences,
  };
  await writeNewFile(join(folder, manifestFile), Readable.from([`${JSON.stringify(manifest, null, 2)}\n`]), 'plain');
  return manifest;
}

/** Returns whether it created the folder. */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    const code = errorCode(error) ?? 'unknown';
    if (code !== 'EEXIST') throw new CopyError(`${folder} cannot be created (${code})`, { cause: error });
    const inside = await readdir(folder).catch(() => ['a file']);
    if (inside.length > 0)
      throw new CopyError(`${folder} exists and is not an empty folder: name a new one`, { cause: error });
    return false;
  }
}

async function exportTable(client: pg.Client, table: CatalogTable, folder: string): Promise<TableEntry> {
  const { name, columns, partition_of: of, bounds } = table;
  const rows = client.query(copyTo(`copy ${quoted(name)} (${columnList(columns)}) to stdout`));
  const sha256 = await writeNewFile(join(folder, tableFile(name)), rows, 'gzip');
  await client.query('select'); // the count follows the data in a separate message; wait for it
  return {
    name,
    columns,
    rows: rows.rowCount,
    sha256,
    ...(of !== null && bounds !== null ? { partition: { of, bounds } } : {}),
  };
}
