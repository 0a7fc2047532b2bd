import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../files/folder.ts';

/** For its owner only, like all files of the agent. */
export const ownerOnlyMode = 0o600;
const ownFolder = 0o700;

export const makeOwnFolder = (path: string) => makeFolder(path, ownFolder);

/**
 * Writes a file atomically: a power cut leaves the old or the new one, and the new one is durable once this resolves.
 * Two writes of one path must not overlap.
 */
export async function writeDurably(path: string, content: string | Buffer, mode = ownerOnlyMode): Promise<void> {
  const temporary = `${path}.tmp`;
  await writeSynced(temporary, content, mode);
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** The content is on disk once this resolves. The name is not: that needs `syncFolder`. */
export async function writeSynced(path: string, content: string | Buffer, mode: number): Promise<void> {
  const file = await open(path, 'w', mode);
  try {
    // A file left by a crash still has its old mode.
    await file.chmod(mode);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes renames and deletions in the folder survive a power cut. Some file systems refuse this and do not need it. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** Deletes what is no longer used. A failed deletion does no harm. */
export const discard = (path: string) => rm(path, { recursive: true, force: true }).catch(() => undefined);

export const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The disk is full, or the quota of this user is. */
export const isDiskFull = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
