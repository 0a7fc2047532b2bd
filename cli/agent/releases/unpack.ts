import { constants, createReadStream } from 'node:fs';
import { chmod, link, mkdir, open, rm, statfs, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { isFull } from '../orders/durable.ts';
import { StepFailed, type Task } from '../orders/handler.ts';
import { badArchive, members, type Members } from './archive-members.ts';

/** What others on the robot are left of its disk: so much, or a twentieth of a small one. */
const reservedBytes = 64 * 1024 * 1024;
const reservedPart = 1 / 20;
/** Others write too: the room is looked at anew after so much. */
const lookEveryBytes = 16 * 1024 * 1024;
/** What a member takes beside its content. */
const bytesPerMember = 4096;
const chunkBytes = 256 * 1024;
/** Of a tar: its headers are of this size. */
const blockBytes = 512;
/** Of what stands in the archive: nobody but the agent's user changes what it installed, and that user can always remove it. */
const modeOf = { folder: (mode = 0o755) => (mode & 0o755) | 0o700, file: (mode = 0o644) => (mode & 0o755) | 0o600 };

/**
 * Unpacks a tar or tar.gz into a folder that is not there yet; gives what is in it. Files belong to the agent's user. Symlinks and hard
 * links are made when all files are written, so that nothing is ever written through one. Throws StepFailed (bad_archive, no_space), and
 * what the signal throws; what it wrote until then stays in that folder and nowhere else.
 */
export async function unpack(
  archive: string,
  folder: string,
  { interrupted: signal, progress }: Pick<Task, 'interrupted' | 'progress'>,
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
    throw isFull(error) ? noSpace(folder) : isUnzipping(error) ? damaged(error) : error;
  } finally {
    source.destroy();
  }
  found.checkSymlinks();
  await makeLinks(folder, found, signal);
  return found;
}

/** Hands on one entry after the other, each when the one before is done with. Throws StepFailed for what is no tar. */
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
  // What follows the end of a tar is of no meaning, and may be endless.
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
  // Its content will not come, and a reader would wait for it.
  if (fault !== undefined) current?.destroy(fault);
  for (let last; last !== taken;) await (last = taken).catch(() => undefined);
  if (fault !== undefined) throw fault as Error;
}

async function writeFile(path: string, entry: ReadEntry, signal: AbortSignal): Promise<void> {
  // One that came twice; nothing else can be there.
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
    throw isFull(error) ? noSpace(folder) : error;
  }
}

/** How much may still be written. */
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
 * The same chunks, if they begin as a tar does: what is compressed once more the parser would unpack as well, a chunk of any size in memory
 * and without a pause. Throws StepFailed.
 */
async function* tarOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0);
  let isTar = false;
  for await (const chunk of chunks) {
    if (isTar) yield chunk;
    else head = Buffer.concat([head, chunk]);
    if (isTar || head.length < blockBytes) continue;
    // An archive of nothing is zeros alone.
    isTar = head.toString('latin1', 257, 262) === 'ustar' || head.subarray(0, blockBytes).every((byte) => byte === 0);
    if (!isTar) break;
    yield head;
  }
  if (!isTar) throw badArchive('it is neither a tar nor a tar.gz');
}

const damaged = (error: unknown) =>
  badArchive(`it is damaged, ${error instanceof Error ? error.message : String(error)}`);
const isUnzipping = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
const noSpace = (folder: string) => new StepFailed('no_space', `${folder} has no room for what is in the archive`);
