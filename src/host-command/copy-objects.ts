import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { openBlobs, type BlobStore } from '../artifacts/service.ts';
import type { Config } from '../config.ts';
import { logObjectKey } from '../logs/service.ts';
import { writeNewFile } from '../platform/db/copy/files.ts';
import { BackupError } from '../platform/db/copy/manifest.ts';
import type { Snapshot } from '../platform/db/copy/snapshot.ts';
import type { ObjectStore } from '../platform/s3/object-store.ts';
import { openObjectStore } from '../platform/s3/open.ts';
import { objectPath, type ObjectLine } from './objects.ts';

/** Bytes per request to the object store. */
const partBytes = 8 * 1024 * 1024;

/**
 * The artifacts and log objects that the rows of the snapshot name. A table of a later schema than that of the database
 * does not exist.
 */
export async function listObjects({ query }: Snapshot): Promise<ObjectLine[]> {
  const has = async (table: string) =>
    (await query<{ there: boolean }>(`select to_regclass('public.${table}') is not null as there`))[0]?.there === true;
  const objects: Pick<ObjectLine, 'kind' | 'org_id' | 'name' | 'bytes'>[] = [];
  if (await has('artifacts'))
    objects.push(
      ...(await query<ObjectLine>(
        `select 'artifact' as kind, org_id, sha256 as name, size as bytes from public.artifacts order by 2, 3`,
      )),
    );
  if (await has('log_objects'))
    objects.push(
      ...(await query<ObjectLine>(
        `select 'log' as kind, org_id, id as name, bytes from public.log_objects
          where state in ('written', 'stored') order by 2, 3`,
      )),
    );
  return objects.map((object) => ({ ...object, state: 'in_bucket' }));
}

/**
 * Copies what the service keeps beside its database. Artifacts never change; a log object may be removed by its
 * retention meanwhile, and is then missing.
 * @throws BackupError if no artifact is found at all: this is not the data folder of the service
 */
export async function copyObjects(
  folder: string,
  listed: readonly ObjectLine[],
  { config, withObjects }: { config: Pick<Config, 'dataDir' | 's3'>; withObjects: boolean },
): Promise<ObjectLine[]> {
  if (config.s3 && !withObjects) return [...listed];
  const stores = { blobs: await openBlobs(config), objects: await openObjectStore(config.s3) };
  const lines: ObjectLine[] = [];
  for (const line of listed) lines.push(await copyOne(folder, line, stores));
  const artifacts = lines.filter(({ kind }) => kind === 'artifact');
  if (artifacts.length > 0 && artifacts.every(({ state }) => state === 'missing'))
    throw new BackupError(
      `none of the ${artifacts.length} artifacts is in ${config.s3 ? `bucket ${config.s3.bucket}` : join(config.dataDir, 'artifacts')}: ` +
        'run it with the settings of the service, on its host',
    );
  return lines;
}

async function copyOne(
  folder: string,
  line: ObjectLine,
  stores: { blobs: BlobStore; objects: ObjectStore | undefined },
): Promise<ObjectLine> {
  const path = join(folder, objectPath(line));
  const source = await open(line, stores);
  if (!source) return { ...line, state: 'missing' };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { sha256, bytes } = await writeNewFile(path, Readable.from(source), 'plain');
  if (bytes === line.bytes && (line.kind === 'log' || sha256 === line.name))
    return { ...line, state: 'copied', sha256 };
  await rm(path); // damaged where it is stored
  return { ...line, state: 'missing' };
}

async function open(
  { kind, org_id: orgId, name, bytes }: ObjectLine,
  { blobs, objects }: { blobs: BlobStore; objects: ObjectStore | undefined },
): Promise<AsyncIterable<Buffer> | undefined> {
  if (kind === 'artifact') {
    const key = { orgId, sha256: name };
    if ((await blobs.sizeOf(key)) !== bytes) return undefined;
    return bytes === 0 ? Readable.from([]) : blobs.open(key, 0, bytes - 1); // no range is empty
  }
  const key = logObjectKey({ orgId, id: name });
  return (await objects?.read(key, 0, 0)) && objects && readParts(objects, key, bytes);
}

async function* readParts(objects: ObjectStore, key: string, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes;) {
    const part = await objects.read(key, at, Math.min(at + partBytes, bytes) - 1);
    if (!part?.length) return;
    yield part;
    at += part.length;
  }
}
