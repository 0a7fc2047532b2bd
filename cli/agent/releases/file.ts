import { lstat, readdir, readlink, realpath, rename, rm, rmdir, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { discard, isMissing, syncFolder } from '../orders/durable.ts';
import { StepFailed, type Handler, type OrderContext } from '../orders/handler.ts';
import { obtainArtifact } from './artifact.ts';
import { digestOf } from './digest.ts';
import { fileNameOf, type Kind, type Release, type ReleaseSettings } from './release.ts';

const readable = 0o600;
/** Number of releases to keep, including the current one. */
const keptReleases = 3;

const homeOf = ({ folder }: ReleaseSettings) => join(folder, 'file');
const currentIn = (home: string) => join(home, 'current');

/**
 * Releases that are a file: `<folder>/file/<sha256>/<tag>`. The symlink `<folder>/file/current` leads to the one in
 * effect. It is switched atomically, and switched back if it does not lead to the ordered file.
 */
export const fileKind: Kind = {
  handler: fileHandler,
  running: (settings) =>
    realpath(currentIn(homeOf(settings)))
      .then(settings.digestOf ?? digestOf)
      .catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      }),
};

function fileHandler(settings: ReleaseSettings, release: Release, task: OrderContext): Handler {
  const home = homeOf(settings);
  const target = join(release.sha256, fileNameOf(release));
  const current = currentIn(home);
  const back = join(home, '.current.back');

  async function pointTo(path: string, link = current): Promise<void> {
    const temporary = `${link}.new`;
    await rm(temporary, { force: true });
    await symlink(path, temporary);
    await rename(temporary, link);
    await syncFolder(home);
  }

  return {
    async download() {
      const inEffect = await readlink(current).catch(() => '');
      await discardCut(home, [release.sha256, dirname(inEffect)]).catch(() => undefined);
      await obtainArtifact(settings, release, { path: join(home, target), mode: readable }, task);
    },
    async install() {
      // Written to the journal with the next step; null for none.
      task.notes['previous'] = await readlink(current).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
    },
    async activate() {
      const { previous } = task.notes;
      // The rollback is then only a rename, which works on a full disk too.
      if (typeof previous === 'string') await pointTo(previous, back);
      await pointTo(target);
    },
    async verify() {
      const digest = await digestOf(await realpath(current));
      if (digest !== release.sha256)
        throw new StepFailed('verify_failed', `${current} points to a file whose SHA-256 is ${digest}`);
      return digest;
    },
    async commit() {
      await discardOld(home, release.sha256).catch(() => undefined);
    },
    async rollback() {
      const { previous } = task.notes;
      if (typeof previous === 'string') {
        if ((await readlink(current).catch(() => undefined)) === previous) return;
        await rename(back, current)
          .then(() => syncFolder(home))
          .catch(() => pointTo(previous));
      } else if ((await lstat(current).catch(() => undefined))?.isSymbolicLink()) {
        await rm(current);
        await syncFolder(home);
      }
    },
    async cleanup() {
      await discard(back);
      // Empty if nothing was downloaded: it would count as an old release.
      await rmdir(join(home, release.sha256)).catch(() => undefined);
    },
  };
}

const releasesIn = async (home: string, kept: readonly string[]): Promise<string[]> =>
  (await readdir(home)).filter((name) => /^[0-9a-f]{64}$/.test(name) && !kept.includes(name));

/** Discards abandoned partial downloads: the next one may need their space. */
async function discardCut(home: string, kept: readonly string[]): Promise<void> {
  for (const name of await releasesIn(home, kept)) {
    const files = await readdir(join(home, name));
    if (files.every((file) => /\.(?:part|tmp)$/.test(file))) await discard(join(home, name));
  }
}

/** Discards the oldest releases, never `kept`. */
async function discardOld(home: string, kept: string): Promise<void> {
  const names = await releasesIn(home, [kept]);
  const aged = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(home, name))).mtimeMs })));
  aged.sort((one, other) => other.at - one.at);
  for (const { name } of aged.slice(keptReleases - 1)) await discard(join(home, name));
}
