import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../orders/command.ts';
import { syncFolder } from '../orders/durable.ts';
import { plainEnvironment } from './program.ts';

/** One by one each file costs a write to the journal of the file system, all at once cost what others have written there too. */
const fewFiles = 100;
const timeoutMs = 600_000;

/**
 * All of it is on the disk once this resolves: `files` and `folders` by their places in the folder. Many files go by `sync -f`, which syncs the
 * whole file system and is a part of every Linux; where it is missing or fails each is synced by itself. Rejects where the disk does.
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
