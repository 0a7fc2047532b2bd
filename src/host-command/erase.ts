import { setTimeout as sleep } from 'node:timers/promises';
import { erasureService, type Erasure } from '../erasure/service.ts';
import { isId } from '../kernel/ids.ts';
import { BackupError } from '../platform/db/copy/manifest.ts';
import { isDatabaseAway } from '../platform/db/faults.ts';
import { withDatabase, type DatabaseConfig } from './database.ts';

const lookEveryMs = 2_000;
const listed = 100;
const erasures = { name: 'erase', table: 'erasures' };

interface EraseOptions {
  config: DatabaseConfig;
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
  return withDatabase(config, erasures, async (db) => {
    const service = erasureService(db);
    const begun = kind === 'robot' ? await service.beginRobotOfAnyOrg(id) : await service.beginOrg(id);
    tell(`erasing ${kind} ${id}: this takes up to 20 minutes, and continues if you stop this command`);
    try {
      return await waitForEnd(service, begun.id, tell);
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
  return withDatabase(config, erasures, async (db) => {
    const latest = await erasureService(db).list(listed);
    return latest.length === 0 ? 'no erasures' : latest.map(textOf).join('\n');
  });
}

function textOf({ orgId, robotId, createdAt, finishedAt, waitsFor, removed }: Erasure): string {
  const subject = robotId === undefined ? `org ${orgId}` : `robot ${robotId} of org ${orgId}`;
  if (!finishedAt)
    return `${subject}: requested ${createdAt.toISOString()}, waits for ${waitsFor.join(', ') || 'a replica'}`;
  const counts = Object.entries(removed).map(([table, count]) => `${table} ${count}`);
  return `${subject}: erased ${finishedAt.toISOString()}, removed: ${counts.sort().join(', ') || 'nothing'}`;
}
