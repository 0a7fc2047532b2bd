import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Config } from '../config.ts';
import { erasureService, type Erasure } from '../erasure/service.ts';
import { isId } from '../kernel/ids.ts';
import { BackupError } from '../platform/db/copy/manifest.ts';
import { openForBackup } from '../platform/db/embedded/index.ts';
import { isDatabaseAway } from '../platform/db/faults.ts';
import { openDatabase } from '../platform/db/index.ts';
import { commandLog } from './command.ts';

const lookEveryMs = 2_000;
const listed = 100;

interface EraseOptions {
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>;
  kind: 'robot' | 'org';
  id: string;
  tell: (line: string) => void;
}

/**
 * Requests the erasure of a robot or an org, and waits until the replicas have finished it. Returns what was removed.
 * @throws BackupError, or an error of the domain
 */
export function erase({ config, kind, id, tell }: EraseOptions): Promise<string> {
  if (!isId(id)) {
    const list = kind === 'robot' ? 'cli robots list --fields id,name' : 'cli admin orgs list --fields id,name';
    throw new BackupError(`${id} is not the ID of a ${kind}: ${list} shows them`);
  }
  return withDatabase(config, async (db) => {
    const erasures = erasureService(db);
    const begun = kind === 'robot' ? await erasures.beginRobotOfAnyOrg(id) : await erasures.beginOrg(id);
    tell(`erasing ${kind} ${id}: this takes up to 20 minutes, and continues if you stop this command`);
    try {
      return await waitForEnd(erasures, begun.id, tell);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      throw new BackupError('the database does not respond: the erasure continues when it does');
    }
  });
}

/** Tells what the erasure waits for, each once. */
async function waitForEnd(
  erasures: ReturnType<typeof erasureService>,
  id: string,
  tell: EraseOptions['tell'],
): Promise<string> {
  const seen = new Set<string>();
  for (;;) {
    const erasure = await erasures.find(id);
    if (!erasure) throw new BackupError(`the request ${id} is gone: another database was restored`);
    if (erasure.finishedAt) return textOf(erasure);
    if (!(await erasures.isServed()))
      throw new BackupError(`no replica is running: the erasure continues when the service starts`);
    for (const reason of erasure.waitsFor) if (!seen.has(reason)) tell(`waiting: ${reason}`);
    for (const reason of erasure.waitsFor) seen.add(reason);
    await sleep(lookEveryMs);
  }
}

/** The latest erasures, a line each. */
export function listErasures({ config }: Pick<EraseOptions, 'config'>): Promise<string> {
  return withDatabase(config, async (db) => {
    const erasures = await erasureService(db).list(listed);
    return erasures.length === 0 ? 'no erasures' : erasures.map(textOf).join('\n');
  });
}

async function withDatabase<T>(
  { databaseUrl, databaseDirectUrl = databaseUrl, dataDir }: EraseOptions['config'],
  work: (db: Knex) => Promise<T>,
): Promise<T> {
  const embedded = databaseUrl === undefined ? await openForBackup({ dataDir, log: commandLog }) : undefined;
  const db = openDatabase(embedded?.connection ?? databaseDirectUrl ?? '', { connections: 1, name: 'erase' });
  try {
    const { rows } = await db.raw<{ rows: [{ there: boolean }] }>(
      `select to_regclass('public.erasures') is not null as there`,
    );
    if (!rows[0].there) throw new BackupError('the database is of an earlier release: start this version once');
    return await work(db);
  } finally {
    await db.destroy();
    await embedded?.stop();
  }
}

function textOf({ orgId, robotId, createdAt, finishedAt, waitsFor, removed }: Erasure): string {
  const subject = robotId === undefined ? `org ${orgId}` : `robot ${robotId} of org ${orgId}`;
  if (!finishedAt)
    return `${subject}: requested ${createdAt.toISOString()}, waits for ${waitsFor.join(', ') || 'a replica'}`;
  const counts = Object.entries(removed).map(([table, count]) => `${table} ${count}`);
  return `${subject}: erased ${finishedAt.toISOString()}, removed: ${counts.sort().join(', ') || 'nothing'}`;
}
