import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../platform/durable.ts';
import type { ArtifactKey } from './model.ts';

/** Where whole and verified artifacts are kept. */
export interface BlobStore {
  /** Bytes of one that is kept; undefined otherwise. */
  sizeOf(key: ArtifactKey): Promise<number | undefined>;
  /** Bytes `first` to `last`, both included. */
  open(key: ArtifactKey, first: number, last: number): AsyncIterable<Buffer>;
  /** Takes a file over: it is kept for good when this resolves, and gone from its path. */
  keep(key: ArtifactKey, path: string): Promise<void>;
  /** Removes what uploads into it left behind that were cut longer ago than this. */
  tidy(ageMs: number): Promise<void>;
}

/** Read at a time, and all that a reader who stalls holds: nothing is read ahead. */
const chunkBytes = 64 * 1024;

/** Keeps artifacts in a folder: `<folder>/<org>/<sha256>`. */
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
    async keep(key, path) {
      const target = pathOf(key);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(path, target);
      // The first file of an org, and of all, stands in folders that are new themselves.
      for (const each of [dirname(target), folder, dirname(folder)]) await syncFolder(each);
    },
    tidy: () => Promise.resolve(), // a rename leaves nothing
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
