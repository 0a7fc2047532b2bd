import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { parse, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { CliError } from '../../command-line/errors.ts';
import { safeCell } from '../../output/safe.ts';
import { statusLine } from '../../output/status-line.ts';
import { amount, percent } from '../../output/units.ts';
import { shellWord } from '../../command-line/shell-word.ts';
import type { Invocation } from '../../command-line/command-spec.ts';

/** A release's description of its file. */
export interface Artifact {
  /** In lower-case hex. */
  sha256: string;
  /** In bytes. */
  size: number;
  /** The file's stat when it was read; undefined for stdin. */
  seen?: BigIntStats;
}

/** Node's default chunk of 64 KiB takes nearly twice the time. */
const chunkBytes = 1024 * 1024;
/** Shorter operations show no progress. */
const progressAfterMs = 500;
const progressEveryMs = 100;

/** Reads the file, or all of stdin for `-`. Throws CliError if it is not a regular file or changes while it is read. */
export async function artifactOf(call: Invocation, path: string): Promise<Artifact> {
  if (path === '-') return hashed(call, call.io.input, 'stdin', undefined);
  const before = await plainFile(path);
  const size = Number(before.size);
  const file = await open(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    const artifact = await hashed(call, file.createReadStream({ highWaterMark: chunkBytes }), path, size);
    if (!isSame(before, await plainFile(path)) || artifact.size !== size) throw changed(path);
    return { ...artifact, seen: before };
  } finally {
    await file.close();
  }
}

/** Throws CliError if the file has changed since it was read. */
export async function assertUnchanged(path: string, { seen }: Artifact): Promise<void> {
  if (seen && !isSame(seen, await plainFile(path))) throw changed(path);
}

/** A folder has no hash, and a pipe's size is known only after reading. */
async function plainFile(path: string): Promise<BigIntStats> {
  const found = await stat(path, { bigint: true }).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (found.isFile()) return found;
  const [what, hint] = found.isDirectory()
    ? ['a folder', `A release is one file. Pack the folder first: ${packing(path)}`]
    : found.isFIFO()
      ? ['a pipe', 'Use a file, or pass it on stdin: cli releases push - --tag <tag>']
      : ['not a regular file', 'Use a file, or pass it on stdin: cli releases push - --tag <tag>'];
  throw new CliError(`${path} is ${what}`, { code: 'bad_request', hint });
}

/** The commands to type: they create the archive in the current folder, named after the packed one. */
function packing(folder: string): string {
  const { dir, base } = parse(resolve(folder));
  const archive = `${base || 'release'}.tar`;
  const packed = `tar -cf ${fileWord(archive)} -C ${fileWord(dir)} ${fileWord(base || '.')}`;
  return `${packed} && cli releases push ${fileWord(archive)}`;
}

/** Safe also as an argument after options. */
const fileWord = (text: string) => shellWord(text.startsWith('-') ? `./${text}` : text);

/** A file rewritten or replaced while it is read would get a hash that matches no file. */
const isSame = (before: BigIntStats, after: BigIntStats) =>
  before.size === after.size &&
  before.mtimeNs === after.mtimeNs &&
  before.ino === after.ino &&
  before.dev === after.dev;

async function hashed(call: Invocation, input: Readable, name: string, total: number | undefined): Promise<Artifact> {
  const [hash, progress] = [createHash('sha256'), progressOf(call, 'Reading', name, total)];
  let size = 0;
  try {
    for await (const chunk of input as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      size += chunk.length;
      progress.at(size);
    }
  } catch (error) {
    throw unreadable(name, error);
  } finally {
    progress.end();
  }
  return { sha256: hash.digest('hex'), size };
}

/** `Reading nav.tar: 12.4 MiB of 1.9 GiB, 1%, 820 MiB/s` on a terminal. `from`: initial offset in bytes; default 0. */
export function progressOf(call: Invocation, verb: string, name: string, total: number | undefined, from = 0) {
  const line = statusLine(call);
  const beganAt = performance.now();
  let nextAt = beganAt + progressAfterMs;
  return {
    at(bytes: number): void {
      const now = performance.now();
      if (now < nextAt) return;
      nextAt = now + progressEveryMs;
      const rate = `${amount(((bytes - from) * 1000) / (now - beganAt))}/s`;
      const part =
        total === undefined ? amount(bytes) : `${amount(bytes)} of ${amount(total)}, ${percent((bytes / total) * 100)}`;
      line.show(call.io.err.paint(`${verb} ${safeCell(name)}: ${part}, ${rate}`, 'quiet'));
    },
    end: () => line.clear(),
  };
}

const changed = (path: string) =>
  new CliError(`${path} changed while it was read`, {
    code: 'conflict',
    hint: 'Push it again when no program writes to it.',
  });

const unreadable = (path: string, error: unknown) =>
  error instanceof CliError
    ? error
    : new CliError(`cannot read ${path}: ${reasonOf(error as Error)}`, { code: 'bad_request', cause: error });

/** `no such file or directory` of `ENOENT: no such file or directory, stat 'nav.tar'`. */
const reasonOf = ({ message }: Error) => /^E[A-Z]+: ([^,]+),/.exec(message)?.[1] ?? message;
