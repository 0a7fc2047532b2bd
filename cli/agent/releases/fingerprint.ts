import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, writeDurably } from '../orders/durable.ts';

/**
 * The members of an archive on disk, one line each: kind, mode, size and modification time, or target. The line also
 * has the place in the folder as a JSON string. The first line is the SHA-256 of the archive. Programs may add their
 * own files next to the members, so a folder has no time.
 */
interface Fingerprint {
  sha256: string;
  lines: readonly string[];
}

/** Parallel checks make this fast; more would only wait in the kernel. */
const atOnce = 32;

/** Checks each of these places without reading file contents. */
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

/** On disk once this resolves. */
export const keepFingerprint = (path: string, { sha256, lines }: Fingerprint) =>
  writeDurably(path, [sha256, ...lines, ''].join('\n'));

/**
 * SHA-256 of the archive if all its members are in the folder as unpacked; else a digest of the members found, which is
 * no archive's. `path`: the file of the fingerprint.
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
  // The first quote of a line begins the place: kinds and numbers have no quote, and a symlink's target follows it.
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
