import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isId } from '../kernel/ids.ts';
import { ArtifactStoreError } from './store-error.ts';

/**
 * The ID of an artifacts folder, from its marker file. The first process that uses the folder writes the file. Replicas
 * that read the same ID share the folder. `mustKeep`: fail if the file cannot be written. Otherwise such a folder gets
 * an ID that is only this process's.
 * @throws ArtifactStoreError
 */
export async function folderMark(folder: string, mustKeep: boolean): Promise<string> {
  const path = join(folder, 'folder-id');
  const fresh = randomUUID();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path, fresh, { flag: 'wx', mode: 0o600, flush: true });
    return fresh;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readMark(path);
    if (!mustKeep) return fresh;
    throw new ArtifactStoreError(`the artifacts folder ${folder} cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * The ID of an S3 bucket, in the form of a UUID. It depends on the name alone, as replicas may reach one store by
 * several addresses.
 */
export function bucketMark(bucket: string): string {
  const hex = createHash('sha256').update(`s3 ${bucket}`).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** Retries, as another process may be writing the file at this moment. */
async function readMark(path: string): Promise<string> {
  for (let tries = 20; tries > 0; tries -= 1) {
    const text = await readFile(path, 'utf8');
    if (isId(text)) return text;
    await sleep(50);
  }
  throw new ArtifactStoreError(`${path} contains no ID; remove the file, and the next start creates it`);
}
