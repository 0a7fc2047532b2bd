import { rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import { release } from '../../generated/release.js';
import { auditTrimming, chainHashOfText, chainStart } from '../audit/service.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { isId } from '../kernel/ids.ts';
import { writeNewFile } from '../platform/db/copy/files.ts';
import { BackupError, manifestFile } from '../platform/db/copy/manifest.ts';
import { auditFileName, verifyAuditFile, type AuditFile, type AuditManifest } from './audit-files.ts';
import { withDatabase, type DatabaseConfig } from './database.ts';
import { megabytes } from './command.ts';
import { makeFolder } from './partial.ts';

/** Entries per read. */
const pageEntries = 500;
/** A robot or person may still ask about younger entries; `audit trim` refuses them. */
export const leastDays = 30;
const usualDays = 400;
const dayMs = 24 * 60 * 60 * 1000;

/** The database that the commands need. */
export const auditTables = { name: 'audit', table: 'audit_trims' };

interface ExportOptions {
  config: DatabaseConfig;
  folder: string | undefined; // default ./audit-<time>
  days: string | undefined; // default 400
  org: string | undefined; // default: all
  tell: (line: string) => void;
}

/** Writes the entries that are older than so many days as files, and deletes nothing. Returns the folder. @throws BackupError */
export async function exportAudit({ config, folder: named, days, org, tell }: ExportOptions): Promise<string> {
  const exportedAt = new Date();
  const folder = resolve(named ?? `audit-${exportedAt.toISOString().replace(/[-:]|\.\d+/g, '')}`);
  const olderThan = new Date(exportedAt.getTime() - readDays(days) * dayMs);
  if (org !== undefined && !isId(org))
    throw new BackupError(`${org} is not the ID of an org: cli admin orgs list --fields id,name shows them`);
  const manifest: AuditManifest = {
    kind: 'audit',
    format: 1,
    exported_at: exportedAt.toISOString(),
    service_version: release,
    older_than: olderThan.toISOString(),
    files: [],
  };
  await makeFolder(folder, 'export', (partial) =>
    withDatabase(config, auditTables, async (db) => {
      for (const orgId of await orgsOf(db, org)) {
        const file = await exportOrg(db, partial, orgId, manifest);
        if (!file) continue;
        await verifyAuditFile(partial, file, manifest);
        manifest.files.push(file);
        tell(`org ${orgId}: entries ${file.first_seq} to ${file.last_seq}`);
      }
      if (manifest.files.length === 0)
        throw new BackupError(`there are no sealed entries from before ${manifest.older_than} to export`);
      const text = Readable.from([`${JSON.stringify(manifest, null, 2)}\n`]);
      await writeNewFile(join(partial, manifestFile), text, 'plain');
    }),
  );
  const sum = (pick: (file: AuditFile) => number) => manifest.files.reduce((total, file) => total + pick(file), 0);
  tell(
    `exported and verified ${sum(({ entries }) => entries)} entries of ${manifest.files.length} orgs (${megabytes(sum(({ bytes }) => bytes))}). ` +
      `Copy the folder to a safe place, then delete them with: fleet-control-service audit trim ${folder} --yes`,
  );
  return folder;
}

async function orgsOf(db: Knex, only: string | undefined): Promise<string[]> {
  const orgs = await auditTrimming(db).orgs();
  if (only === undefined) return orgs;
  if (!orgs.includes(only)) throw new BackupError(`org ${only} not found`);
  return [only];
}

function readDays(text: string | undefined): number {
  const days = text === undefined ? usualDays : Number(text);
  if (!Number.isInteger(days) || days < leastDays || days > 36_500)
    throw new BackupError(`--days: "${text}" is not a number of days from ${leastDays} to 36500`);
  return days;
}

/** Undefined if the org has no old entries but those of earlier trims. */
async function exportOrg(
  db: Knex,
  folder: string,
  orgId: string,
  { exported_at: exportedAt, older_than: olderThan }: AuditManifest,
): Promise<AuditFile | undefined> {
  const anchor = await auditTrimming(db).anchorOf(orgId);
  const before = { seq: anchor?.seq ?? 0, hash: anchor?.hash ?? chainStart(orgId) };
  const pages = oldEntries(db, orgId, { ...before, exportedAt, olderThan });
  const first = await pages.next();
  if (first.done || first.value.isOnlyTrims) {
    await pages.return();
    return undefined;
  }
  let last = first.value;
  const draft = join(folder, `${orgId}.jsonl.gz`);
  const written = await writeNewFile(
    draft,
    Readable.from(
      (async function* () {
        yield last.text;
        for await (last of pages) yield last.text;
      })(),
    ),
    'gzip',
  );
  const name = auditFileName(orgId, before.seq + 1, last.seq);
  await rename(draft, join(folder, name));
  return {
    org_id: orgId,
    name,
    first_seq: before.seq + 1,
    last_seq: last.seq,
    entries: last.seq - before.seq,
    previous_hash: before.hash.toString('hex'),
    last_hash: last.hash.toString('hex'),
    ...written,
  };
}

/** Entries in canonical form, a line each. */
interface Lines {
  text: string;
  seq: number; // of the last one
  hash: Buffer;
  isOnlyTrims: boolean;
}

/**
 * Stops at the first entry that is younger or not sealed. One from the future was written while the clock was wrong, and is older than
 * the entries after it. @throws BackupError if the chain is broken
 */
async function* oldEntries(
  db: Knex,
  orgId: string,
  { exportedAt, olderThan, ...start }: { seq: number; hash: Buffer; exportedAt: string; olderThan: string },
): AsyncGenerator<Lines, void> {
  let { seq, hash } = start;
  const lastOld = await auditTrimming(db).lastBefore(orgId, olderThan);
  for (let isMore = true; isMore;) {
    const page = await auditTrimming(db).entriesAfter(orgId, seq, pageEntries);
    isMore = page.length > 0; // a page also ends after so many bytes
    const lines = { text: '', isOnlyTrims: true };
    for (const json of page) {
      const { hash: sealed, ...entry } = JSON.parse(json) as {
        seq: number;
        at: string;
        operation: string;
        hash: string;
      };
      const isOld = entry.at < olderThan || (entry.at > exportedAt && entry.seq < lastOld);
      isMore &&= isOld;
      if (!isOld) break;
      const text = canonicalJson(entry);
      hash = chainHashOfText(hash, text);
      if (entry.seq !== seq + 1 || hash.toString('hex') !== sealed)
        throw new BackupError(
          `the audit log of org ${orgId} is broken at entry ${seq + 1}: keep the database as it is, and compare it with a backup`,
        );
      seq = entry.seq;
      lines.text += `${text}\n`;
      lines.isOnlyTrims &&= entry.operation === 'trimAudit';
    }
    if (lines.text !== '') yield { ...lines, seq, hash };
  }
}
