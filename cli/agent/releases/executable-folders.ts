import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from '../orders/durable.ts';
import { StepFailed } from '../orders/handler.ts';

/** The service's pattern for kinds: such a name cannot lead to another folder. */
const isName = (kind: string) => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(kind);

/**
 * The executable for releases of this kind, in the first folder that has one; undefined if none has. Throws StepFailed
 * (no_handler) for an executable that users other than root and the agent's could have changed. Nothing replaces it
 * then.
 */
export async function findExecutable(folders: readonly string[], kind: string): Promise<string | undefined> {
  if (!isName(kind)) return undefined;
  for (const folder of folders) {
    const path = join(folder, kind);
    if (!(await isThere(path))) continue;
    const fault = await faultOf(path);
    if (fault === undefined) return path;
    throw new StepFailed('no_handler', `${path} is not run: ${fault}`);
  }
  return undefined;
}

/** The names in the folders, sorted. `findExecutable` decides whether they may be run. */
export async function namesIn(folders: readonly string[]): Promise<string[]> {
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return [...new Set(names.flat())].filter(isName).sort();
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => {
      // A path that cannot be checked is rejected later, with the reason.
      return !isMissing(error);
    },
  );

/** Why the executable may not be run; undefined if it may. */
async function faultOf(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    const file = await stat(real);
    if (!file.isFile() || (file.mode & 0o111) === 0) return 'it is not an executable file';
    // A user with write access to a folder can replace its files. The same holds for the folder of a symlink.
    for (const each of new Set([real, dirname(real), dirname(path)])) {
      const { uid, mode } = await stat(each);
      if (uid !== 0 && uid !== process.getuid?.()) return `${each} must belong to root or the agent’s user`;
      if ((mode & 0o022) !== 0) return `other users can write to ${each}`;
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
