import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../files/folder.ts';

/** For its owner alone, like everything of the agent's. */
export const ownFile = 0o600;
const ownFolder = 0o700;

export const makeOwnFolder = (path: string) => makeFolder(path, ownFolder);

/**
 * Writes a file that a power cut leaves whole: the old one or the new one, and the new one for good once this resolves. Two writes of one
 * path must not overlap.
 */
export async function writeDurably(path: string, content: string | Buffer, mode = ownFile): Promise<void> {
  const temporary = `${path}.tmp`;
  await writeSynced(temporary, content, mode);
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** The content is on the disk once this resolves; the name is not yet: that takes `syncFolder`. */
export async function writeSynced(path: string, content: string | Buffer, mode: number): Promise<void> {
  const file = await open(path, 'w', mode);
  try {
    // One that a crash left has the mode that it had.
    await file.chmod(mode);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes renames and deletions in it survive a power cut; some file systems refuse, and need none. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** It is of no use any more: that it cannot be deleted hurts nobody. */
export const discard = (path: string) => rm(path, { recursive: true, force: true }).catch(() => undefined);

export const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The disk, or what this user may have of it, has no room left. */
export const isFull = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
