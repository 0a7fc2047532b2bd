import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An error of a backup or its target that the operator can act on: one sentence, printed without a stack. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** The rows of one table, in the file `tableFile(name)`: text COPY in UTF-8, gzipped. */
export interface TableEntry {
  name: string;
  columns: string[];
  rows: number;
  sha256: string; // of the file
  bytes?: number; // of the file; absent in format 1
  /**
   * For a partition: its parent, and its bounds in SQL. Daily partitions are created while the service runs, not by a
   * migration.
   */
  partition?: { of: string; bounds: string };
}

interface SequenceEntry {
  name: string;
  last: string; // a bigint in decimal
}

/** What is known of the artifacts and log objects that the rows name. Each is a line of `objectsFile`. */
interface ObjectsEntry {
  copied: number; // in the backup
  in_bucket: number; // only listed: they are in the bucket
  missing: number; // in neither place when the backup was taken
  bytes: number; // of those copied
  sha256: string; // of `objectsFile`
  bucket?: string; // S3_BUCKET of the service
}

/** `manifest.json`, written last: a folder without it is not a complete backup. */
export interface Manifest {
  format: 1 | 2; // 1: of `db:export` of earlier releases, without objects
  exported_at: string; // RFC 3339; time of the snapshot, in format 1 of the end
  postgres: string; // server_version
  migrations: string[]; // the schema of the rows, in order
  tables: TableEntry[];
  sequences: SequenceEntry[];
  service_version?: string; // from format 2 on
  objects?: ObjectsEntry; // from format 2 on
}

export const manifestFile = 'manifest.json';
export const objectsFile = 'objects.jsonl.gz';

/** Derived from the name alone, so no manifest can point outside its folder. */
export const tableFile = (name: string): string => `${encodeURIComponent(name)}.copy.gz`;

/** @throws BackupError for a folder that is not a complete backup, or has another format */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestFile);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    const message = isMissing
      ? `${folder} has no complete backup: its ${manifestFile} cannot be read`
      : `${path} cannot be read (${code}): use an account that may read it`;
    throw new BackupError(message, { cause: error });
  });
  const manifest = parse(text);
  if (!manifest)
    throw new BackupError(`${path} is not the manifest of a backup, or has a format that this release does not know`);
  return manifest;
}

function parse(text: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(text) as Partial<Manifest>;
    const whole =
      (manifest.format === 1 || (manifest.format === 2 && isObjects(manifest.objects))) &&
      isListOf(manifest.migrations, (name) => typeof name === 'string') &&
      isListOf(manifest.sequences, ({ name, last }) => typeof name === 'string' && typeof last === 'string') &&
      isListOf(manifest.tables, isTable);
    return whole ? (manifest as Manifest) : undefined;
  } catch {
    return undefined; // invalid JSON, or null instead of an object
  }
}

const isDigest = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

const isObjects = (objects: ObjectsEntry | undefined): boolean =>
  objects !== undefined &&
  [objects.copied, objects.in_bucket, objects.missing, objects.bytes].every(Number.isSafeInteger) &&
  isDigest(objects.sha256);

function isTable({ name, columns, rows, sha256, partition }: TableEntry): boolean {
  const plain =
    typeof name === 'string' && isListOf(columns, (column) => typeof column === 'string') && Number.isSafeInteger(rows);
  const placed =
    partition === undefined ||
    (typeof partition.of === 'string' && /^(DEFAULT|FOR VALUES [^;]*)$/.test(partition.bounds));
  return plain && placed && isDigest(sha256);
}

/** A parsed file has its type only after a check: `check` sees unknown values under the type they should have. */
function isListOf<T>(list: readonly T[] | undefined, check: (item: T) => boolean): boolean {
  return Array.isArray(list) && list.every((item: T) => check(item));
}
