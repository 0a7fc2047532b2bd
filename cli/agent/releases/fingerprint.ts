import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, writeDurably } from '../orders/durable.ts';

/**
 * What an archive left on the disk, one line a member: its kind, mode, size and time of change, or where it leads, and its place in the folder as a
 * JSON text. The first line is the SHA-256 of the archive. What programs put beside the members is theirs, so a folder has no time.
 */
interface Fingerprint {
  sha256: string;
  lines: readonly string[];
}

/** Reading many at once is what makes it fast; more wait in the kernel anyway. */
const atOnce = 32;

/** Looks at each of these places; their contents are not read. */
export async function fingerprintOf(folder: string, places: Iterable<string>, sha256: string): Promise<Fingerprint> {
  const lines: string[] = [];
  let batch: string[] = [];
  const look = async () => {
    lines.push(...(await Promise.all(batch.map((place) => lineOf(folder, place)))));
    batch = [];
  };
  for (const place of places) {
    batch.push(place);
    if (batch.length === atOnce) await look();
  }
  await look();
  return { sha256, lines };
}

/** On the disk once it resolves. */
export const keepFingerprint = (path: string, { sha256, lines }: Fingerprint) =>
  writeDurably(path, [sha256, ...lines, ''].join('\n'));

/**
 * SHA-256 of the archive whose members are all in the folder as they were unpacked; else that of what is there, which is no archive's. `path` is
 * where the fingerprint was kept.
 */
export async function archiveIn(folder: string, path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '';
    throw error;
  });
  const [sha256 = '', ...kept] = text.split('\n').slice(0, -1);
  const { lines } = await fingerprintOf(folder, placesIn(kept), sha256);
  const isWhole = /^[0-9a-f]{64}$/.test(sha256) && lines.every((line, at) => line === kept[at]);
  return isWhole ? sha256 : createHash('sha256').update(`${folder}\n`).update(lines.join('\n')).digest('hex');
}

function* placesIn(lines: readonly string[]): Generator<string> {
  // The first quote of a line begins the place: kinds and numbers have none, and where a link leads stands behind it.
  for (const line of lines) {
    const end = /^[^"]*("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
    if (end !== undefined) yield JSON.parse(end) as string;
  }
}

async function lineOf(folder: string, place: string): Promise<string> {
  const path = join(folder, place);
  const name = JSON.stringify(place);
  try {
    const found = await lstat(path);
    const mode = (found.mode & 0o7777).toString(8);
    if (found.isSymbolicLink()) return `symlink ${name} ${JSON.stringify(await readlink(path))}`;
    if (found.isDirectory()) return `folder ${mode} ${name}`;
    return `${found.isFile() ? 'file' : 'other'} ${mode} ${found.size} ${Math.trunc(found.mtimeMs)} ${name}`;
  } catch (error) {
    if (isMissing(error) || isNoFolder(error)) return `missing ${name}`;
    throw error;
  }
}

const isNoFolder = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOTDIR';
