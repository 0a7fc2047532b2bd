import { createHash } from 'node:crypto';
import { open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The position of a tail in a file. It identifies the file, since a name and an inode may both be reused. */
interface FilePlace {
  dev: number;
  ino: number;
  offset: number;
  /** Digest of the first 256 bytes, or of the first `offset` bytes if that is less. */
  head: string;
}

export interface OpenFile {
  handle: FileHandle;
  dev: number;
  ino: number;
}

const headBytes = 256;

/** Undefined for a file that is missing, unreadable or not a regular file. */
export async function openFile(path: string): Promise<OpenFile | undefined> {
  // Opening a pipe would wait for its writer.
  if (!(await stat(path).catch(() => undefined))?.isFile()) return undefined;
  const handle = await open(path, 'r').catch(() => undefined);
  if (!handle) return undefined;
  const { dev, ino } = await handle.stat();
  return { handle, dev, ino };
}

/** The current first bytes of a file. */
export async function readHead({ handle }: OpenFile): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return buffer.subarray(0, bytesRead);
}

export const digestOf = (head: Buffer, offset: number) =>
  createHash('sha1').update(head.subarray(0, offset)).digest('base64url').slice(0, 12);

/** True if the digest stays the same while the file grows. */
export const isHeadWhole = (offset: number) => offset >= headBytes;

/**
 * True if the file begins as it did at that position. A file that was truncated in place and written again does not.
 */
export async function isStillThere(
  file: OpenFile,
  { offset, head }: Pick<FilePlace, 'offset' | 'head'>,
): Promise<boolean> {
  const { size } = await file.handle.stat();
  return size >= offset && digestOf(await readHead(file), offset) === head;
}

/**
 * The file of a position, under its own name or its name after a rotation, such as `nav.log.1`; undefined if it no
 * longer exists.
 */
export async function findPlace(path: string, place: FilePlace): Promise<OpenFile | undefined> {
  const names = await readdir(dirname(path)).catch(() => []);
  const own = basename(path);
  for (const name of [own, ...names.filter((other) => other !== own && other.startsWith(own))]) {
    const candidate = join(dirname(path), name);
    const found = await stat(candidate).catch(() => undefined);
    if (found?.ino !== place.ino || found.dev !== place.dev) continue;
    const file = await openFile(candidate);
    if (!file) continue;
    if (await isStillThere(file, place)) return file;
    await file.handle.close();
  }
  return undefined;
}

/** As short as possible: each record of the file stores it. */
export const positionOf = ({ dev, ino, offset, head }: FilePlace) => [dev, ino, offset, head];

export function placeOf(position: unknown): FilePlace | undefined {
  if (!Array.isArray(position)) return undefined;
  const [dev, ino, offset, head] = position as unknown[];
  if (typeof dev !== 'number' || typeof ino !== 'number' || typeof offset !== 'number' || typeof head !== 'string')
    return undefined;
  return { dev, ino, offset, head };
}
