import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(homedir(), '.cache/fleet-control-service-release');

/** Stands for the previous release: it knows the migrations that a release must know to start, and no later ones. */
export const previousCommit = '9c3fe876ab07599ec93b429ce6b956d60b67c8e1';

/**
 * Builds a commit of this repository, with the packages of the working tree, once. Returns its folder. A shallow clone, which
 * only continuous integration may use here, has the newest commit alone: then that is built, and said.
 */
export async function buildPrevious(commit = previousCommit): Promise<string> {
  const git = (...words: string[]) => run('git', ['-C', repository, ...words]);
  const { stdout } = await git('rev-parse', '--verify', `${commit}^{commit}`).catch(async (error: unknown) => {
    if ((await git('rev-parse', '--is-shallow-repository')).stdout.trim() !== 'true') throw error;
    process.stderr.write(`${commit} is not in this shallow clone: the newest commit stands for the previous release\n`);
    return git('rev-parse', 'HEAD');
  });
  const folder = join(cache, `built-${stdout.trim()}`);
  await mkdir(cache, { recursive: true });
  if (!existsSync(folder)) {
    const made = await mkdtemp(join(cache, 'building-'));
    const archive = join(made, 'source.tar');
    await git('archive', '--output', archive, stdout.trim());
    await run('tar', ['-xf', archive, '-C', made]);
    await rm(archive);
    await usePackages(made);
    await run(process.execPath, ['.ci/build.mjs'], { cwd: made });
    // Another run may have been faster.
    await rename(made, folder).catch(() => rm(made, { recursive: true }));
  }
  await usePackages(folder);
  return folder;
}

/** The link may be of a tree that is deleted by now. Renamed into place, as other runs use it too. */
async function usePackages(folder: string): Promise<void> {
  const link = join(folder, `packages-${process.pid}`);
  await symlink(join(repository, 'node_modules'), link);
  await rename(link, join(folder, 'node_modules'));
}
