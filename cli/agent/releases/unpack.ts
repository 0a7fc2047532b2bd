import { constants, createReadStream } from 'node:fs';
import { chmod, link, mkdir, open, rm, statfs, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { isDiskFull } from '../orders/durable.ts';
import { StepFailed, type OrderContext } from '../orders/handler.ts';
import { badArchive, members, type Members } from './archive-members.ts';

/** Disk space left for other programs: 64 MiB, or 1/20 of a small disk. */
const reservedBytes = 64 * 1024 * 1024;
const reservedPart = 1 / 20;
/** The free space is checked again after this many bytes: other programs write too. */
const lookEveryBytes = 16 * 1024 * 1024;
/** Disk space of a member in addition to its content. */
const bytesPerMember = 4096;
const chunkBytes = 256 * 1024;
/** Block size of a tar, and the size of its headers. */
const blockBytes = 512;
/** Modes, from the archive's: only the agent's user can change an installed release, and can always remove it. */
const modeOf = { folder: (mode = 0o755) => (mode & 0o755) | 0o700, file: (mode = 0o644) => (mode & 0o755) | 0o600 };

/**
 * Unpacks a tar or tar.gz into a new folder and returns its members. Files belong to the agent's user. Symlinks and
 * hard links are created after all files are written, so that nothing is written through a link. Throws StepFailed
 * (bad_archive, no_space), and the reason of the signal. After a failure, written files remain in that folder only.
 */
export async function unpack(
  archive: string,
  folder: string,
  { interrupted: signal, progress }: Pick<OrderContext, 'interrupted' | 'progress'>,
): Promise<Members> {
  await mkdir(folder, { mode: 0o700 });
  const found = members();
  const room = await roomOf(folder);

  async function take(entry: ReadEntry): Promise<void> {
    signal.throwIfAborted();
    const { place, member } = found.add(entry);
    const path = join(folder, place);
    await room.need(bytesPerMember + entry.size);
    if (member.kind === 'folder') await makeFolder(path, modeOf.folder(entry.mode));
    else await makeFolderOf(folder, place);
    if (member.kind === 'file') await writeFile(path, entry, signal);
    else entry.resume();
  }

  const { isGzip, size } = await lookAt(archive);
  const source = createReadStream(archive, { highWaterMark: chunkBytes });
  const chunks = isGzip ? source.pipe(createGunzip({ chunkSize: chunkBytes })) : source;
  source.on('error', (error) => chunks.destroy(error));
  try {
    await eachEntry(tarOf(chunks), async (entry) => {
      await take(entry);
      progress((source.bytesRead / size) * 100, 'unpacked');
    });
  } catch (error) {
    throw isDiskFull(error) ? noSpace(folder) : isUnzipping(error) ? damaged(error) : error;
  } finally {
    source.destroy();
  }
  found.checkSymlinks();
  await makeLinks(folder, found, signal);
  return found;
}

/**
 * Calls `take` with one entry after the other, each when the last one is done. Throws StepFailed for an invalid tar.
 */
async function eachEntry(chunks: AsyncIterable<Buffer>, take: (entry: ReadEntry) => Promise<void>): Promise<void> {
  const parser = new Parser({ strict: true });
  let taken: Promise<void> = Promise.resolve();
  const seen = { end: false };
  let wake = () => {};
  let fault: unknown;
  const fail = (error: unknown) => {
    fault ??= error;
    wake();
  };
  let current: ReadEntry | undefined;
  parser.on('entry', (entry: ReadEntry) => {
    taken = taken.then(() => {
      current = entry;
      return fault === undefined ? take(entry) : undefined;
    });
    taken.catch(fail);
  });
  parser.on('ignoredEntry', ({ path, type }: ReadEntry) => fail(badArchive(`${JSON.stringify(path)} is a ${type}`)));
  parser.on('error', (error) => fail(damaged(error)));
  parser.on('drain', () => wake());
  // Data after the end of a tar has no meaning, and may be endless.
  parser.on('eof', () => {
    seen.end = true;
    wake();
  });
  try {
    for await (const chunk of chunks) {
      const drained = new Promise<void>((resolve) => (wake = resolve));
      if (!parser.write(chunk) && fault === undefined && !seen.end) await drained;
      if (fault !== undefined || seen.end) break;
    }
    if (fault === undefined && !seen.end) parser.end();
  } catch (error) {
    fail(error);
  }
  // The rest of the entry never arrives, and its reader would wait for it.
  if (fault !== undefined) current?.destroy(fault);
  for (let last; last !== taken;) await (last = taken).catch(() => undefined);
  if (fault !== undefined) throw fault as Error;
}

async function writeFile(path: string, entry: ReadEntry, signal: AbortSignal): Promise<void> {
  // A file that appears twice in the archive; nothing else can exist here.
  await rm(path, { force: true });
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const mode = modeOf.file(entry.mode);
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    for await (const chunk of entry) {
      signal.throwIfAborted();
      await file.writeFile(chunk);
    }
    await file.chmod(mode);
    if (entry.mtime && Number.isFinite(entry.mtime.getTime())) await file.utimes(entry.mtime, entry.mtime);
  } finally {
    await file.close();
  }
}

async function makeFolder(path: string, mode: number): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o755 });
  await chmod(path, mode);
}

async function makeFolderOf(folder: string, place: string): Promise<void> {
  const end = place.lastIndexOf('/');
  if (end !== -1) await mkdir(join(folder, place.slice(0, end)), { recursive: true, mode: 0o755 });
}

async function makeLinks(folder: string, { byPlace }: Members, signal: AbortSignal): Promise<void> {
  try {
    for (const [place, { kind, target = '' }] of byPlace) {
      signal.throwIfAborted();
      if (kind === 'symlink') await symlink(target, join(folder, place));
      if (kind === 'link') await link(join(folder, target), join(folder, place));
    }
  } catch (error) {
    throw isDiskFull(error) ? noSpace(folder) : error;
  }
}

/** Tracks how much may still be written. */
async function roomOf(folder: string): Promise<{ need(bytes: number): Promise<void> }> {
  let left = 0;
  let unseen = Infinity;
  return {
    async need(bytes) {
      if (unseen >= lookEveryBytes || bytes > left) {
        const { bavail, blocks, bsize } = await statfs(folder);
        left = bavail * bsize - Math.min(reservedBytes, blocks * bsize * reservedPart);
        unseen = 0;
      }
      if (bytes > left) throw noSpace(folder);
      left -= bytes;
      unseen += bytes;
    },
  };
}

async function lookAt(archive: string): Promise<{ isGzip: boolean; size: number }> {
  const file = await open(archive, 'r');
  try {
    const first = Buffer.alloc(2);
    await file.read(first, 0, first.length, 0);
    return { isGzip: first[0] === 0x1f && first[1] === 0x8b, size: (await file.stat()).size };
  } finally {
    await file.close();
  }
}

/**
 * Passes the chunks on if they begin as a tar does. The parser would also unpack data that is compressed a second time:
 * a chunk of any size in memory and without a pause. Throws StepFailed.
 */
async function* tarOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0);
  let isTar = false;
  for await (const chunk of chunks) {
    if (isTar) yield chunk;
    else head = Buffer.concat([head, chunk]);
    if (isTar || head.length < blockBytes) continue;
    // An empty archive consists of zeros only.
    isTar = head.toString('latin1', 257, 262) === 'ustar' || head.subarray(0, blockBytes).every((byte) => byte === 0);
    if (!isTar) break;
    yield head;
  }
  if (!isTar) throw badArchive('it is not a tar or tar.gz file');
}

const damaged = (error: unknown) =>
  badArchive(`it is damaged, ${error instanceof Error ? error.message : String(error)}`);
const isUnzipping = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
const noSpace = (folder: string) => new StepFailed('no_space', `${folder} has no space for the content of the archive`);
