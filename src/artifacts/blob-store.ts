import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../platform/durable.ts';
import type { ArtifactKey } from './model.ts';

/** Stores complete and verified artifacts. */
export interface BlobStore {
  /** Size in bytes of a stored artifact; undefined if it is not stored. */
  sizeOf(key: ArtifactKey): Promise<number | undefined>;
  /** Bytes `first` to `last`, both inclusive. */
  open(key: ArtifactKey, first: number, last: number): AsyncIterable<Buffer>;
  /** A presigned address of a stored artifact. It is a secret. Undefined: robots do not reach the store. */
  presign: ((key: ArtifactKey) => Promise<string>) | undefined;
  /** Takes over a file. Once this resolves, it is stored durably and gone from its path. */
  keep(key: ArtifactKey, path: string): Promise<void>;
  /** Does nothing if it is not stored. */
  remove(key: ArtifactKey): Promise<void>;
  /** Removes what uploads into the store left behind that were interrupted longer ago than this. */
  tidy(ageMs: number): Promise<void>;
}

/** Bytes per read. Nothing is read ahead, so a stalled reader holds no more than this. */
const chunkBytes = 64 * 1024;

/** Stores artifacts in a folder: `<folder>/<org>/<sha256>`. */
export function diskBlobStore(folder: string): BlobStore {
  const pathOf = ({ orgId, sha256 }: ArtifactKey) => join(folder, orgId, sha256);
  return {
    async sizeOf(key) {
      const found = await stat(pathOf(key)).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      });
      return found?.size;
    },
    open: (key, first, last) => readPart(pathOf(key), first, last),
    presign: undefined,
    async keep(key, path) {
      const target = pathOf(key);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(path, target);
      // The first file of an org, and of all orgs, is in folders that are new themselves.
      for (const each of [dirname(target), folder, dirname(folder)]) await syncFolder(each);
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    tidy: () => Promise.resolve(), // a rename leaves nothing behind
  };
}

async function* readPart(path: string, first: number, last: number): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    for (let at = first; at <= last;) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, last - at + 1));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
