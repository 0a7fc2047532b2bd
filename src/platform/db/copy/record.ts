import type { Connection } from '../index.ts';
import { connectForCopy } from './catalog.ts';
import { BackupError } from './manifest.ts';

/** Backups that are kept in the list. */
const kept = 20;

interface Backup {
  id: string;
  takenAt: Date; // of its snapshot
  bytes: number;
  takenBy: string; // account and host
}

/** Notes a complete backup for `GET /api/admin/status`. @throws BackupError for a database of an earlier release */
export async function recordBackup(connection: Connection, backup: Backup): Promise<void> {
  const client = await connectForCopy(connection);
  try {
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('public.backups') is not null as there`,
    );
    if (!rows[0]?.there) throw new BackupError('the database has no table of backups yet');
    await client.query('insert into public.backups (id, taken_at, bytes, taken_by) values ($1, $2, $3, $4)', [
      backup.id,
      backup.takenAt,
      backup.bytes,
      backup.takenBy,
    ]);
    // Later ones were taken while the clock of the database was wrong.
    await client.query(
      `delete from public.backups where id not in (
         select id from public.backups where taken_at < now() + interval '1 day' order by taken_at desc, id desc limit $1)`,
      [kept],
    );
  } finally {
    await client.end();
  }
}
