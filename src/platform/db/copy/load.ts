import { join } from 'node:path';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { reasonOf } from '../faults.ts';
import { migrate, openDatabase, refuseOldPostgres, type Connection } from '../index.ts';
import { applyMigrations } from '../migrations/apply.ts';
import { knownMigrations } from '../migrations/index.ts';
import { columnList, connectForCopy, listAppliedMigrations, listForeignKeys, listTables, quoted } from './catalog.ts';
import { digestFile, readGzipped } from './files.ts';
import { BackupError, manifestFile, readManifest, tableFile, type Manifest, type TableEntry } from './manifest.ts';

/** A backup whose tables were read and verified. */
export interface CheckedBackup {
  folder: string;
  manifest: Manifest;
}

/** @throws BackupError for a folder that is not a backup, is damaged, or was written by a newer release */
export async function checkTables(folder: string): Promise<CheckedBackup> {
  const manifest = await readManifest(folder);
  refuseUnknownMigrations(manifest, folder);
  await verifyFiles(manifest, folder);
  return { folder, manifest };
}

/** @throws BackupError for a database with rows, or with a newer schema than the backup; DatabaseError for an old Postgres */
export async function refuseUsed(connection: Connection, { migrations }: Manifest): Promise<void> {
  const client = await connectForCopy(connection);
  try {
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
    refuseOldPostgres(rows[0]?.server_version_num);
    for (const { name } of await listTables(client)) await refuseRows(client, name);
    const later = (await listAppliedMigrations(client)).filter((name) => !migrations.includes(name));
    if (later.length > 0)
      throw new BackupError(`the database already has the newer schema ${later.join(', ')}: restore into a new one`);
  } finally {
    await client.end();
  }
}

/**
 * Fills a database that `refuseUsed` accepts: the schema of that time, all rows in one transaction, then the later
 * migrations. A table that got rows since is refused.
 * @param report gets each table and its row count
 * @throws BackupError
 */
export async function loadTables(
  connection: Connection,
  checked: CheckedBackup,
  report: (line: string) => void,
): Promise<void> {
  const { folder, manifest } = checked;
  const client = await connectForCopy(connection);
  const db = openDatabase(connection, { name: 'copy' });
  try {
    await applyMigrations(db, manifest.migrations);
    await client.query('begin');
    await load(client, manifest, folder, report);
    await client.query('commit');
    await migrate(db);
    await client.query('analyze');
  } finally {
    await client.end(); // rolls back uncommitted changes
    await db.destroy();
  }
}

/** The migrations of a backup must be the first ones of this release. */
function refuseUnknownMigrations(manifest: Manifest, folder: string): void {
  const unknown = manifest.migrations.filter((name, index) => knownMigrations[index] !== name);
  if (unknown.length > 0)
    throw new BackupError(`${folder} was written by a newer release (it has ${unknown.join(', ')}): use that one`);
}

async function verifyFiles(manifest: Manifest, folder: string): Promise<void> {
  for (const { name, sha256 } of manifest.tables) {
    const file = join(folder, tableFile(name));
    if ((await digestFile(file)) !== sha256)
      throw new BackupError(`${file} is missing or damaged: its SHA-256 is not the manifest's`);
  }
}

async function refuseRows(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query(`select from ${quoted(table)} limit 1`);
  if (rows.length > 0)
    throw new BackupError(`the database is not empty (there are rows in ${table}): restore into a new one`);
}

/**
 * Foreign keys are dropped and recreated, which checks all rows at once. So the order of the tables does not matter,
 * and no superuser rights are needed. Triggers are off, because the rows that they write are also in the backup. The
 * locks block all others until the commit.
 */
async function load(
  client: pg.Client,
  manifest: Manifest,
  folder: string,
  report: (line: string) => void,
): Promise<void> {
  const foreignKeys = await listForeignKeys(client);
  for (const { table, name } of foreignKeys)
    await client.query(`alter table ${table} drop constraint ${client.escapeIdentifier(name)}`);
  await makePartitions(client, manifest);
  await refuseUnknown(client, manifest);
  for (const table of manifest.tables) {
    await client.query(`lock table ${quoted(table.name)} in access exclusive mode`);
    await refuseRows(client, table.name); // another client may have inserted rows since the first check
    await client.query(`alter table ${quoted(table.name)} disable trigger user`);
    await loadTable(client, table, folder);
    await client.query(`alter table ${quoted(table.name)} enable trigger user`);
    if (table.rows > 0) report(`${table.name}: ${table.rows} rows`);
  }
  for (const { name, last } of manifest.sequences)
    await client.query('select setval($1::regclass, $2::bigint)', [quoted(name), last]);
  for (const { table, name, definition } of foreignKeys) {
    await client.query(`alter table ${table} add constraint ${client.escapeIdentifier(name)} ${definition}`);
  }
}

async function makePartitions(client: pg.Client, manifest: Manifest): Promise<void> {
  const there = new Set((await listTables(client)).map(({ name }) => name));
  for (const { name, partition } of manifest.tables) {
    if (!partition || there.has(name)) continue;
    await client.query(`create table ${quoted(name)} partition of ${quoted(partition.of)} ${partition.bounds}`);
  }
}

/** The backed-up database may contain tables that are not the service's. */
async function refuseUnknown(client: pg.Client, manifest: Manifest): Promise<void> {
  for (const { name } of [...manifest.tables, ...manifest.sequences]) {
    const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      quoted(name),
    ]);
    if (!rows[0]?.there)
      throw new BackupError(
        `the backup holds ${name}, which is not part of the service: remove it from ${manifestFile} to leave it behind`,
      );
  }
}

async function loadTable(client: pg.Client, { name, columns, rows }: TableEntry, folder: string): Promise<void> {
  const copy = client.query(copyFrom(`copy ${quoted(name)} (${columnList(columns)}) from stdin`));
  await readGzipped(join(folder, tableFile(name)), copy).catch(async (error: unknown) => {
    if (error instanceof BackupError) await client.query('rollback').catch(() => undefined); // Postgres ends the copy first
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new BackupError(`${name} cannot be restored, and nothing was: ${reasonOf(error)}`, { cause: error });
  });
  const { rows: counted } = await client.query<{ n: number }>(`select count(*) as n from ${quoted(name)}`);
  if (counted[0]?.n !== rows)
    throw new BackupError(`${name} should have ${rows} rows and has ${counted[0]?.n ?? 'none'}: nothing was restored`);
}
