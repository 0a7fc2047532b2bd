import { randomBytes } from 'node:crypto';
import { chmod, open, readdir, readFile, rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../files/folder.ts';
import { readCheckpoint, type Checkpoint } from './checkpoint.ts';
import { parseLine } from './record.ts';

/** One file of a spool. Its name is the number of its first record. */
export interface Segment {
  path: string;
  first: number;
  /** Size of the complete lines; bytes after them are not read. */
  bytes: number;
}

/** What is on disk when an agent starts. */
export interface FoundSpool {
  id: string;
  directory: string;
  /** In the order of their numbers. */
  segments: Segment[];
  /** The highest number in the lines on disk or in the checkpoint. */
  lastSeq: number;
  checkpoint: Checkpoint;
  /** Records of a last segment that cannot be read, without the acknowledged ones. */
  damaged: number;
}

const segmentName = /^(\d{16})\.ndjson$/;
const spoolName = /^[0-9a-f]{32}$/;

export const segmentPath = (directory: string, first: number) =>
  join(directory, `${String(first).padStart(16, '0')}.ndjson`);

export const newSpoolId = (): string => randomBytes(16).toString('hex');

/** Creates the folder of a new spool, for its owner only. */
export async function makeSpool(parent: string): Promise<FoundSpool> {
  const id = newSpoolId();
  const directory = join(parent, id);
  await makeFolder(directory, 0o700);
  await chmod(parent, 0o700);
  return { id, directory, segments: [], lastSeq: 0, checkpoint: { acked: 0, seq: 0, positions: {} }, damaged: 0 };
}

/**
 * The spool under `parent`, or undefined if there is none. The folder's name is its id, so the two always match. An
 * incomplete last line is cut off. The position of each source is that of its last complete line. A last segment with
 * damaged blocks is renamed to `*.damaged`. Rejects on another disk error.
 */
export async function findSpool(parent: string): Promise<FoundSpool | undefined> {
  const names = await readdir(parent).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const found = await Promise.all(
    names
      .filter((name) => spoolName.test(name))
      .map(async (name) => ({ name, at: (await stat(join(parent, name))).mtimeMs })),
  );
  const [latest, ...older] = found.sort((one, other) => other.at - one.at);
  if (!latest) return undefined;
  // Abandoned spools whose agent exited before it could remove them.
  for (const { name } of older) await rm(join(parent, name), { recursive: true, force: true });
  const directory = join(parent, latest.name);
  const segments = await segmentsIn(directory);
  const checkpoint = await readCheckpoint(directory);
  let lastSeq = Math.max(checkpoint.seq, checkpoint.acked, (segments.at(-1)?.first ?? 1) - 1);
  let damaged = 0;
  for (const segment of unchecked(segments, checkpoint)) {
    const isLast = segment === segments.at(-1);
    try {
      lastSeq = Math.max(lastSeq, await readBack(segment, checkpoint, isLast));
    } catch (error) {
      if (!isDamage(error)) throw error;
      if (!isLast) continue; // counted when it is to be sent
      await rename(segment.path, `${segment.path}.damaged`);
      segments.pop();
      damaged = checkpoint.seq - Math.max(checkpoint.acked, segment.first - 1);
      // Its last number is not known. After a boot, numbers are skipped.
      checkpoint.bootId = undefined;
    }
  }
  return { id: latest.name, directory, segments, lastSeq, checkpoint, damaged };
}

/** The segments that may hold lines after the checkpoint, and always the last one. */
const unchecked = (segments: readonly Segment[], { seq }: Checkpoint) =>
  segments.filter((_, index) => (segments[index + 1]?.first ?? Infinity) > seq);

async function segmentsIn(directory: string): Promise<Segment[]> {
  const names = (await readdir(directory)).filter((name) => segmentName.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      return { path, first: Number(name.slice(0, 16)), bytes: (await stat(path)).size };
    }),
  );
}

/** Returns the highest number in the segment. */
async function readBack(segment: Segment, { seq, positions }: Checkpoint, cutsTail: boolean): Promise<number> {
  const content = await readFile(segment.path);
  const end = content.lastIndexOf(0x0a) + 1;
  if (cutsTail && end < content.length) await truncate(segment.path, end);
  segment.bytes = end;
  let last = 0;
  for (const line of content.toString('utf8', 0, end).split('\n')) {
    const parsed = parseLine(line);
    if (!parsed) continue;
    last = Math.max(last, parsed.record.seq);
    if (parsed.position !== undefined && parsed.record.seq > seq)
      positions[String(parsed.record.source)] = parsed.position;
  }
  return last;
}

/** How many of the segment's records have a higher number than `acked`. */
export async function countRecords({ path }: Segment, acked: number): Promise<number> {
  const content = await readFile(path, 'utf8').catch(() => '');
  return content.split('\n').filter((line) => (parseLine(line)?.record.seq ?? 0) > acked).length;
}

/** Complete lines from `offset` on, as many as fit into `maxBytes`, at least one; undefined at the end. */
export async function readLines(segment: Segment, offset: number, maxBytes: number): Promise<Buffer | undefined> {
  if (offset >= segment.bytes) return undefined;
  const handle = await open(segment.path, 'r');
  try {
    for (let size = maxBytes; ; size *= 2) {
      const length = Math.min(size, segment.bytes - offset);
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
      const end = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
      if (end > 0) return buffer.subarray(0, end);
      if (bytesRead < length || length < size) return undefined;
    }
  } finally {
    await handle.close();
  }
}

/** Errors that another read will hardly mend. EISDIR: a folder has the name. */
const damages = ['EIO', 'EBADMSG', 'EISDIR', 'EUCLEAN'];
export const isDamage = (error: unknown) =>
  error instanceof Error && 'code' in error && damages.includes(String(error.code));

export const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';
