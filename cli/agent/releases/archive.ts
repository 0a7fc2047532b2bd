import { lstat, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { discard, isMissing, ownerOnlyMode, syncFolder } from '../orders/durable.ts';
import { StepFailed, type Handler, type OrderContext } from '../orders/handler.ts';
import { unpackedReleases } from './archive-folder.ts';
import { obtainArtifact } from './artifact.ts';
import { environmentOf, failureOf, runProgram } from './program.ts';
import type { Kind, Release, ReleaseSettings } from './release.ts';

const homeOf = ({ folder }: ReleaseSettings) => join(folder, 'archive');
const programTimeoutMs = 120_000;

/** Phase for a release's programs: the release takes effect, or is restored after another one failed. */
type Phase = 'apply' | 'rollback';

/**
 * Releases that are a tar or tar.gz, unpacked to `<folder>/archive/releases/<sha256>`. The symlink
 * `<folder>/archive/current` leads to the one in effect and is switched atomically. Then `.svc/restart` of the release
 * runs, followed by `.svc/healthcheck`. Each is optional, must exit with 0, and has a timeout of 120 s. If one fails,
 * the symlink is switched back and `.svc/restart` of the previous release runs.
 */
export const archiveKind: Kind = {
  handler: archiveHandler,
  async running(settings) {
    const name = await currentIn(homeOf(settings));
    return name === undefined ? undefined : unpackedReleases(homeOf(settings)).proofOf(name);
  },
};

function archiveHandler(settings: ReleaseSettings, release: Release, task: OrderContext): Handler {
  const home = homeOf(settings);
  const releases = unpackedReleases(home);
  const artifact = join(task.directory, 'artifact');
  const current = join(home, 'current');
  const back = join(home, '.current.back');
  const { notes } = task;

  async function pointTo(name: string, link = current): Promise<void> {
    const temporary = `${link}.new`;
    await rm(temporary, { force: true });
    await symlink(join('releases', name), temporary);
    await rename(temporary, link);
    await syncFolder(home);
  }

  /** Resolves at once if the release has no such program. */
  async function run(program: 'restart' | 'healthcheck', name: string, phase: Phase): Promise<void> {
    const folder = releases.pathOf(name);
    const command = join(folder, '.svc', program);
    const found = await stat(command).catch(() => undefined);
    if (!found?.isFile() || (found.mode & 0o100) === 0) return;
    const environment = { ...environmentOf(release, task, folder), SVC_PHASE: phase };
    const call = { command, cwd: folder, environment, timeoutMs: programTimeoutMs, source: 'release:archive' };
    const end = await runProgram(call, task);
    if (end.code !== 0)
      throw failureOf(end, program === 'restart' ? 'activate_failed' : 'verify_failed', `.svc/${program}`);
  }

  return {
    async download() {
      // A complete release on disk, such as the previous one, needs no download.
      if ((await releases.findWhole(release.sha256)) === undefined)
        await obtainArtifact(settings, release, { path: artifact, mode: ownerOnlyMode }, task);
    },
    async install() {
      const previous = await currentIn(home);
      notes['previous'] = previous ?? null;
      await releases.discardRests();
      notes['name'] = await releases.findWhole(release.sha256);
      if (notes['name'] !== undefined) return;
      await releases.discardOld(previous);
      notes['isNew'] = true;
      notes['name'] = await releases.add(artifact, release.sha256, previous, task);
    },
    async activate() {
      const name = notes['name'] as string;
      const { previous } = notes;
      // The rollback is then only a rename, which works on a full disk too.
      if (typeof previous === 'string') await pointTo(previous, back);
      notes['isSwitched'] = true;
      await task.save();
      await pointTo(name);
      await run('restart', name, 'apply');
    },
    async verify() {
      const name = notes['name'] as string;
      await run('healthcheck', name, 'apply');
      const now = await currentIn(home);
      const digest = now === undefined ? undefined : await releases.proofOf(now);
      if (digest === undefined || digest !== release.sha256)
        throw new StepFailed('verify_failed', `${current} differs from the archive`);
      return digest;
    },
    async commit() {
      const name = notes['name'] as string;
      await releases.touch(name).catch(() => undefined);
      await releases.discardOld(name).catch(() => undefined);
    },
    async rollback() {
      const { previous, name, isNew } = notes;
      if (notes['isSwitched'] === true && typeof previous === 'string') {
        if ((await currentIn(home)) !== previous)
          await rename(back, current)
            .then(() => syncFolder(home))
            .catch(() => pointTo(previous));
        await run('restart', previous, 'rollback');
      } else if (notes['isSwitched'] === true && (await lstat(current).catch(() => undefined))?.isSymbolicLink()) {
        await rm(current);
        await syncFolder(home);
      }
      if (isNew === true && typeof name === 'string') await releases.discard(name);
    },
    async cleanup() {
      await discard(back);
    },
  };
}

/** Folder name of the release that the symlink leads to; undefined without a symlink. */
const currentIn = (home: string): Promise<string | undefined> =>
  readlink(join(home, 'current')).then(
    (path) => basename(path),
    (error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    },
  );
