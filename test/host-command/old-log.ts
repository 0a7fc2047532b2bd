import { randomUUID } from 'node:crypto';
import { auditService } from '../../src/audit/service.ts';
import { migrate } from '../../src/platform/db/index.ts';
import { addEntries } from '../support/audit-log.ts';
import { commandWith } from './command.ts';
import { freshDatabase, type FreshDatabase } from './fresh-database.ts';

export interface OldLog extends FreshDatabase {
  orgId: string;
  /** For the command. */
  env: Record<string, string>;
  seqs(): Promise<number[]>;
}

/** A database with one org whose sealed log has `old` entries of 500 days ago, then `young` ones. */
export async function oldLog(old: number, young: number, folder: string): Promise<OldLog> {
  const made = await freshDatabase();
  await migrate(made.db);
  const orgId = await addOrg(made, old, young);
  return {
    ...made,
    orgId,
    env: { DATABASE_URL: made.url, SERVICE_DATA_DIR: folder },
    seqs: () => made.db('audit').where({ org_id: orgId }).whereNotNull('seq').orderBy('seq').pluck<number[]>('seq'),
  };
}

export async function addOrg({ db }: Pick<FreshDatabase, 'db'>, old: number, young: number): Promise<string> {
  const orgId = randomUUID();
  await db('orgs').insert({ id: orgId, name: orgId, status: 'approved' });
  await addEntries(db, orgId, old, '{"name":"Ōsaka\u2028","size":1.50}', 500);
  await addEntries(db, orgId, young);
  await auditService(db).sealAll();
  return orgId;
}

/** Holds up whoever seals or deletes what `sql` locks, until it is disposed of. */
export async function lockHeld({ db }: Pick<FreshDatabase, 'db'>, sql: string, bindings: unknown[]) {
  const holder = await db.transaction();
  await holder.raw(sql, bindings as string[]);
  return {
    async waits(): Promise<boolean> {
      const waiting = await db('pg_stat_activity').whereRaw(
        "datname = current_database() and wait_event_type = 'Lock'",
      );
      return waiting.length > 0;
    },
    async [Symbol.asyncDispose]() {
      await holder.rollback();
    },
  };
}

export const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Exports the old entries of a log. Returns the folder. */
export async function exported({ env }: OldLog, folder: string, ...words: string[]): Promise<string> {
  const { exitCode, stderr } = await commandWith(env, 'audit', 'export', folder, ...words);
  if (exitCode !== 0) throw new Error(stderr);
  return folder;
}

export const trim = ({ env }: OldLog, folder: string): ReturnType<typeof commandWith> =>
  commandWith(env, 'audit', 'trim', folder, '--yes');
