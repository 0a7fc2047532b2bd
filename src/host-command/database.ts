import type { Knex } from 'knex';
import type { Config } from '../config.ts';
import { BackupError } from '../platform/db/copy/manifest.ts';
import { openForBackup } from '../platform/db/embedded/index.ts';
import { openDatabase, type Connection } from '../platform/db/index.ts';
import { commandLog } from './command.ts';

export type DatabaseConfig = Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>;

/**
 * Opens the database of the settings for a command: that of the running service, or its data folder's. `table`: one that the command needs.
 * @throws BackupError for a database without it
 */
export async function withDatabase<T>(
  { databaseUrl, databaseDirectUrl = databaseUrl, dataDir }: DatabaseConfig,
  { name, table }: { name: string; table: string },
  work: (db: Knex, connection: Connection) => Promise<T>,
): Promise<T> {
  const embedded = databaseUrl === undefined ? await openForBackup({ dataDir, log: commandLog }) : undefined;
  const connection = embedded?.connection ?? databaseDirectUrl ?? '';
  const db = openDatabase(connection, { connections: 1, name });
  try {
    const { rows } = await db.raw<{ rows: [{ there: boolean }] }>('select to_regclass(?) is not null as there', [
      `public.${table}`,
    ]);
    if (!rows[0].there) throw new BackupError('the database is of an earlier release: start this version once');
    return await work(db, connection);
  } finally {
    await db.destroy();
    await embedded?.stop();
  }
}
