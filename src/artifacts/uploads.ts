import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest, DomainError } from '../kernel/errors.ts';
import type { ArtifactKey, Part } from './model.ts';
import { writingTo } from './writing.ts';

const chunkBytes = 1024 * 1024; // read size when hashing again

/** State of an upload after a part. */
interface Arrived {
  received: number; // bytes, from the start of the file
  sha256: string; // of these bytes, in hex
  path: string;
}

/**
 * Uploads in progress, each a growing file: `<folder>/<org>.<sha256><suffix>`. They belong to this process. Another
 * process starts anew, and so does the caller, which is told how much is received.
 */
export function createUploads(folder: string, suffix = '') {
  const busy = new Set<string>();
  const pathOf = ({ orgId, sha256 }: ArtifactKey) => join(folder, `${orgId}.${sha256}${suffix}`);

  async function append(path: string, part: Part): Promise<Arrived> {
    const hash = createHash('sha256');
    const file = await open(path, part.first === 0 ? 'w' : 'r+', 0o600);
    try {
      if (part.first > 0) await hashAgain(path, part.first, hash);
      // Bytes beyond belong to an upload with a greater declared size, or are the last byte, which is sent again.
      if (part.first > 0) await file.truncate(part.first);
      const received = await write(file, part, hash);
      await file.sync();
      return { received, sha256: hash.digest('hex'), path };
    } finally {
      await file.close();
    }
  }

  return {
    /**
     * Lets one call at a time work on an upload, from reading its state until it is stored. Otherwise another call
     * could rewrite a verified file. @throws conflict while another call works on it
     */
    async alone<T>(key: ArtifactKey, work: () => Promise<T>): Promise<T> {
      const path = pathOf(key);
      if (busy.has(path))
        throw new DomainError('conflict', 'another request is uploading this artifact', { retryAfterSeconds: 5 });
      busy.add(path);
      try {
        return await work();
      } finally {
        busy.delete(path);
      }
    },

    /** Received bytes of the upload. */
    async received(key: ArtifactKey): Promise<number> {
      const found = await stat(pathOf(key)).catch(ifMissing);
      return found?.size ?? 0;
    },

    /**
     * Receives a part, which begins at the end of the upload or at 0. The bytes of an interrupted part are kept.
     * @throws bad_request for a body of another length
     */
    async receive(key: ArtifactKey, part: Part): Promise<Arrived> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (part.first === 0) await rm(pathOf(key), { force: true }); // frees its space
      await refuseWithoutRoom(folder, part);
      return append(pathOf(key), part);
    },

    discard: (key: ArtifactKey) => rm(pathOf(key), { force: true }),

    /** Removes uploads that were idle for longer than this. */
    async discardOlder(ageMs: number): Promise<void> {
      for (const name of (await readdir(folder).catch(ifMissing)) ?? []) {
        const path = join(folder, name);
        const found = await stat(path).catch(ifMissing);
        if (found && Date.now() - found.mtimeMs > ageMs && !busy.has(path)) await rm(path, { force: true });
      }
    },
  };
}

async function hashAgain(path: string, count: number, hash: Hash): Promise<void> {
  for await (const chunk of createReadStream(path, { end: count - 1, highWaterMark: chunkBytes }))
    hash.update(chunk as Buffer);
}

/** Writes and hashes at the same time. Returns the new end of the file. */
async function write(file: FileHandle, part: Part, hash: Hash): Promise<number> {
  const end = part.first + part.count;
  const writing = writingTo(file, part.first);
  let at = part.first;
  try {
    for await (const chunk of part.bytes) {
      if (at + chunk.length > end) throw badRequest(`the body has more than ${part.count} bytes`);
      await writing.write(chunk);
      hash.update(chunk);
      at += chunk.length;
    }
  } finally {
    await writing.end(); // also for an interrupted part
  }
  if (at < end) throw badRequest(`the body has ${at - part.first} bytes, ${part.count} were declared`);
  return at;
}

/** Checked before the bytes are sent, which may take an hour. EFBIG is permanent; ENOSPC ends once there is space. */
async function refuseWithoutRoom(folder: string, { count, size }: Part): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder);
  if (blocks * bsize < size) throw Object.assign(new Error('no disk is that large'), { code: 'EFBIG' });
  if (bavail * bsize < count) throw Object.assign(new Error('no space for an artifact'), { code: 'ENOSPC' });
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
