import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { S3Settings } from '../config.ts';
import { badRequest, conflict, notFound } from '../kernel/errors.ts';
import { diskBlobStore, type BlobStore } from './blob-store.ts';
import { bucketMark, folderMark } from './folder-mark.ts';
import { createUploads } from './uploads.ts';
import type { ArtifactKey, Holding } from './model.ts';
import type { S3TimeLimits } from './s3-client.ts';
import { artifactStore } from './store.ts';

export { checkFolder } from './folder-check.ts';
export { ArtifactStoreError } from './store-error.ts';
export type { Holding, S3TimeLimits };
export type ArtifactService = ReturnType<typeof artifactService>;

/** What is left of an upload goes after a day. */
const keepCutMs = 86_400_000;

/** Where artifacts are, and those on their way. */
export interface ArtifactStorage {
  blobs: BlobStore;
  uploads: ReturnType<typeof createUploads>;
  folder: string; // ID of the folder or the S3 bucket that keeps them: replicas with the same one share it
}

interface ArtifactStorageSettings {
  dataDir: string;
  s3: S3Settings | undefined;
  artifactsShared?: boolean; // default false
}

/** Under `<dataDir>/artifacts`, or in an S3 store; what is on its way is on disk either way, and is this process's own. */
export async function artifactStorage(
  { dataDir, s3, artifactsShared: shared = false }: ArtifactStorageSettings,
  timeLimits: Partial<S3TimeLimits> = {},
): Promise<ArtifactStorage> {
  const folder = join(dataDir, 'artifacts');
  return {
    // Loaded by who has one only: it takes a tenth of a second.
    blobs: s3 ? (await import('./s3-blob-store.ts')).s3BlobStore(s3, timeLimits) : diskBlobStore(folder),
    // In a shared folder each process takes uploads of its own.
    uploads: createUploads(join(folder, 'incoming'), shared && !s3 ? `.${randomUUID()}` : ''),
    folder: s3 ? bucketMark(s3.bucket) : await folderMark(folder, shared),
  };
}

/** What nobody waits for. */
export async function artifactUpkeep({ blobs, uploads }: ArtifactStorage): Promise<void> {
  await uploads.discardOlder(keepCutMs);
  await blobs.tidy(keepCutMs);
}

/**
 * Asks the S3 store, where there is one, whether it lets the service in. Resolves with the reason where it does not answer, which may pass.
 * @throws ArtifactStoreError where it refuses
 */
export async function whyStoreIsAway(s3: S3Settings | undefined): Promise<string | undefined> {
  return s3 && (await import('./s3-client.ts')).whyAway(s3);
}

/** A body that is a file or a part of one; `length` and `range` are what its caller says of it. */
interface Upload {
  bytes: AsyncIterable<Uint8Array>;
  length: number | undefined;
  range: { first: number; last: number; size: number } | undefined;
}

export function artifactService(db: Knex, { blobs, uploads }: ArtifactStorage) {
  const artifacts = artifactStore(db);

  /** @throws not_found where no release of the org describes it */
  async function sizesOf(key: ArtifactKey): Promise<number[]> {
    const sizes = await artifacts.findNamedSizes(key);
    if (sizes.length === 0) throw notFound('release with this artifact');
    return sizes;
  }

  /**
   * Where an upload goes on. Its last byte comes again where all came and was not kept, after a crash or because the store was away: so the
   * sender need not know of that case.
   */
  const resumableBytes = async (key: ArtifactKey, size: number): Promise<number> =>
    Math.min(await uploads.received(key), Math.max(0, size - 1));

  return {
    /** What is here of an artifact. @throws not_found where no release of the org describes it */
    async look(key: ArtifactKey): Promise<Holding> {
      const kept = await artifacts.findSize(key);
      if (kept !== undefined && (await blobs.sizeOf(key)) === kept)
        return { size: kept, received: kept, complete: true };
      const size = Math.max(...(await sizesOf(key)));
      return { size, received: await resumableBytes(key, size), complete: false };
    },

    /** One that is here, to be read. @throws not_found */
    async open(key: ArtifactKey) {
      const size = await artifacts.findSize(key);
      if (size === undefined || (await blobs.sizeOf(key)) !== size) throw notFound('artifact');
      return {
        sha256: key.sha256,
        size,
        open: (first: number, last: number) => blobs.open(key, first, last),
      };
    },

    /**
     * Takes in what a caller sends, outside of any transaction; `record` is due after it once it is complete.
     * @throws not_found as `look`, bad_request for another size or hash, conflict for a part that begins elsewhere, and beside another call
     */
    async receive(key: ArtifactKey, { bytes, length, range }: Upload): Promise<Holding> {
      const sizes = await sizesOf(key);
      const size = range?.size ?? length ?? Math.max(...sizes);
      if (!sizes.includes(size))
        throw badRequest(`the artifact of the release has ${sizes.join(' or ')} bytes, not ${size}`);
      // Verified when it came: a crash before it was recorded loses nothing. Who sends all of it once more replaces what a disk has damaged since.
      if ((await blobs.sizeOf(key)) === size && range) return { size, received: size, complete: true };
      const first = range?.first ?? 0;
      const count = range ? range.last - first + 1 : size;
      if (length !== undefined && length !== count)
        throw badRequest(`Content-Range names ${count} bytes, the body has ${length}`);
      return uploads.alone(key, async () => {
        const here = await resumableBytes(key, size);
        if (first > 0 && first !== here) throw conflict(`${here} bytes are here: go on from there`);
        const arrived = await uploads.receive(key, { bytes, first, count, size });
        if (arrived.received < size) return { size, received: arrived.received, complete: false };
        if (arrived.sha256 !== key.sha256) {
          await uploads.discard(key);
          throw badRequest(`the SHA-256 of what came is ${arrived.sha256}`);
        }
        await blobs.keep(key, arrived.path);
        return { size, received: size, complete: true };
      });
    },

    /** Lets robots have it. Runs in a transaction. */
    record: (key: ArtifactKey, size: number): Promise<void> => artifacts.create(key, size),
  };
}
