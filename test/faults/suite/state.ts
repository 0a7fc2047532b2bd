import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { State } from './checker.ts';
import type { Fleet } from './fleet.ts';
import type { History } from './history.ts';
import type { FaultService } from './service.ts';

/** Reads what the service has stored since `since`, and the whole logs of the robots in the history. */
export async function readState(service: FaultService, fleet: Fleet, history: History, since: Date): Promise<State> {
  const robotIds = [...new Set(history.acknowledgements.map(({ robotId }) => robotId))];
  const auditFailure = await fleet.auditFailure();
  return {
    sites: await service.db('sites').where('created_at', '>=', since).pluck('name'),
    deployments: await deploymentsSince(service.db, since),
    appliedAgain: await appliedAgain(service.db, since),
    artifacts: await artifactsOf(service, history),
    logs: await Promise.all(robotIds.map(async (robotId) => ({ robotId, messages: await logOf(service, robotId) }))),
    ...(auditFailure !== undefined && { auditFailure }),
  };
}

/** Deployments that have not ended. */
export const openDeployments = async (db: Knex): Promise<number> =>
  (await db('deployments').whereNull('ended_at').pluck('id')).length;

async function deploymentsSince(db: Knex, since: Date): Promise<State['deployments']> {
  const rows = await db('deployments')
    .where('created_at', '>=', since)
    .select<{ id: string; config_id: string | null; release_id: string | null; ended_at: Date | null }[]>(
      ...['id', 'config_id', 'release_id', 'ended_at'],
    );
  return rows.map(({ id, config_id: config, release_id: release, ended_at: endedAt }) => ({
    id,
    key: config ?? release ?? '',
    hasEnded: endedAt !== null,
  }));
}

async function appliedAgain(db: Knex, since: Date): Promise<State['appliedAgain']> {
  const rows = await db('deployment_events')
    .where('at', '>=', since)
    .where({ target_status: 'applied' })
    .whereNotNull('robot_id')
    .groupBy('deployment_id', 'robot_id')
    .havingRaw('count(*) > 1')
    .select<{ deployment_id: string; robot_id: string; count: string }[]>(
      'deployment_id',
      'robot_id',
      db.raw('count(*) as count'),
    );
  return rows.map((row) => ({ deploymentId: row.deployment_id, robotId: row.robot_id, count: Number(row.count) }));
}

/** The SHA-256 of what is downloaded in place of each upload. */
async function artifactsOf(service: FaultService, { calls }: History): Promise<string[]> {
  const digests = new Set(
    calls.filter(({ kind, outcome }) => kind === 'upload' && outcome === 'ok').map(({ key }) => key),
  );
  const found: string[] = [];
  for (const digest of digests) {
    const response = await get(service, `/api/artifacts/${digest}`);
    found.push(
      createHash('sha256')
        .update(Buffer.from(await response.arrayBuffer()))
        .digest('hex'),
    );
  }
  return found;
}

async function logOf(service: FaultService, robotId: string): Promise<string[]> {
  const messages: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const path = `/api/robots/${robotId}/logs?after=0&limit=1000&source=nav${cursor && `&cursor=${cursor}`}`;
    const page = (await (await get(service, path)).json()) as { items: { message: string }[]; next_cursor?: string };
    messages.push(...page.items.map(({ message }) => message));
    cursor = page.next_cursor;
  }
  return messages;
}

const get = (service: FaultService, path: string) =>
  fetch(`${service.url}${path}`, { headers: { Authorization: `Bearer ${service.token}` } });
