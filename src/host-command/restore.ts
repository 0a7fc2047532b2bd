import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openBlobs, type BlobStore } from '../artifacts/service.ts';
import type { Config } from '../config.ts';
import { logObjectKey } from '../logs/service.ts';
import { writeNewFile } from '../platform/db/copy/files.ts';
import { loadTables, refuseUsed } from '../platform/db/copy/load.ts';
import { BackupError } from '../platform/db/copy/manifest.ts';
import { openForRestore } from '../platform/db/embedded/index.ts';
import type { Connection } from '../platform/db/index.ts';
import { openObjectStore } from '../platform/s3/open.ts';
import { checkFiles, type Checked } from './check.ts';
import { commandLog } from './command.ts';
import { objectPath, type ObjectLine } from './objects.ts';

interface RestoreOptions {
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir' | 's3'>;
  folder: string;
  tell: (line: string) => void;
}

/**
 * Restores a checked backup into an empty database and its artifacts into the store of these settings. Artifacts come first:
 * they are named by their content, so without rows they are nothing, and the next attempt finds them.
 * @throws BackupError
 */
export async function fillEmpty(
  connection: Connection,
  checked: Checked,
  { config, tell }: Omit<RestoreOptions, 'folder'>,
): Promise<void> {
  await refuseUsed(connection, checked.manifest);
  await restoreObjects(checked, config);
  await loadTables(connection, checked, tell);
}

/** Restores into the database of the settings. @throws BackupError */
export async function restore({ config, folder, tell }: RestoreOptions): Promise<void> {
  const interrupted = (signal: NodeJS.Signals) => {
    tell(`the restore was interrupted by ${signal}: run it again`);
    process.kill(process.pid, signal); // ends by it, as without this
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  const checked = await checkFiles(folder);
  refuseMissingBucket(checked, config);
  const { databaseUrl, databaseDirectUrl = databaseUrl, dataDir } = config;
  const embedded = databaseUrl === undefined ? await openForRestore({ dataDir, log: commandLog }) : undefined;
  try {
    await fillEmpty(embedded?.connection ?? databaseDirectUrl ?? '', checked, { config, tell });
    await embedded?.keep();
    const rows = checked.manifest.tables.reduce((sum, each) => sum + each.rows, 0);
    const { copied = 0, missing = 0 } = checked.manifest.objects ?? {};
    if (missing > 0) tell(`${missing} artifacts or log objects are not in the backup: see objects.jsonl.gz`);
    tell(`restored ${rows} rows and ${copied} artifacts and log objects; start the service`);
  } finally {
    await embedded?.stop();
  }
}

function refuseMissingBucket({ folder, lines }: Checked, { s3 }: RestoreOptions['config']): void {
  if (s3) return;
  if (lines.some(({ state }) => state === 'in_bucket'))
    throw new BackupError(`${folder} lists artifacts that are only in a bucket: set S3_BUCKET to it, or to its copy`);
  if (lines.some(({ kind, state }) => kind === 'log' && state === 'copied'))
    throw new BackupError(`${folder} has log records of an object store: set S3_BUCKET to an empty bucket for them`);
}

async function restoreObjects({ folder, lines }: Checked, config: RestoreOptions['config']): Promise<void> {
  const copied = lines.filter(({ state }) => state === 'copied');
  if (copied.length === 0) return;
  const [blobs, objects] = [await openBlobs(config), await openObjectStore(config.s3)];
  const incoming = join(config.dataDir, 'artifacts', 'incoming');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  for (const line of copied) {
    const from = join(folder, objectPath(line));
    if (line.kind === 'artifact') await keepArtifact(from, line, { blobs, incoming });
    else await objects?.put(logObjectKey({ orgId: line.org_id, id: line.name }), [await readFile(from)]);
  }
}

/** One that is stored already is the same: its name is its SHA-256. */
async function keepArtifact(
  from: string,
  { org_id: orgId, name, bytes }: ObjectLine,
  { blobs, incoming }: { blobs: BlobStore; incoming: string },
): Promise<void> {
  const key = { orgId, sha256: name };
  if ((await blobs.sizeOf(key)) === bytes) return;
  const path = join(incoming, `restore.${randomUUID()}`);
  try {
    await writeNewFile(path, createReadStream(from), 'plain');
    await blobs.keep(key, path);
  } finally {
    await rm(path, { force: true });
  }
}
