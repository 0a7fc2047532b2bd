import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { release } from '../../generated/release.js';
import type { Config } from '../config.ts';
import { newId } from '../kernel/ids.ts';
import { writeNewFile } from '../platform/db/copy/files.ts';
import { manifestFile, type Manifest } from '../platform/db/copy/manifest.ts';
import { recordBackup } from '../platform/db/copy/record.ts';
import { withSnapshot } from '../platform/db/copy/snapshot.ts';
import { openForBackup } from '../platform/db/embedded/index.ts';
import type { Connection } from '../platform/db/index.ts';
import { commandLog, megabytes, operator } from './command.ts';
import { copyObjects, listObjects } from './copy-objects.ts';
import { writeObjectLines, type ObjectLine } from './objects.ts';
import { makeFolder } from './partial.ts';

interface BackupOptions {
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir' | 's3'>;
  folder: string | undefined; // default ./backup-<time>
  withObjects: boolean;
  tell: (line: string) => void;
}

/** Backs up the database and artifacts of the settings while the service runs. Returns the folder. @throws BackupError */
export async function backUp({ config, folder: named, withObjects, tell }: BackupOptions): Promise<string> {
  const folder = resolve(named ?? `backup-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`);
  const { databaseUrl, databaseDirectUrl = databaseUrl, dataDir } = config;
  const embedded = databaseUrl === undefined ? await openForBackup({ dataDir, log: commandLog }) : undefined;
  try {
    return await writeBackup(embedded?.connection ?? databaseDirectUrl ?? '', folder, { config, withObjects, tell });
  } finally {
    await embedded?.stop();
  }
}

/** @throws BackupError */
export async function writeBackup(
  connection: Connection,
  folder: string,
  options: Omit<BackupOptions, 'folder'>,
): Promise<string> {
  const { tell } = options;
  const manifest = await makeFolder(folder, 'backup', (partial) => fill(partial, connection, options));
  const bytes = sizeOf(manifest);
  const backup = {
    id: newId(),
    takenAt: new Date(manifest.exported_at),
    bytes,
    takenBy: operator(),
  };
  await recordBackup(connection, backup).catch((error: unknown) =>
    tell(`the backup is complete, but cli admin status does not show it: ${(error as Error).message}`),
  );
  const rows = manifest.tables.reduce((sum, each) => sum + each.rows, 0);
  tell(
    `backed up ${rows} rows and ${manifest.objects?.copied ?? 0} artifacts and log objects (${megabytes(bytes)}); ` +
      'the folder contains the digests of all tokens: restrict access to it',
  );
  return folder;
}

const sizeOf = ({ tables, objects }: Manifest): number =>
  tables.reduce((sum, { bytes = 0 }) => sum + bytes, objects?.bytes ?? 0);

async function fill(
  folder: string,
  connection: Connection,
  { config, withObjects, tell }: Omit<BackupOptions, 'folder'>,
): Promise<Manifest> {
  const snapshot = await withSnapshot(connection, async (open) => ({
    exported_at: open.takenAt.toISOString(),
    migrations: open.migrations,
    listed: await listObjects(open),
    ...(await open.write(folder, tell)),
  }));
  const { listed, ...rows } = snapshot;
  const lines = await copyObjects(folder, listed, { config, withObjects });
  const count = (state: ObjectLine['state']) => lines.filter((line) => line.state === state).length;
  if (count('missing') > 0) tell(`${count('missing')} artifacts or log objects are missing: see objects.jsonl.gz`);
  if (count('in_bucket') > 0)
    tell(`${count('in_bucket')} artifacts and log objects stay in bucket ${config.s3?.bucket}: back it up too`);
  const manifest: Manifest = {
    format: 2,
    service_version: release,
    ...rows,
    objects: {
      copied: count('copied'),
      in_bucket: count('in_bucket'),
      missing: count('missing'),
      bytes: lines.reduce((sum, line) => sum + (line.state === 'copied' ? line.bytes : 0), 0),
      sha256: (await writeObjectLines(folder, lines)).sha256,
      ...(config.s3 && { bucket: config.s3.bucket }),
    },
  };
  await writeNewFile(join(folder, manifestFile), Readable.from([`${JSON.stringify(manifest, null, 2)}\n`]), 'plain');
  return manifest;
}
