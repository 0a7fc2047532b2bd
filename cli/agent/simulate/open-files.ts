import { readFile } from 'node:fs/promises';

/** Maximum number of open files and sockets of this process; undefined when the system does not report it. */
export async function openFilesLimit(): Promise<number | undefined> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, soft] = /^Max open files\s+(\d+)/m.exec(text) ?? [];
  return soft === undefined ? undefined : Number(soft);
}
