import { rmSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BackupError } from '../platform/db/copy/manifest.ts';
import { errorCode } from '../platform/db/embedded/types.ts';
import { syncFolder } from '../platform/durable.ts';
import { isFault, tell } from './command.ts';

/**
 * Fills a new folder (0700) as `<folder>.partial`, and renames it once it is complete and on disk. After an error,
 * Ctrl-C or SIGTERM the files are removed; after a kill -9 the partial folder remains. `what`: for messages.
 * @throws BackupError
 */
export async function makeFolder<T>(
  folder: string,
  what: 'backup' | 'export',
  fill: (partial: string) => Promise<T>,
): Promise<T> {
  const partial = `${folder}.partial`;
  await refuseUsed(folder);
  await mkdir(partial, { mode: 0o700 }).catch((error: unknown) => {
    const code = errorCode(error) ?? 'unknown';
    if (code === 'EEXIST')
      throw new BackupError(`${partial} exists: another ${what} is running, or was interrupted; then remove it`);
    throw new BackupError(`${folder} cannot be created (${code})`, { cause: error });
  });
  const remove = (signal: NodeJS.Signals): never => {
    rmSync(partial, { recursive: true, force: true });
    tell(`the ${what} was interrupted by ${signal}, and its files were removed from ${partial}`);
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, remove);
  try {
    const result = await fill(partial);
    await syncFolder(partial);
    await rename(partial, folder);
    await syncFolder(dirname(folder));
    return result;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw isFault(error)
      ? new BackupError(`the ${what} was interrupted, and its files were removed from ${partial}: ${error.message}`, {
          cause: error,
        })
      : error;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, remove);
  }
}

/** A rename replaces an empty folder, but not one where another disk is mounted. */
async function refuseUsed(folder: string): Promise<void> {
  const [own, parent] = await Promise.all([folder, dirname(folder)].map((path) => stat(path).catch(() => undefined)));
  if (own && parent && own.dev !== parent.dev)
    throw new BackupError(`${folder} is where a disk is mounted: name a new folder in it`);
  const inside = await readdir(folder).catch((error: unknown) =>
    errorCode(error) === 'ENOENT' ? [] : [errorCode(error) ?? 'unknown'],
  );
  if (inside.length > 0) throw new BackupError(`${folder} exists and is not an empty folder: name a new one`);
}
