import { resolve } from 'node:path';
import type { Knex } from 'knex';
import { auditTrimming, chainStart, type AuditTrim } from '../audit/service.ts';
import { advisoryLocks } from '../platform/db/advisory-locks.ts';
import { connectForCopy } from '../platform/db/copy/catalog.ts';
import { BackupError } from '../platform/db/copy/manifest.ts';
import type { Connection } from '../platform/db/index.ts';
import { auditTables, leastDays } from './audit-export.ts';
import { readAuditManifest, verifyAuditFile, type VerifiedFile } from './audit-files.ts';
import { operator } from './command.ts';
import { withDatabase, type DatabaseConfig } from './database.ts';

const listed = 100;

interface TrimOptions {
  config: DatabaseConfig;
  folder: string;
  tell: (line: string) => void;
}

/** Deletes the entries of a folder of `audit export` from the database, once every file is verified. @throws BackupError */
export async function trimAudit({ config, folder: named, tell }: TrimOptions): Promise<string> {
  const folder = resolve(named);
  const manifest = await readAuditManifest(folder);
  const files: VerifiedFile[] = [];
  for (const file of manifest.files) files.push(await verifyAuditFile(folder, file, manifest));
  return withDatabase(config, auditTables, (db, connection) =>
    withTrimLock(connection, async () => {
      const orgs = await auditTrimming(db).orgs();
      const present = files.filter(({ orgId }) => orgs.includes(orgId));
      for (const file of files) if (!present.includes(file)) tell(`org ${file.orgId} does not exist: skipped`);
      for (const file of present) await refuseOther(db, file);
      let deleted = 0;
      for (const file of present) deleted += await trimOrg(db, file, tell);
      return `deleted ${deleted} exported entries of ${present.length} orgs`;
    }),
  );
}

/** On a separate connection, which ends with the process. */
async function withTrimLock<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  const client = await connectForCopy(connection);
  try {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [
      advisoryLocks.auditTrim,
    ]);
    if (!rows[0]?.got) throw new BackupError('another audit trim is running: wait until it ends');
    return await work();
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @throws BackupError for a file whose entries are not the oldest ones of the log, or are too young */
async function refuseOther(db: Knex, file: VerifiedFile): Promise<void> {
  const { orgId, seq, hash, firstSeq, previousHash, newestAt } = file;
  const trimming = auditTrimming(db);
  const begun = await trimming.find(orgId, seq);
  const sealed = begun?.hash ?? (await trimming.hashOf(orgId, seq));
  if (!sealed?.equals(hash))
    throw new BackupError(`entry ${seq} of org ${orgId} is not the one in the file: nothing was deleted`);
  const anchor = await trimming.anchorOf(orgId);
  if (begun && anchor && anchor.seq >= seq) return; // it took effect, or a longer one did
  if ((anchor?.seq ?? 0) !== firstSeq - 1 || !(anchor?.hash ?? chainStart(orgId)).equals(previousHash))
    throw new BackupError(
      `the log of org ${orgId} begins at entry ${(anchor?.seq ?? 0) + 1}, and the file at entry ${firstSeq}: nothing was deleted`,
    );
  const { rows } = await db.raw<{ rows: [{ isYoung: boolean }] }>(
    `select ?::timestamptz > now() - interval '${leastDays} days' as "isYoung"`,
    [newestAt.toISOString()],
  );
  if (rows[0].isYoung)
    throw new BackupError(`the file of org ${orgId} has entries younger than ${leastDays} days: nothing was deleted`);
}

async function trimOrg(db: Knex, file: VerifiedFile, tell: TrimOptions['tell']): Promise<number> {
  const { orgId, firstSeq, seq } = file;
  const trimming = auditTrimming(db);
  const trims = [await trimming.find(orgId, seq), await laterTrim(db, file)];
  if (trims[1] && !trims[1].finishedAt)
    throw new BackupError(
      `a later trim of org ${orgId}, up to entry ${trims[1].seq}, is not finished: repeat that one instead`,
    );
  if (trims.some((each) => each?.finishedAt)) {
    tell(`org ${orgId}: entries ${firstSeq} to ${seq} were deleted before`);
    return 0;
  }
  const deleted = await trimming.trim(file, operator());
  if (deleted === undefined) tell(`org ${orgId} was erased meanwhile`);
  else tell(`org ${orgId}: entries ${firstSeq} to ${seq} are deleted; the log begins at entry ${seq + 1}`);
  return deleted ?? 0;
}

/** The trim that took effect although this shorter one was begun before. */
async function laterTrim(db: Knex, { orgId, seq }: Pick<AuditTrim, 'orgId' | 'seq'>): Promise<AuditTrim | undefined> {
  const anchor = await auditTrimming(db).anchorOf(orgId);
  return anchor && anchor.seq > seq ? auditTrimming(db).find(orgId, anchor.seq) : undefined;
}

/** The latest trims, a line each. */
export function listTrims({ config }: Pick<TrimOptions, 'config'>): Promise<string> {
  return withDatabase(config, auditTables, async (db) => {
    const trims = await auditTrimming(db).list(listed + 1);
    if (trims.length === 0) return 'no audit log was trimmed';
    const lines: string[] = [];
    for (const trim of trims.slice(0, listed))
      lines.push(textOf(trim, !trim.effectiveAt && (await laterTrim(db, trim)) !== undefined));
    return [...lines, ...(trims.length > listed ? [`only the latest ${listed} are shown`] : [])].join('\n');
  });
}

function textOf(
  { orgId, firstSeq, seq, hash, exportedAt, fileSha256, createdAt, createdBy, finishedAt }: AuditTrim,
  isReplaced: boolean,
): string {
  const open = isReplaced ? 'replaced by a later trim' : 'not finished';
  const state = finishedAt ? `deleted ${finishedAt.toISOString()}` : `${open}, began ${createdAt.toISOString()}`;
  return `org ${orgId}: entries ${firstSeq} to ${seq}, exported ${exportedAt.toISOString()}, ${state} by ${createdBy}, head ${seq}:${hash.toString('hex')}, file SHA-256 ${fileSha256}`;
}
