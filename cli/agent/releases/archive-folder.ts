import { readdir, rename, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { discard, isMissing, makeOwnFolder, syncFolder } from '../orders/durable.ts';
import type { OrderContext } from '../orders/handler.ts';
import { archiveIn, fingerprintOf, keepFingerprint } from './fingerprint.ts';
import { syncTree } from './sync-tree.ts';
import { unpack } from './unpack.ts';

/** Number of releases to keep, including the one in effect. */
const keptReleases = 3;
const unfinished = '.tmp';
const fingerprint = '.members';

/**
 * The releases in `<home>/releases`: one folder each, named by the SHA-256 of its archive, with its fingerprint next to
 * it. A release whose members changed while it is in effect is left as it is. The same archive is then unpacked again
 * as `<sha256>.1`.
 */
interface UnpackedReleases {
  pathOf(name: string): string;
  /** SHA-256 of the archive if its members are unchanged, else a digest of the members found. */
  proofOf(name: string): Promise<string>;
  /** Undefined if no unchanged release of that archive exists. */
  findWhole(sha256: string): Promise<string | undefined>;
  /** Returns the name once the release is on disk. A failure leaves nothing behind. */
  add(archive: string, sha256: string, current: string | undefined, task: OrderContext): Promise<string>;
  /** Marks the release as the newest. */
  touch(name: string): Promise<void>;
  /** Discards the oldest releases, except `current` and two more. */
  discardOld(current: string | undefined): Promise<void>;
  discard(name: string): Promise<void>;
  /** Discards unfinished releases after a crash. */
  discardRests(): Promise<void>;
}

export function unpackedReleases(home: string): UnpackedReleases {
  const folder = join(home, 'releases');
  const pathOf = (name: string) => join(folder, name);
  const fingerprintAt = (name: string) => pathOf(`${name}${fingerprint}`);
  const proofOf = (name: string) => archiveIn(pathOf(name), fingerprintAt(name));
  const all = () => namesIn(folder);

  async function remove(name: string): Promise<void> {
    // A release without a fingerprint is never used, so a crash in between leaves no incomplete release.
    await discard(fingerprintAt(name));
    await discard(pathOf(name));
  }

  async function freeName(sha256: string, current: string | undefined): Promise<string> {
    const names = await all();
    for (let number = 0; ; number += 1) {
      const name = number === 0 ? sha256 : `${sha256}.${number}`;
      if (name === current) continue;
      if (names.includes(name)) await remove(name);
      return name;
    }
  }

  return {
    pathOf,
    proofOf,
    async findWhole(sha256) {
      for (const name of await all()) if (name.startsWith(sha256) && (await proofOf(name)) === sha256) return name;
      return undefined;
    },
    async add(archive, sha256, current, task) {
      await makeOwnFolder(folder);
      const name = await freeName(sha256, current);
      const temporary = pathOf(`${name}${unfinished}`);
      try {
        const { byPlace } = await unpack(archive, temporary, task);
        const places = (kind: string) =>
          [...byPlace].flatMap(([place, member]) => (member.kind === kind ? [place] : []));
        await syncTree(temporary, places('file'), places('folder'), task.interrupted);
        await keepFingerprint(fingerprintAt(name), await fingerprintOf(temporary, byPlace.keys(), sha256));
        await rename(temporary, pathOf(name));
        await syncFolder(folder);
      } catch (error) {
        await discard(temporary);
        await discard(fingerprintAt(name));
        throw error;
      }
      return name;
    },
    async touch(name) {
      const now = new Date();
      await utimes(fingerprintAt(name), now, now);
    },
    async discardOld(current) {
      const names = (await all()).filter((name) => name !== current);
      const ageOf = (name: string) =>
        stat(fingerprintAt(name)).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        );
      const aged = await Promise.all(names.map(async (name) => ({ name, at: await ageOf(name) })));
      aged.sort((one, other) => other.at - one.at);
      for (const { name } of aged.slice(keptReleases - 1)) await remove(name);
    },
    discard: remove,
    async discardRests() {
      const rests = await readdir(folder).catch(() => []);
      for (const name of rests) if (name.endsWith(unfinished)) await discard(pathOf(name));
    },
  };
}

const namesIn = async (folder: string): Promise<string[]> => {
  const found = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return found.filter((name) => /^[0-9a-f]{64}(?:\.\d+)?$/.test(name));
};
