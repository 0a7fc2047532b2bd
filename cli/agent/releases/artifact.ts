import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing, makeOwnFolder, syncFolder } from '../orders/durable.ts';
import { StepFailed } from '../orders/handler.ts';
import type { Release } from './release.ts';

/** In hex. Rejects where the file cannot be read. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/**
 * Copies the artifact to `to` and checks size and digest of what is copied; a copy that is there already and right is left. Complete and on
 * disk once it resolves. Throws StepFailed: no_artifact, digest_mismatch.
 */
export async function copyArtifact(from: string, to: string, { sha256, size }: Release, mode: number): Promise<void> {
  const present = await stat(to).catch(() => undefined);
  if (present?.size === size && (await digestOf(to)) === sha256) return;
  const found = await stat(from).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
  if (!found?.isFile()) throw new StepFailed('no_artifact', `${from} is not on this robot`);
  if (found.size !== size)
    throw new StepFailed('digest_mismatch', `${from} has ${found.size} bytes, the release has ${size}`);
  await makeOwnFolder(dirname(to));
  const temporary = `${to}.tmp`;
  const digest = await copy(from, temporary, size, mode);
  if (digest !== sha256) throw new StepFailed('digest_mismatch', `the SHA-256 of ${from} is ${digest}`);
  await rename(temporary, to);
  await syncFolder(dirname(to));
}

/** Gives the digest of what was written: the file may change while it is read. */
async function copy(from: string, to: string, size: number, mode: number): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(to, 'w', mode);
  try {
    await file.chmod(mode);
    let bytes = 0;
    for await (const chunk of createReadStream(from)) {
      bytes += (chunk as Buffer).length;
      if (bytes > size) throw new StepFailed('digest_mismatch', `${from} has more than ${size} bytes`);
      hash.update(chunk as Buffer);
      await file.writeFile(chunk as Buffer);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}
