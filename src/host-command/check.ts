import { resolve } from 'node:path';
import { checkTables, type CheckedBackup } from '../platform/db/copy/load.ts';
import { megabytes } from './command.ts';
import { verifyAuditOf } from './audit-of-backup.ts';
import { readObjectLines, verifyObjects, type ObjectLine } from './objects.ts';

export interface Checked extends CheckedBackup {
  lines: ObjectLine[];
}

/** Verifies the digest of every file, and that this release can restore it. @throws BackupError */
export async function checkFiles(named: string): Promise<Checked> {
  const folder = resolve(named);
  const checked = await checkTables(folder);
  const lines = await readObjectLines(folder, checked.manifest);
  await verifyObjects(folder, lines);
  return { ...checked, lines };
}

/** Verifies a backup without restoring it. Returns what it found, for a person. @throws BackupError */
export async function checkBackup(named: string): Promise<string> {
  const { folder, manifest } = await checkFiles(named);
  const { exported_at: takenAt, service_version: version, objects, tables } = manifest;
  const rows = tables.reduce((sum, each) => sum + each.rows, 0);
  const audit = await verifyAuditOf(folder, manifest);
  return [
    `complete backup of ${takenAt}${version === undefined ? '' : `, taken by version ${version}`}`,
    `schema ${manifest.migrations.at(-1)}, ${tables.length} tables, ${rows} rows`,
    objects
      ? `${objects.copied} artifacts and log objects (${megabytes(objects.bytes)}), ${objects.in_bucket} only in bucket ${objects.bucket ?? '(none)'}, ${objects.missing} missing`
      : 'no artifacts: it is an export of an earlier release',
    audit
      ? `audit chain verified: ${audit.entries} entries of ${audit.orgs} orgs${
          audit.trimmed === 0
            ? ''
            : `; the logs of ${audit.trimmed} orgs say that their oldest entries were exported and deleted, the last on ${audit.lastExportAt}`
        }`
      : 'audit chain not verified: its entries are not in order in an export of an earlier release',
  ].join('\n');
}
