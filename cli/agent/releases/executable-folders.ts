import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from '../orders/durable.ts';
import { StepFailed } from '../orders/handler.ts';

/** As the service names kinds: it leads to no other folder. */
const isName = (kind: string) => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(kind);

/**
 * The executable for releases of this kind, in the first of the folders that has one; undefined where none has. Throws StepFailed (no_handler) for one
 * that others than root and the agent's user could have had a hand in: nothing takes its place then.
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

/** The names in the folders, sorted, of which `findExecutable` tells whether they may be run. */
export async function namesIn(folders: readonly string[]): Promise<string[]> {
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return [...new Set(names.flat())].filter(isName).sort();
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => {
      // What cannot be looked at is refused, with the reason.
      return !isMissing(error);
    },
  );

/** Undefined for one that may be run. */
async function faultOf(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    const file = await stat(real);
    if (!file.isFile() || (file.mode & 0o111) === 0) return 'it is no executable file';
    // Who can write a folder can put another file there; a link is as good as the folder that it stands in.
    for (const each of new Set([real, dirname(real), dirname(path)])) {
      const { uid, mode } = await stat(each);
      if (uid !== 0 && uid !== process.getuid?.()) return `${each} belongs to another user than root and the agent’s`;
      if ((mode & 0o022) !== 0) return `others can write ${each}`;
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
