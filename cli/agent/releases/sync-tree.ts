import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../orders/command.ts';
import { syncFolder } from '../orders/durable.ts';
import { plainEnvironment } from './program.ts';

/** Syncing a file costs a journal write of the file system; syncing all also flushes other programs' data. */
const fewFiles = 100;
const timeoutMs = 600_000;

/**
 * Once this resolves, `files` and `folders` (places in the folder) are on disk. Many files are synced with `sync -f`,
 * which syncs the whole file system and is part of every Linux. If it is missing or fails, each file is synced by
 * itself. Rejects on a disk error.
 */
export async function syncTree(
  folder: string,
  files: readonly string[],
  folders: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (files.length > fewFiles && (await syncFileSystem(folder, signal))) return;
  signal.throwIfAborted();
  for (const place of files) {
    const file = await open(join(folder, place), 'r');
    await file.sync().finally(() => file.close());
    signal.throwIfAborted();
  }
  for (const place of ['', ...folders]) await syncFolder(join(folder, place));
}

async function syncFileSystem(folder: string, signal: AbortSignal): Promise<boolean> {
  const end = await runCommand({
    command: 'sync',
    args: ['-f', folder],
    environment: plainEnvironment(),
    timeoutMs,
    signal,
    onLine: () => undefined,
  });
  return end.code === 0;
}
