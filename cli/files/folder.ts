import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates the folder and its missing parents; returns the first one created, undefined if none was missing. Rejects as
 * mkdir does. Node's own `recursive` loops for ever at full CPU load if a file system, such as /proc, reports a folder
 * as missing and also refuses to create it.
 */
export async function makeFolder(path: string, mode: number): Promise<string | undefined> {
  if (await isFolder(path)) return undefined;
  const above = dirname(path);
  const first = above === path ? undefined : await makeFolder(above, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Another process created it first.
    if (!(await isFolder(path))) throw error;
    return first;
  }
  return first ?? path;
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
