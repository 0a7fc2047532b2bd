import { resolve } from 'node:path';
import type { Knex } from 'knex';
import { auditTrimming, chainStart, type AuditTrim } from '../audit/service.ts';
import { connectForCopy } from '../platform/db/copy/catalog.ts';
import { BackupError } from '../platform/db/copy/manifest.ts';
import type { Connection } from '../platform/db/index.ts';
import { auditTables, leastDays } from './audit-export.ts';
import { readAuditManifest, verifyAuditFile, type VerifiedFile } from './audit-files.ts';
import { operator } from './command.ts';
import { withDatabase, type DatabaseConfig } from './database.ts';

/** Held on a separate connection, which ends with the process. The value is arbitrary. */
const trimLock = 7_201_934_553;
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

async function withTrimLock<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  const client = await connectForCopy(connection);
  try {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [trimLock]);
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
  if (begun?.effectiveAt) return;
  const anchor = await trimming.anchorOf(orgId);
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
  if ((await trimming.find(orgId, seq))?.finishedAt) {
    tell(`org ${orgId}: entries ${firstSeq} to ${seq} were deleted before`);
    return 0;
  }
  const deleted = await trimming.trim(file, operator());
  if (deleted === undefined) tell(`org ${orgId} was erased meanwhile`);
  else tell(`org ${orgId}: entries ${firstSeq} to ${seq} are deleted; the log begins at entry ${seq + 1}`);
  return deleted ?? 0;
}

/** The latest trims, a line each. */
export function listTrims({ config }: Pick<TrimOptions, 'config'>): Promise<string> {
  return withDatabase(config, auditTables, async (db) => {
    const trims = await auditTrimming(db).list(listed);
    return trims.length === 0 ? 'no audit log was trimmed' : trims.map(textOf).join('\n');
  });
}

function textOf({ orgId, firstSeq, seq, hash, exportedAt, fileSha256, createdAt, createdBy, finishedAt }: AuditTrim) {
  const state = finishedAt ? `deleted ${finishedAt.toISOString()}` : `not finished, began ${createdAt.toISOString()}`;
  return `org ${orgId}: entries ${firstSeq} to ${seq}, exported ${exportedAt.toISOString()}, ${state} by ${createdBy}, head ${seq}:${hash.toString('hex')}, file SHA-256 ${fileSha256}`;
}
