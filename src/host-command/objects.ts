import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isId } from '../kernel/ids.ts';
import { digestFile, readLines, writeNewFile } from '../platform/db/copy/files.ts';
import { BackupError, objectsFile, type Manifest } from '../platform/db/copy/manifest.ts';

/** An artifact or a log object that the rows name: a line of `objects.jsonl.gz`. */
export interface ObjectLine {
  kind: 'artifact' | 'log';
  org_id: string;
  name: string; // SHA-256 of an artifact, ID of a log object
  bytes: number;
  state: 'copied' | 'in_bucket' | 'missing';
  sha256?: string; // of a copied one
}

/** Below the folder of the backup; `isLine` has checked both names. */
export const objectPath = ({ kind, org_id: orgId, name }: ObjectLine): string =>
  join(kind === 'artifact' ? 'artifacts' : 'log-objects', orgId, name);

export async function writeObjectLines(folder: string, lines: readonly ObjectLine[]) {
  const text = Readable.from(lines.map((line) => `${JSON.stringify(line)}\n`));
  return writeNewFile(join(folder, objectsFile), text, 'gzip');
}

/** @throws BackupError for a damaged list */
export async function readObjectLines(folder: string, manifest: Manifest): Promise<ObjectLine[]> {
  if (manifest.objects === undefined) return [];
  const file = join(folder, objectsFile);
  const damaged = (reason: string) => new BackupError(`${file} is missing or damaged: ${reason}`);
  if ((await digestFile(file)) !== manifest.objects.sha256) throw damaged(`its SHA-256 is not the manifest's`);
  const lines: ObjectLine[] = [];
  for await (const text of readLines(file)) {
    const line = lineIn(text);
    if (!line) throw damaged(`line ${lines.length + 1} is invalid`);
    lines.push(line);
  }
  return lines;
}

function lineIn(text: string): ObjectLine | undefined {
  try {
    const line = JSON.parse(text) as ObjectLine;
    return isLine(line) ? line : undefined;
  } catch {
    return undefined; // invalid JSON, or null instead of an object
  }
}

const isLine = ({ kind, org_id: orgId, name, bytes, state, sha256 }: ObjectLine): boolean =>
  isId(orgId) &&
  (kind === 'artifact' ? /^[0-9a-f]{64}$/.test(name) : isId(name)) &&
  Number.isSafeInteger(bytes) &&
  (state !== 'copied' || /^[0-9a-f]{64}$/.test(sha256 ?? ''));

/** @throws BackupError for the first copied object whose digest is wrong */
export async function verifyObjects(folder: string, lines: readonly ObjectLine[]): Promise<void> {
  for (const line of lines) {
    if (line.state !== 'copied') continue;
    const file = join(folder, objectPath(line));
    if ((await digestFile(file)) !== line.sha256)
      throw new BackupError(`${file} is missing or damaged: its SHA-256 is not that of ${objectsFile}`);
  }
}
