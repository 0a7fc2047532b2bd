import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BackupError } from './manifest.ts';

/** Of the file as it is on disk. */
interface FileFacts {
  sha256: string;
  bytes: number;
}

/** Passes the bytes through and computes their digest. */
function digestOnTheWay() {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* through(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { through, result: (): FileFacts => ({ sha256: hash.digest('hex'), bytes }) };
}

/** Creates a 0600 file and returns when it is on disk. */
export async function writeNewFile(path: string, source: Readable, form: 'gzip' | 'plain'): Promise<FileFacts> {
  const digest = digestOnTheWay();
  const coded = form === 'gzip' ? createGzip() : new PassThrough();
  await pipeline(source, coded, digest.through, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  const handle = await open(path, 'r+');
  await handle.sync().finally(() => handle.close());
  return digest.result();
}

/** @returns SHA-256 of a file; undefined if it cannot be read */
export async function digestFile(path: string): Promise<string | undefined> {
  const digest = digestOnTheWay();
  try {
    await pipeline(createReadStream(path), digest.through, new PassThrough().resume());
    return digest.result().sha256;
  } catch {
    return undefined;
  }
}

/** What gunzip finds wrong with a file: it is damaged. Other errors stay as they are. */
function damaged(path: string, error: unknown): unknown {
  const isOfGunzip = /^Z_/.test(String((error as { code?: unknown } | null)?.code));
  return isOfGunzip ? new BackupError(`${path} is damaged: ${(error as Error).message}`, { cause: error }) : error;
}

/**
 * Decompresses a file that `writeNewFile` gzipped.
 * @throws BackupError if it is damaged
 */
export async function readGzipped(path: string, target: NodeJS.WritableStream): Promise<void> {
  await pipeline(createReadStream(path), createGunzip(), target).catch((error: unknown) => {
    throw damaged(path, error);
  });
}

async function* unzip(path: string): AsyncGenerator<Buffer> {
  const unzipped = createGunzip();
  createReadStream(path)
    .on('error', (error) => unzipped.destroy(error))
    .pipe(unzipped);
  try {
    yield* unzipped as AsyncIterable<Buffer>;
  } catch (error) {
    throw damaged(path, error);
  }
}

/**
 * Lines of a file that `writeNewFile` gzipped. Other line separators of Unicode are part of a line.
 * @throws BackupError if it is damaged
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of unzip(path)) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10, start)) {
      yield rest.toString('utf8', start, end);
      start = end + 1;
    }
    rest = rest.subarray(start);
  }
  if (rest.length > 0) yield rest.toString('utf8');
}
