import type { Knex } from 'knex';
import { tellDeployment } from './events.ts';
import { expiryDays } from './model.ts';

/** Robots of one deployment at most. */
const maxTargets = 200_000;

export interface Expanded {
  lateSeconds: number; // after the instant it was due
  targets: number;
}

interface DueRow {
  target_kind: 'robot' | 'fleet';
  target_id: string;
  late_seconds: number;
}

/**
 * Begins one deployment, in a transaction: fixes its robots as they are now. Undefined where it is not due by the database's clock, or another
 * replica is at it or was.
 */
export async function expand(trx: Knex, orgId: string, deploymentId: string): Promise<Expanded | undefined> {
  const key = { orgId, deploymentId };
  const { rows } = await trx.raw<{ rows: DueRow[] }>(
    `select target_kind, target_id, extract(epoch from clock_timestamp() - due_at)::float8 as late_seconds from deployments
      where org_id = :orgId and id = :deploymentId and status = 'scheduled' and due_at <= clock_timestamp() for update skip locked`,
    key,
  );
  const [due] = rows;
  if (!due) return undefined;
  // Whoever brings a robot to the fleet goes before, and is found, or after, and finds this order (`intents.ts`).
  if (due.target_kind === 'fleet')
    await trx.raw('select from fleets where org_id = :orgId and id = :targetId for update', {
      ...key,
      targetId: due.target_id,
    });
  const robots = {
    ...key,
    targetId: due.target_id,
    limit: maxTargets + 1,
    column: due.target_kind === 'robot' ? 'id' : 'fleet_id',
  };
  const found = await trx.raw<{ rows: [{ count: number }] }>(
    'select count(*) as count from (select from robots where org_id = :orgId and :column: = :targetId limit :limit) as found',
    robots,
  );
  const { count } = found.rows[0];
  if (count === 0 || count > maxTargets) await fail(trx, key, count === 0 ? 'no_targets' : 'too_many_targets');
  else await fixTargets(trx, robots);
  return { lateSeconds: due.late_seconds, targets: count > maxTargets ? 0 : count };
}

async function fail(trx: Knex, key: { orgId: string; deploymentId: string }, reason: string): Promise<void> {
  await Promise.all([
    trx.raw(
      `update deployments set status = 'failed', reason = :reason, ended_at = clock_timestamp() where org_id = :orgId and id = :deploymentId`,
      { ...key, reason },
    ),
    tellDeployment(trx, { ...key, status: 'failed', reason }),
  ]);
}

async function fixTargets(
  trx: Knex,
  robots: { orgId: string; deploymentId: string; targetId: string; column: string },
): Promise<void> {
  const [, made] = await Promise.all([
    trx.raw(
      `update deployments set status = 'pending', started_at = now(), rank = nextval('deployment_rank'), is_superseding = true
        where org_id = :orgId and id = :deploymentId`,
      robots,
    ),
    trx.raw<{ rowCount: number }>(
      `insert into targets (org_id, deployment_id, robot_id, lane, payload_key, rank, deadline_at)
       select d.org_id, d.id, r.id, d.lane, d.payload_key, d.rank, d.started_at + make_interval(days => :expiryDays)
         from robots r, deployments d
        where d.org_id = :orgId and d.id = :deploymentId and r.org_id = :orgId and r.:column: = :targetId`,
      { ...robots, expiryDays },
    ),
  ]);
  const total = made.rowCount;
  if (total === 0) throw new Error('the robots of a deployment went as it began; it is looked at again');
  await Promise.all([
    trx.raw(
      'update deployment_counts set total = :total, waiting = :total where org_id = :orgId and deployment_id = :deploymentId',
      { ...robots, total },
    ),
    trx.raw(
      `insert into waves (org_id, deployment_id, wave, total, started_at) values (:orgId, :deploymentId, 1, :total, now())`,
      { ...robots, total },
    ),
    tellDeployment(trx, { ...robots, status: 'pending' }),
  ]);
}
