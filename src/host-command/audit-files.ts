import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chainHashOfText, type ExportedRange } from '../audit/service.ts';
import { isId } from '../kernel/ids.ts';
import { digestFile, readLines } from '../platform/db/copy/files.ts';
import { BackupError, manifestFile } from '../platform/db/copy/manifest.ts';

/** One file of an export: a line for each entry, the canonical text that its hash covers. */
export interface AuditFile {
  org_id: string;
  name: string;
  first_seq: number;
  last_seq: number;
  entries: number;
  previous_hash: string; // of the entry before the first one
  last_hash: string;
  bytes: number;
  sha256: string;
}

/** `manifest.json` of an export. */
export interface AuditManifest {
  kind: 'audit';
  format: 1;
  exported_at: string;
  service_version: string;
  older_than: string; // all entries are, except those from the future, which a wrong clock wrote
  files: AuditFile[];
}

/** A file whose digest and chain are correct. */
export interface VerifiedFile extends ExportedRange {
  previousHash: Buffer;
  newestAt: Date; // of the entries that are not from the future
}

export const auditFileName = (orgId: string, first: number, last: number): string =>
  `audit-${orgId}-${first}-${last}.jsonl.gz`;

/** @throws BackupError */
export async function readAuditManifest(folder: string): Promise<AuditManifest> {
  const path = join(folder, manifestFile);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new BackupError(`${folder} has no complete audit export: its ${manifestFile} cannot be read (${code})`);
  });
  const manifest = parse(text);
  if (!manifest) throw new BackupError(`${path} is not the manifest of an audit export, or of a later release`);
  return manifest;
}

function parse(text: string): AuditManifest | undefined {
  try {
    const manifest = JSON.parse(text) as Omit<AuditManifest, 'kind' | 'format'> & { kind?: string; format?: number };
    const isWhole = manifest.kind === 'audit' && manifest.format === 1 && manifest.files.every(isFile);
    return isWhole && !Number.isNaN(Date.parse(manifest.exported_at)) ? (manifest as AuditManifest) : undefined;
  } catch {
    return undefined; // invalid JSON, or another type than expected
  }
}

/** The name is derived from the other fields, so no manifest can point outside its folder. */
const isFile = ({ org_id: orgId, name, first_seq: first, last_seq: last, ...rest }: AuditFile): boolean =>
  isId(orgId) &&
  Number.isSafeInteger(first) &&
  Number.isSafeInteger(last) &&
  name === auditFileName(orgId, first, last) &&
  last - first + 1 === rest.entries &&
  rest.entries > 0 &&
  [rest.previous_hash, rest.last_hash, rest.sha256].every((each) => /^[0-9a-f]{64}$/.test(each));

/** Reads a file whole: its digest, its numbers, and that its last hash follows from its first. @throws BackupError */
export async function verifyAuditFile(
  folder: string,
  file: AuditFile,
  { exported_at: exportedAt }: AuditManifest,
): Promise<VerifiedFile> {
  const path = join(folder, file.name);
  if ((await digestFile(path)) !== file.sha256)
    throw new BackupError(`${path} is missing or damaged: its SHA-256 is not the manifest's`);
  const previousHash = Buffer.from(file.previous_hash, 'hex');
  const now = new Date().toISOString();
  let [seq, newest] = [file.first_seq - 1, new Date(0).toISOString()];
  let hash: Buffer = previousHash;
  for await (const line of readLines(path)) {
    const entry = JSON.parse(line) as { seq: number; at: string };
    seq += 1;
    if (entry.seq !== seq) throw new BackupError(`${path} is not an export: entry ${seq} is missing`);
    hash = chainHashOfText(hash, line);
    if (entry.at > newest && entry.at <= now) newest = entry.at;
  }
  if (seq !== file.last_seq || hash.toString('hex') !== file.last_hash)
    throw new BackupError(`${path} is not an export: its entries do not lead to the last hash of the manifest`);
  return {
    orgId: file.org_id,
    firstSeq: file.first_seq,
    seq,
    hash,
    previousHash,
    exportedAt: new Date(exportedAt),
    fileSha256: file.sha256,
    newestAt: new Date(newest),
  };
}
