import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Passes the bytes through and computes their digest. */
function digestOnTheWay(): { through: (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>; hex: () => string } {
  const hash = createHash('sha256');
  async function* through(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk);
      yield chunk;
    }
  }
  return { through, hex: () => hash.digest('hex') };
}

/**
 * Creates a 0600 file and returns when it is on disk.
 * @returns SHA-256 of the file
 */
export async function writeNewFile(path: string, source: Readable, form: 'gzip' | 'plain'): Promise<string> {
  const digest = digestOnTheWay();
  const coded = form === 'gzip' ? createGzip() : new PassThrough();
  await pipeline(source, coded, digest.through, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  const handle = await open(path, 'r+');
  await handle.sync().finally(() => handle.close());
  return digest.hex();
}

/** @returns SHA-256 of a file; undefined if it cannot be read */
export async function digestFile(path: string): Promise<string | undefined> {
  const digest = digestOnTheWay();
  try {
    await pipeline(createReadStream(path), digest.through, new PassThrough().resume());
    return digest.hex();
  } catch {
    return undefined;
  }
}

/** Decompresses a file that `writeNewFile` gzipped. */
export async function readGzipped(path: string, target: NodeJS.WritableStream): Promise<void> {
  await pipeline(createReadStream(path), createGunzip(), target);
}
