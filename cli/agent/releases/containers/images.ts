import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { discard, isMissing, makeOwnFolder, writeDurably } from '../../orders/durable.ts';
import { StepFailed } from '../../orders/handler.ts';
import { withoutAlgorithm, type Engine } from './engine.ts';

/** The image that an artifact became in the store of the engine. */
export interface LoadedImage {
  /** In hex. */
  id: string;
  /** Its names in the archive. Used only to delete it, as any image may get these names. */
  names: string[];
}

/**
 * Which artifact became which image, in files `<folder>/<SHA-256 of the artifact>`: a container shows only its image.
 */
export function imageRecords(folder: string) {
  const pathOf = (sha256: string) => join(folder, sha256);
  const all = async () => {
    const names = await readdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    return names.filter((name) => /^[0-9a-f]{64}$/.test(name));
  };

  async function find(sha256: string): Promise<LoadedImage | undefined> {
    try {
      return JSON.parse(await readFile(pathOf(sha256), 'utf8')) as LoadedImage;
    } catch (error) {
      // An invalid record counts as missing: the artifact is loaded again.
      if (isMissing(error) || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  async function discardImage(sha256: string, engine: Engine): Promise<void> {
    const image = await find(sha256);
    if (image) await removeImage(engine, image);
    await discard(pathOf(sha256));
  }

  return {
    find,
    async set(sha256: string, image: LoadedImage): Promise<void> {
      await makeOwnFolder(folder);
      await writeDurably(pathOf(sha256), JSON.stringify(image));
    },
    /** False on a robot that never had a release of this kind. */
    hasAny: async () => (await all()).length > 0,
    /** SHA-256 of the artifact that became this image. If there are several, prefers `likely`. */
    async artifactOf(imageId: string, likely: string | undefined): Promise<string | undefined> {
      if (likely !== undefined && (await find(likely))?.id === imageId) return likely;
      for (const sha256 of await all()) if ((await find(sha256))?.id === imageId) return sha256;
      return undefined;
    },
    /** Deletes all other images. An image in use elsewhere stays, but its record is deleted. */
    async discardAllBut(kept: readonly (string | undefined)[], engine: Engine): Promise<void> {
      for (const sha256 of await all()) {
        const image = await find(sha256);
        if (!image || !kept.includes(image.id)) await discardImage(sha256, engine);
      }
    },
    discard: discardImage,
  };
}

async function removeImage(engine: Engine, { id, names }: LoadedImage): Promise<void> {
  const remove = (nameOrId: string) => engine.call(['rmi', nameOrId], { changes: true }).catch(() => undefined);
  await remove(id);
  // An image with several names cannot be removed by its id without force, which also removes containers.
  for (const name of names) if ((await engine.image(name)) === id) await remove(name);
}

/** Loads an image archive. Throws StepFailed if it holds several images, and the engine's error if it is invalid. */
export async function loadImage(
  engine: Engine,
  archive: string,
  call: Parameters<Engine['call']>[1],
): Promise<LoadedImage> {
  const printed = await engine.call(['load', '--input', archive], call);
  const names = printed.split('\n').flatMap((line) => {
    const [, name] = /^Loaded image(?: ID|\(s\))?: *(.+)$/.exec(line.trim()) ?? [];
    return name === undefined ? [] : name.split(',');
  });
  const ids = new Set<string>();
  for (const name of names) ids.add((await engine.image(name)) ?? withoutAlgorithm(name));
  const [id, ...others] = ids;
  if (id === undefined) throw new StepFailed('install_failed', `${engine.name} load did not say which image it loaded`);
  if (others.length > 0)
    throw new StepFailed('install_failed', `the archive contains ${ids.size} images instead of one`);
  return { id, names: names.filter((name) => !name.startsWith('sha256:')) };
}
