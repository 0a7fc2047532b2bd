import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { discard, isMissing, makeOwnFolder, syncFolder } from '../orders/durable.ts';
import { StepFailed } from '../orders/handler.ts';
import { digestOf } from './digest.ts';
import { fetchArtifact, type FetchTask } from './fetch.ts';
import type { Release, ReleaseSettings } from './release.ts';

/** Where to put the artifact, and its mode. */
interface Place {
  path: string;
  mode: number;
}

/**
 * Puts the artifact into its place. A valid file there is kept. Otherwise the artifact is copied from the folder
 * `artifacts`, or downloaded if it is missing there. Once this resolves, size and digest are verified and the file is
 * on disk. Throws StepFailed (no_artifact, digest_mismatch, no_space, download_failed), and the reason of the signal.
 */
export async function obtainArtifact(
  { artifacts, source }: ReleaseSettings,
  release: Release,
  { path, mode }: Place,
  task: FetchTask,
): Promise<void> {
  const present = await stat(path).catch(() => undefined);
  if (present?.size === release.size && (await digestOf(path)) === release.sha256) return;
  await makeOwnFolder(dirname(path));
  const from = join(artifacts, release.sha256);
  if (await isThere(from)) return copyArtifact(from, { path, mode }, release, task.interrupted);
  const part = `${path}.part`;
  await fetchArtifact(part, release, source, task);
  await chmod(part, mode);
  await rename(part, path);
  await syncFolder(dirname(path));
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => {
      if (!isMissing(error)) throw error;
      return false;
    },
  );

async function copyArtifact(from: string, to: Place, { sha256, size }: Release, signal: AbortSignal): Promise<void> {
  const found = await stat(from);
  if (!found.isFile()) throw new StepFailed('no_artifact', `${from} is not a file`);
  if (found.size !== size)
    throw new StepFailed('digest_mismatch', `${from} has ${found.size} bytes, the release has ${size}`);
  const temporary = `${to.path}.tmp`;
  try {
    const digest = await copy(from, { ...to, path: temporary }, size, signal);
    if (digest !== sha256) throw new StepFailed('digest_mismatch', `the SHA-256 of ${from} is ${digest}`);
    await rename(temporary, to.path);
  } catch (error) {
    await discard(temporary);
    throw error;
  }
  await syncFolder(dirname(to.path));
}

/** Returns the digest of the bytes written: the file may change while it is read. */
async function copy(from: string, { path, mode }: Place, size: number, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path, 'w', mode);
  try {
    await file.chmod(mode);
    let bytes = 0;
    for await (const chunk of createReadStream(from)) {
      signal.throwIfAborted();
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
