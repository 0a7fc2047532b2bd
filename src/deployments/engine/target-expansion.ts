import type { Knex } from 'knex';
import { plainArray } from '../../platform/db/arrays.ts';
import type { Rollout } from '../../rollout-policies/service.ts';
import { isQueueFull, mayFillQueue } from './queue-limit.ts';
import { insertDeploymentEvent } from './events.ts';
import { expiryDays, tooManyOrders } from './model.ts';
import { assignWaves } from './rollouts/assign-waves.ts';
import { startWave } from './rollouts/start-wave.ts';

/** Maximum number of robots per deployment. */
const maxTargets = 200_000;

/** Robots that were seen this recently are the first of a wave. */
const seenMinutes = 10;

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
  rollout: Rollout | undefined; // undefined: all robots at once
  isRollback: boolean; // its robots are those that return (`rollbacks/roll-back.ts`)
  lateSeconds: number;
}

interface DueRow {
  org_id: string;
  id: string;
  target_kind: 'robot' | 'fleet';
  target_id: string;
  rollout: Rollout | null;
  is_rollback: boolean;
  late_seconds: number;
}

/**
 * Locks the deployment that has been due longest by the database's clock, except those that others hold and those in
 * `leftAlone`. It uses the statement's instant, which is never later than the clock: only with it can Postgres read no
 * more of the index than is due.
 */
export async function claim(trx: Knex, leftAlone: readonly string[]): Promise<DueDeployment | undefined> {
  const { rows } = await trx.raw<{ rows: DueRow[] }>(
    `select org_id, id, target_kind, target_id, rollout, rollback_of is not null as is_rollback, extract(epoch from clock_timestamp() - due_at)::float8 as late_seconds from deployments
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
      rollout: row.rollout ?? undefined,
      isRollback: row.is_rollback,
      lateSeconds: row.late_seconds,
    }
  );
}

/** Starts a deployment in the transaction that claimed it: fixes its robots as they are now. */
export async function expand(
  trx: Knex,
  { orgId, deploymentId, targetKind, targetId, rollout, isRollback, lateSeconds }: DueDeployment,
  mostTargets = maxTargets,
): Promise<Expanded> {
  const key = { orgId, deploymentId };
  // A transaction that adds a robot to the fleet runs before, and is found, or after, and finds this deployment
  // (`missing-deployments.ts`).
  if (targetKind === 'fleet' && !isRollback)
    await trx.raw('select from fleets where org_id = :orgId and id = :targetId for update', { ...key, targetId });
  const robots = { ...key, targetId, condition: isRollback ? returning : isIn[targetKind], isRollback };
  const found = await trx.raw<{ rows: [{ count: number }] }>(
    `select count(*) as count from (select from robots r where org_id = :orgId and ${robots.condition} and retired_at is null limit :limit) as found`,
    { ...key, targetId, limit: mostTargets + 1 },
  );
  const { count } = found.rows[0];
  if (count === 0 || count > mostTargets) await fail(trx, key, count === 0 ? 'no_targets' : 'too_many_targets');
  else await (rollout ? fixWaves(trx, robots, rollout) : fixTargets(trx, robots));
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

interface Robots {
  orgId: string;
  deploymentId: string;
  targetId: string;
  condition: string; // SQL by which a robot `r` belongs to the target
  isRollback: boolean;
}

const isIn = { robot: 'r.id = :targetId', fleet: 'r.fleet_id = :targetId' };
const returning =
  'r.id in (select robot_id from rollback_robots where org_id = :orgId and rollback_id = :deploymentId)';

const begin = (trx: Knex, robots: Robots) =>
  trx.raw(
    `update deployments set status = 'pending', started_at = clock_timestamp(), rank = nextval('deployment_rank'), is_superseding = true,
            open_wave = case when rollout is not null then 0 end
      where org_id = :orgId and id = :deploymentId`,
    { ...robots },
  );

const countTargets = (trx: Knex, robots: Robots, total: number) =>
  trx.raw(
    'update deployment_counts set total = :total, waiting = :total where org_id = :orgId and deployment_id = :deploymentId',
    { ...robots, total },
  );

async function fixTargets(trx: Knex, robots: Robots): Promise<void> {
  const [, made] = await Promise.all([
    begin(trx, robots),
    trx.raw<{ rowCount: number }>(
      // If a robot's queue is full, the sweeper fails its target at once; the other robots get the deployment.
      `insert into targets (org_id, deployment_id, robot_id, lane, payload_key, rank, reason, deadline_at)
       select d.org_id, d.id, r.id, d.lane, d.payload_key, d.rank,
              case when r.is_full then '${tooManyOrders}' end,
              case when r.is_full then now() else d.started_at + make_interval(days => :expiryDays) end
         from deployments d, (select ${mayFillQueue(':orgId')} as may_crowd) org, lateral (
           select id, case when org.may_crowd then
                    ${isQueueFull({ orgId: 'r.org_id', robotId: 'r.id', lane: 'd.lane', key: 'd.payload_key' })} else false end as is_full
             from robots r where org_id = d.org_id and ${robots.condition} and retired_at is null offset 0 -- each is asked once
         ) r
        where d.org_id = :orgId and d.id = :deploymentId`,
      { ...robots, expiryDays },
    ),
  ]);
  const total = made.rowCount;
  if (total === 0) throw new Error('the robots of a deployment changed while it started; retrying');
  await Promise.all([
    countTargets(trx, robots, total),
    trx.raw(
      `insert into waves (org_id, deployment_id, wave, total, started_at)
       select org_id, id, 1, :total, started_at from deployments where org_id = :orgId and id = :deploymentId`,
      { ...robots, total },
    ),
    insertDeploymentEvent(trx, { ...robots, status: 'pending' }),
  ]);
}

/** By the wave in which they received what they return from. */
const newestWaveFirst = `(select b.wave from rollback_robots b
  where b.org_id = r.org_id and b.deployment_id = d.rollback_of and b.robot_id = r.id) desc,`;

/** Fixes the robots of a rollout with their waves, and begins the first wave. */
async function fixWaves(trx: Knex, robots: Robots, rollout: Rollout): Promise<void> {
  const [, found] = await Promise.all([
    begin(trx, robots),
    trx.raw<{ rows: { id: string; labels: Record<string, string> }[] }>(
      // The same robots are not always the first: their order is another one for each payload.
      `select r.id, case when :hasSelectors then r.labels else '{}' end as labels
         from robots r join deployments d on d.org_id = r.org_id and d.id = :deploymentId
         left join robot_links l on l.org_id = r.org_id and l.robot_id = r.id
        where r.org_id = :orgId and ${robots.condition} and r.retired_at is null
        order by ${robots.isRollback ? newestWaveFirst : ''} coalesce(l.last_seen_at > now() - interval '${seenMinutes} minutes', false) desc, md5(r.id::text || d.payload_digest)`,
      { ...robots, hasSelectors: rollout.waves.some(({ selector }) => selector !== undefined) },
    ),
  ]);
  const waves = assignWaves(found.rows, rollout.waves);
  const lastWave = Math.max(rollout.waves.length, ...new Set(waves));
  const { rows } = await trx.raw<{ rows: { total: number }[] }>(
    `with made as (
       insert into targets (org_id, deployment_id, robot_id, wave, lane, payload_key, rank, deadline_at)
       select d.org_id, d.id, r.id, k.wave, d.lane, d.payload_key, d.rank, 'infinity'
         from unnest(:ids::uuid[], :waves::smallint[]) as k (id, wave)
         join deployments d on d.org_id = :orgId and d.id = :deploymentId
         join robots r on r.org_id = d.org_id and r.id = k.id
       returning wave
     )
     insert into waves (org_id, deployment_id, wave, total, waiting)
     select :orgId, :deploymentId, n, count(made.wave), count(made.wave)
       from generate_series(1, :lastWave) as n left join made on made.wave = n group by n
     returning total`,
    { ...robots, ids: plainArray(found.rows.map(({ id }) => id)), waves: plainArray(waves), lastWave },
  );
  const total = rows.reduce((sum, row) => sum + row.total, 0);
  if (total === 0) throw new Error('the robots of a deployment changed while it started; retrying');
  await Promise.all([
    countTargets(trx, robots, total),
    trx.raw('update deployments set last_wave = :lastWave where org_id = :orgId and id = :deploymentId', {
      ...robots,
      lastWave,
    }),
    insertDeploymentEvent(trx, { ...robots, status: 'pending' }),
  ]);
  await startWave(trx, { ...robots, status: 'pending', wave: 1, lastWave });
}
