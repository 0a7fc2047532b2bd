import type { Knex } from 'knex';
import { plainArray } from '../../platform/db/arrays.ts';
import { isQueueFull, mayFillQueue } from './queue-limit.ts';
import { insertDeploymentEvent } from './events.ts';
import { expiryDays, tooManyOrders } from './model.ts';

/** Maximum number of robots per deployment. */
const maxTargets = 200_000;

export interface Expanded {
  lateSeconds: number; // after the instant it was due
  targets: number;
}

/** A due deployment, locked. */
export interface DueDeployment {
  orgId: string;
  deploymentId: string;
  targetKind: 'robot' | 'fleet';
  targetId: string;
  lateSeconds: number;
}

interface DueRow {
  org_id: string;
  id: string;
  target_kind: 'robot' | 'fleet';
  target_id: string;
  late_seconds: number;
}

/**
 * Locks the deployment that has been due longest by the database's clock, except those that others hold and those in
 * `leftAlone`. It uses the statement's instant, which is never later than the clock: only with it can Postgres read no
 * more of the index than is due.
 */
export async function claim(trx: Knex, leftAlone: readonly string[]): Promise<DueDeployment | undefined> {
  const { rows } = await trx.raw<{ rows: DueRow[] }>(
    `select org_id, id, target_kind, target_id, extract(epoch from clock_timestamp() - due_at)::float8 as late_seconds from deployments
      where status = 'scheduled' and due_at <= statement_timestamp() and not (id = any(?::uuid[]))
      order by due_at limit 1 for update skip locked`,
    [plainArray(leftAlone)],
  );
  const [row] = rows;
  return (
    row && {
      orgId: row.org_id,
      deploymentId: row.id,
      targetKind: row.target_kind,
      targetId: row.target_id,
      lateSeconds: row.late_seconds,
    }
  );
}

/** Starts a deployment in the transaction that claimed it: fixes its robots as they are now. */
export async function expand(
  trx: Knex,
  { orgId, deploymentId, targetKind, targetId, lateSeconds }: DueDeployment,
  mostTargets = maxTargets,
): Promise<Expanded> {
  const key = { orgId, deploymentId };
  // A transaction that adds a robot to the fleet runs before, and is found, or after, and finds this deployment
  // (`missing-deployments.ts`).
  if (targetKind === 'fleet')
    await trx.raw('select from fleets where org_id = :orgId and id = :targetId for update', { ...key, targetId });
  const robots = {
    ...key,
    targetId,
    limit: mostTargets + 1,
    column: targetKind === 'robot' ? 'id' : 'fleet_id',
  };
  const found = await trx.raw<{ rows: [{ count: number }] }>(
    'select count(*) as count from (select from robots where org_id = :orgId and :column: = :targetId and retired_at is null limit :limit) as found',
    robots,
  );
  const { count } = found.rows[0];
  if (count === 0 || count > mostTargets) await fail(trx, key, count === 0 ? 'no_targets' : 'too_many_targets');
  else await fixTargets(trx, robots);
  return { lateSeconds, targets: count > mostTargets ? 0 : count };
}

async function fail(trx: Knex, key: { orgId: string; deploymentId: string }, reason: string): Promise<void> {
  await Promise.all([
    trx.raw(
      `update deployments set status = 'failed', reason = :reason, ended_at = clock_timestamp() where org_id = :orgId and id = :deploymentId`,
      { ...key, reason },
    ),
    insertDeploymentEvent(trx, { ...key, status: 'failed', reason }),
  ]);
}

async function fixTargets(
  trx: Knex,
  robots: { orgId: string; deploymentId: string; targetId: string; column: string },
): Promise<void> {
  const [, made] = await Promise.all([
    trx.raw(
      `update deployments set status = 'pending', started_at = clock_timestamp(), rank = nextval('deployment_rank'), is_superseding = true
        where org_id = :orgId and id = :deploymentId`,
      robots,
    ),
    trx.raw<{ rowCount: number }>(
      // If a robot's queue is full, the sweeper fails its target at once; the other robots get the deployment.
      `insert into targets (org_id, deployment_id, robot_id, lane, payload_key, rank, reason, deadline_at)
       select d.org_id, d.id, r.id, d.lane, d.payload_key, d.rank,
              case when r.is_full then '${tooManyOrders}' end,
              case when r.is_full then now() else d.started_at + make_interval(days => :expiryDays) end
         from deployments d, (select ${mayFillQueue(':orgId')} as may_crowd) org, lateral (
           select id, case when org.may_crowd then
                    ${isQueueFull({ orgId: 'robots.org_id', robotId: 'robots.id', lane: 'd.lane', key: 'd.payload_key' })} else false end as is_full
             from robots where org_id = d.org_id and :column: = :targetId and retired_at is null offset 0 -- each is asked once
         ) r
        where d.org_id = :orgId and d.id = :deploymentId`,
      { ...robots, expiryDays },
    ),
  ]);
  const total = made.rowCount;
  if (total === 0) throw new Error('the robots of a deployment changed while it started; retrying');
  await Promise.all([
    trx.raw(
      'update deployment_counts set total = :total, waiting = :total where org_id = :orgId and deployment_id = :deploymentId',
      { ...robots, total },
    ),
    trx.raw(
      `insert into waves (org_id, deployment_id, wave, total, started_at)
       select org_id, id, 1, :total, started_at from deployments where org_id = :orgId and id = :deploymentId`,
      { ...robots, total },
    ),
    insertDeploymentEvent(trx, { ...robots, status: 'pending' }),
  ]);
}
