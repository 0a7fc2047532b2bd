import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { badRequest, conflict, notFound, QuotaExceeded, Unavailable, type QuotaRoom } from '../kernel/errors.ts';
import { quotaService } from '../quotas/service.ts';
import type { S3Settings, S3TimeLimits } from '../platform/s3/client.ts';
import { diskBlobStore, type BlobStore } from './blob-store.ts';
import { bucketMark, folderMark } from './folder-mark.ts';
import { createUploads } from './uploads.ts';
import type { ArtifactKey, UploadProgress } from './model.ts';
import { artifactStore } from './store.ts';

export { checkFolder } from './folder-check.ts';
export { ArtifactStoreError } from './store-error.ts';
export type { BlobStore, UploadProgress, S3TimeLimits };
export type ArtifactService = ReturnType<typeof artifactService>;

/** Uploads idle for a day are deleted, and so are files that were stored and not recorded for a day. */
const keepCutMs = 86_400_000;
/** Files that one run removes. */
const leftAtATime = 1_000;

/** Stored artifacts, and uploads in progress. */
export interface ArtifactStorage {
  blobs: BlobStore;
  uploads: ReturnType<typeof createUploads>;
  folder: string; // ID of the folder or S3 bucket with the artifacts: replicas with the same ID share it
}

interface ArtifactStorageSettings {
  dataDir: string;
  s3: S3Settings | undefined;
  artifactsShared?: boolean; // default false
}

/**
 * Artifacts are in `<dataDir>/artifacts` or in an S3 store. Uploads in progress are always on disk, and belong to this
 * process.
 */
export async function artifactStorage(
  { dataDir, s3, artifactsShared: shared = false }: ArtifactStorageSettings,
  timeLimits: Partial<S3TimeLimits> = {},
): Promise<ArtifactStorage> {
  const folder = join(dataDir, 'artifacts');
  return {
    blobs: await openBlobs({ dataDir, s3 }, timeLimits),
    // In a shared folder each process has its own uploads.
    uploads: createUploads(join(folder, 'incoming'), shared && !s3 ? `.${randomUUID()}` : ''),
    folder: s3 ? bucketMark(s3.bucket) : await folderMark(folder, shared),
  };
}

/** Stored artifacts alone. The SDK is loaded only if S3 is configured: it takes 0.1 s. */
export async function openBlobs(
  { dataDir, s3 }: Omit<ArtifactStorageSettings, 'artifactsShared'>,
  timeLimits: Partial<S3TimeLimits> = {},
): Promise<BlobStore> {
  return s3
    ? (await import('./s3-blob-store.ts')).s3BlobStore(s3, timeLimits)
    : diskBlobStore(join(dataDir, 'artifacts'));
}

/** Cleanup that no request waits for. */
export async function artifactUpkeep(db: Knex, { blobs, uploads }: ArtifactStorage): Promise<void> {
  await uploads.discardOlder(keepCutMs);
  await blobs.tidy(keepCutMs);
  const errors: unknown[] = [];
  for (const key of await artifactStore(db).findLeft(keepCutMs, leftAtATime)) {
    await removeLeft(db, blobs, key).catch((error: unknown) => errors.push(error));
    if (errors.at(-1) instanceof Unavailable) break; // so is every other file
  }
  if (errors.length > 0) throw errors[0];
}

/** Removes the file of an upload that was not recorded, after a crash or a refusal. */
const removeLeft = (db: Knex, blobs: BlobStore, key: ArtifactKey): Promise<void> =>
  db.transaction(async (trx) => {
    const artifacts = artifactStore(trx);
    if (!(await artifacts.holdAlone(key)) || !(await artifacts.holdLeft(key, keepCutMs))) return; // it is uploaded or recorded
    if ((await artifacts.findSize(key)) === undefined) await blobs.remove(key);
    await artifacts.forgetUpload(key);
  });

/**
 * Checks whether the S3 store, if configured, accepts the service. Resolves with the reason if it does not respond,
 * which may be temporary.
 * @throws ArtifactStoreError if it refuses
 */
export async function whyStoreIsAway(s3: S3Settings | undefined): Promise<string | undefined> {
  return s3 && (await import('./s3-check.ts')).whyAway(s3);
}

/** A body that is a file or a part of one. `length` and `range` are declared by its caller. */
interface Upload {
  bytes: AsyncIterable<Uint8Array>;
  length: number | undefined;
  range: { first: number; last: number; size: number } | undefined;
}

export function artifactService(db: Knex, { blobs, uploads }: ArtifactStorage) {
  const artifacts = artifactStore(db);

  /** @throws not_found if no release of the org describes it */
  async function sizesOf(key: ArtifactKey): Promise<number[]> {
    const sizes = await artifacts.findNamedSizes(key);
    if (sizes.length === 0) throw notFound('release with this artifact');
    return sizes;
  }

  /**
   * Where an upload resumes. All bytes may have arrived without being stored, after a crash or while the store was
   * unavailable. Then the last byte is sent again, so the sender need not know of that case.
   */
  const resumableBytes = async (key: ArtifactKey, size: number): Promise<number> =>
    Math.min(await uploads.received(key), Math.max(0, size - 1));

  /** Its recorded size, if the store has it. `beforeStore` is called before the store is asked, which may take seconds. */
  async function findStored(key: ArtifactKey, beforeStore: () => void): Promise<number | undefined> {
    const size = await artifacts.findSize(key);
    if (size === undefined) return undefined;
    beforeStore();
    return (await blobs.sizeOf(key)) === size ? size : undefined;
  }

  /** An artifact that is stored already adds nothing. @throws QuotaExceeded */
  async function checkRoom(key: ArtifactKey, size: number): Promise<void> {
    if ((await artifacts.findSize(key)) === undefined)
      await quotaService(db).checkRoom(key.orgId, 'artifact_bytes', size);
  }

  return {
    /** What is received of an artifact. @throws not_found if no release of the org describes it */
    async look(key: ArtifactKey, beforeStore: () => void): Promise<UploadProgress> {
      const kept = await findStored(key, beforeStore);
      if (kept !== undefined) return { size: kept, received: kept, complete: true };
      const size = Math.max(...(await sizesOf(key)));
      return { size, received: await resumableBytes(key, size), complete: false };
    },

    /** A stored artifact, to be read. @throws not_found */
    async open(key: ArtifactKey, beforeStore: () => void) {
      const size = await findStored(key, beforeStore);
      if (size === undefined) throw notFound('artifact');
      const { presign } = blobs;
      return {
        sha256: key.sha256,
        size,
        open: (first: number, last: number) => blobs.open(key, first, last),
        presign: presign && (() => presign(key)),
      };
    },

    /**
     * Receives an upload, outside any transaction. Once it is complete, the caller must call `record`.
     * @throws not_found as `look`, bad_request for another size or hash, conflict for a part with another offset, and
     * while another call uploads it; QuotaExceeded, before the bytes are read where possible
     */
    async receive(key: ArtifactKey, { bytes, length, range }: Upload): Promise<UploadProgress> {
      const sizes = await sizesOf(key);
      const size = range?.size ?? length ?? Math.max(...sizes);
      if (!sizes.includes(size))
        throw badRequest(`the artifact of the release has ${sizes.join(' or ')} bytes, not ${size}`);
      // Verified on arrival: a crash before `record` loses nothing. A new upload of the whole file repairs later disk
      // damage.
      if ((await blobs.sizeOf(key)) === size && range) {
        if ((await artifacts.findSize(key)) === undefined) await artifacts.begin(key);
        return { size, received: size, complete: true };
      }
      const first = range?.first ?? 0;
      const count = range ? range.last - first + 1 : size;
      if (length !== undefined && length !== count)
        throw badRequest(`Content-Range names ${count} bytes, the body has ${length}`);
      await checkRoom(key, size);
      return uploads.alone(key, async () => {
        const here = await resumableBytes(key, size);
        if (first > 0 && first !== here) throw conflict(`${here} bytes are stored: resume from there`);
        const arrived = await uploads.receive(key, { bytes, first, count, size });
        if (arrived.received < size) return { size, received: arrived.received, complete: false };
        if (arrived.sha256 !== key.sha256) {
          await uploads.discard(key);
          throw badRequest(`the SHA-256 of the received bytes is ${arrived.sha256}`);
        }
        await checkRoom(key, size); // others arrived meanwhile
        await artifacts.begin(key);
        await blobs.keep(key, arrived.path);
        if (!(await artifacts.isWanted(key))) {
          await blobs.remove(key); // an erasure did not find it: it was not stored yet
          await artifacts.forgetUpload(key);
          throw notFound('release with this artifact');
        }
        return { size, received: size, complete: true };
      });
    },

    /**
     * Makes the artifact available to robots. Runs in a transaction. Returns what is left of the quota. The file of an upload that it
     * refuses is removed, unless another upload of the same artifact is being recorded. One that is recorded later finds it missing.
     * @throws QuotaExceeded; Unavailable if the file was removed meanwhile
     */
    async record(key: ArtifactKey, size: number): Promise<QuotaRoom | undefined> {
      await artifacts.hold(key);
      if ((await blobs.sizeOf(key)) !== size)
        throw new Unavailable('the stored artifact was removed meanwhile, upload it again', { retryAfterSeconds: 1 });
      await artifacts.mark();
      const isNew = await artifacts.create(key, size);
      await artifacts.forgetUpload(key);
      try {
        return await quotaService(db).check(key.orgId, 'artifact_bytes', isNew ? size : 0);
      } catch (error) {
        if (!(error instanceof QuotaExceeded)) throw error;
        await artifacts.undo(); // others of the org do not wait for the store
        // Without success it stays for a day: nobody is given it, and another upload replaces it.
        if (await artifacts.holdAlone(key)) await blobs.remove(key).catch(() => undefined);
        throw error;
      }
    },
  };
}
