import { join } from 'node:path';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { advisoryLocks } from '../advisory-locks.ts';
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
import { BackupError, tableFile, type Manifest, type TableEntry } from './manifest.ts';

/** Attempts to lock all tables of a snapshot: the service may drop a day of logs meanwhile. */
const attempts = 5;
const undefinedTable = '42P01';
/** Tables whose rows `check` reads one after the other, and the order that it needs. */
const orders = new Map([['audit', 'org_id, seq nulls last']]);

/** The database as of one moment. The service may keep writing meanwhile. */
export interface Snapshot {
  /** Every change acknowledged before this time is in it. */
  takenAt: Date;
  migrations: string[];
  /** @throws pg.DatabaseError */
  query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>;
  /** Writes each table into the folder, as a 0600 file. `report` gets each table and its row count. */
  write(folder: string, report: (line: string) => void): Promise<Pick<Manifest, 'tables' | 'sequences' | 'postgres'>>;
}

/** Gives a snapshot to `work`, and ends it. @throws BackupError */
export async function withSnapshot<T>(connection: Connection, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const client = await connectForCopy(connection);
  try {
    await client.query('select pg_advisory_lock_shared($1)', [advisoryLocks.backups]); // until the connection ends
    const { takenAt, tables } = await begin(client);
    const migrations = await listAppliedMigrations(client);
    if (migrations.length === 0)
      throw new BackupError('the database was never used by the service: there is nothing to back up');
    return await work({
      takenAt,
      migrations,
      query: async <Row extends pg.QueryResultRow>(sql: string) => (await client.query<Row>(sql)).rows,
      write: (folder, report) => writeTables(client, tables, { folder, report }),
    });
  } finally {
    await client.end().catch(() => undefined); // the pending query has reported a lost connection
  }
}

/** Locked, no table of the snapshot can be dropped or changed before it is read. Reads and writes need no more. */
async function begin(client: pg.Client): Promise<{ takenAt: Date; tables: CatalogTable[] }> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query('begin isolation level repeatable read, read only');
    const { rows } = await client.query<{ now: Date }>('select now()');
    const tables = await listTables(client);
    try {
      if (tables.length > 0)
        await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(', ')} in access share mode`);
      return { takenAt: rows[0]?.now ?? new Date(), tables };
    } catch (error) {
      if ((error as { code?: unknown }).code !== undefinedTable || attempt === attempts) throw error;
      await client.query('rollback');
    }
  }
}

interface Target {
  folder: string;
  report: (line: string) => void;
}

async function writeTables(client: pg.Client, found: readonly CatalogTable[], { folder, report }: Target) {
  const tables: TableEntry[] = [];
  for (const table of found) {
    const entry = await writeTable(client, table, folder);
    if (entry.rows > 0) report(`${entry.name}: ${entry.rows} rows`);
    tables.push(entry);
  }
  const sequences = await listSequences(client);
  const { rows: server } = await client.query<{ server_version: string }>('show server_version');
  return { tables, sequences, postgres: server[0]?.server_version ?? '' };
}

async function writeTable(client: pg.Client, table: CatalogTable, folder: string): Promise<TableEntry> {
  const { name, columns, partition_of: of, bounds } = table;
  const order = orders.get(name);
  const from = `${quoted(name)} (${columnList(columns)})`;
  const ordered = order && `(select ${columnList(columns)} from ${quoted(name)} order by ${order})`;
  const rows = client.query(copyTo(`copy ${ordered ?? from} to stdout`));
  const file = await writeNewFile(join(folder, tableFile(name)), rows, 'gzip');
  await client.query('select'); // the count follows the data in a separate message; wait for it
  return {
    name,
    columns,
    rows: rows.rowCount,
    ...file,
    ...(of !== null && bounds !== null ? { partition: { of, bounds } } : {}),
  };
}
