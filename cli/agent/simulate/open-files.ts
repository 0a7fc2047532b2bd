import { readFile } from 'node:fs/promises';

/** How many files and sockets this process may have open; undefined where the system does not tell. */
export async function openFilesLimit(): Promise<number | undefined> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, soft] = /^Max open files\s+(\d+)/m.exec(text) ?? [];
  return soft === undefined ? undefined : Number(soft);
}
