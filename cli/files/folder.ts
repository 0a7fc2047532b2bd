import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes the folder, and those above it that are missing; gives the first one that it made, undefined if there was none to make. Rejects as
 * mkdir does. Node's own `recursive` never comes to an end, and takes a processor, where a file system says that a folder is not there
 * and does not let it be made either, as /proc does.
 */
export async function makeFolder(path: string, mode: number): Promise<string | undefined> {
  if (await isFolder(path)) return undefined;
  const above = dirname(path);
  const first = above === path ? undefined : await makeFolder(above, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Another process was faster.
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
