import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An error of an export or its target that the operator can act on: one sentence, printed without a stack. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
}

/** The rows of one table, in the file `tableFile(name)`: text COPY in UTF-8, gzipped. */
export interface TableEntry {
  name: string;
  columns: string[];
  rows: number;
  sha256: string; // of the file
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

/** `manifest.json`, written last: a folder without it is not a complete export. */
export interface Manifest {
  format: 1;
  exported_at: string; // RFC 3339
  postgres: string; // server_version
  migrations: string[]; // the schema of the rows, in order
  tables: TableEntry[];
  sequences: SequenceEntry[];
}

export const manifestFile = 'manifest.json';

/** Derived from the name alone, so no manifest can point outside its folder. */
export const tableFile = (name: string): string => `${encodeURIComponent(name)}.copy.gz`;

/** @throws CopyError for a folder that is not a complete export, or has another format */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch((error: unknown) => {
    throw new CopyError(`${folder} has no complete export: its ${manifestFile} cannot be read`, { cause: error });
  });
  const manifest = parse(text);
  if (!manifest)
    throw new CopyError(
      `${join(folder, manifestFile)} was not written by db:export, or by one that this release does not know`,
    );
  return manifest;
}

function parse(text: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(text) as Partial<Manifest>;
    const whole =
      manifest.format === 1 &&
      isListOf(manifest.migrations, (name) => typeof name === 'string') &&
      isListOf(manifest.sequences, ({ name, last }) => typeof name === 'string' && typeof last === 'string') &&
      isListOf(manifest.tables, isTable);
    return whole ? (manifest as Manifest) : undefined;
  } catch {
    return undefined; // invalid JSON, or null instead of an object
  }
}

function isTable({ name, columns, rows, sha256, partition }: TableEntry): boolean {
  const plain =
    typeof name === 'string' && isListOf(columns, (column) => typeof column === 'string') && Number.isSafeInteger(rows);
  const placed =
    partition === undefined ||
    (typeof partition.of === 'string' && /^(DEFAULT|FOR VALUES [^;]*)$/.test(partition.bounds));
  return plain && placed && /^[0-9a-f]{64}$/.test(sha256);
}

/** A parsed file has its type only after a check: `check` sees unknown values under the type they should have. */
function isListOf<T>(list: readonly T[] | undefined, check: (item: T) => boolean): boolean {
  return Array.isArray(list) && list.every((item: T) => check(item));
}
