import type { Knex } from 'knex';
import type { Hint } from '../../platform/bus/bus.ts';
import { plainArray } from '../../platform/db/arrays.ts';
import { namedBindings } from '../../platform/db/named-bindings.ts';
import type { Rollout } from '../../rollout-policies/service.ts';
import type { DueDeployment } from './due-deployments.ts';
import { isQueueFull, mayFillQueue } from './queue-limit.ts';
import { insertDeploymentEvent } from './events.ts';
import { findLeftOut, noteLeftOut, pauseIfEmptied, without, type LeftOut } from './left-out.ts';
import { createMissingDeployments } from './missing-deployments.ts';
import { expiryDays, tooManyOrders } from './model.ts';
import { isBlocked, isStillBlocked, pauseOlder } from './superseding.ts';
import { findJoined, readPlannedWaves } from './plans/plan-robots.ts';
import {
  countRobots,
  maxTargets,
  orderOf,
  readWaves,
  type RobotWave,
  type TargetRobots,
} from './rollouts/read-waves.ts';
import { overtakenByNewer } from './retries/retry-robots.ts';
import { overtaken } from './rollbacks/returning-robots.ts';
import { RobotsChanged } from './robots-changed.ts';
import { startWave } from './rollouts/start-wave.ts';
import { lookUpByKey } from './target-locks.ts';
import { fleetOf, findMissing, targetSql, type Target } from './target-sql.ts';

export interface Expanded {
  lateSeconds: number; // after the instant it was due
  targets: number;
  announce: Hint[]; // of deployments for robots that joined its fleet before it began
}

/**
 * Starts a deployment in the transaction that claimed it: fixes its robots as they are now. Undefined if older deployments
 * must end first; then it is due again in a moment.
 */
export async function expand(
  trx: Knex,
  { orgId, deploymentId, target, rollout, isGradual, blockedBy, lateSeconds }: Omit<DueDeployment, 'traceContext'>,
  mostTargets = maxTargets,
): Promise<Expanded | undefined> {
  const key = { orgId, deploymentId };
  if (await isStillBlocked(trx, key, blockedBy)) return undefined;
  const fleetId = fleetOf(target);
  // A transaction that adds a robot to the fleet runs before, and is found, or after, and finds this deployment
  // (`missing-deployments.ts`).
  if (fleetId !== undefined)
    await trx.raw('select from fleets where org_id = :orgId and id = :fleetId for update', { orgId, fleetId });
  const missing = await findMissing(trx, orgId, target, rollout);
  if (missing !== undefined) {
    await fail(trx, key, 'unknown_selector_name', missing);
    return { lateSeconds, targets: 0, announce: [] };
  }
  if (target.kind === 'rollback') await leaveOvertaken(trx, key);
  if (target.kind === 'retry') await dropOvertaken(trx, key);
  const bindings = namedBindings(key);
  const all: Robots = { ...key, target, isGradual, isTarget: targetSql(orgId, target, bindings), bindings };
  const leftOut = await findLeftOut(trx, all, deploymentId);
  const robots = leftOut ? without(all, leftOut) : all;
  const count = await countRobots(trx, robots, mostTargets);
  if (count === 0 || count > mostTargets) {
    if (count > 0) await fail(trx, key, 'too_many_targets');
    else await fail(trx, key, leftOut ? 'downgrade_left_out' : 'no_targets', leftOut?.note);
    return { lateSeconds, targets: 0, announce: [] };
  }
  if (rollout?.supersede === 'finish' && (await isBlocked(trx, robots))) return undefined;
  if (rollout?.supersede === 'pause') await pauseOlder(trx, robots);
  if (leftOut) await noteLeftOut(trx, key, leftOut);
  await (rollout ? fixWaves(trx, all, rollout, leftOut) : fixTargets(trx, robots));
  return { lateSeconds, targets: count, announce: await orderForJoined(trx, robots) };
}

/** Robots that joined the fleet of a plan before the deployment began get it as those that join later. */
async function orderForJoined(trx: Knex, { orgId, target }: Robots): Promise<Hint[]> {
  if (target.kind !== 'plan' || target.fleetId === undefined) return [];
  const hints: Hint[] = [];
  for (const robotId of await findJoined(trx, { orgId, planId: target.id, fleetId: target.fleetId }))
    hints.push(...(await createMissingDeployments(trx, orgId, { robotId, fleetId: target.fleetId })));
  return hints;
}

/** Robots that got something newer since the rollback was created are looked at again (`rollbacks/roll-back.ts`). */
const leaveOvertaken = (trx: Knex, key: { orgId: string; deploymentId: string }) =>
  trx.raw(
    `delete from rollback_robots where org_id = :orgId and rollback_id = :deploymentId and robot_id in (${overtaken})`,
    key,
  );

/** Robots that got something newer since the retry was created keep that: it would have the newest rank. */
const dropOvertaken = async (trx: Knex, key: { orgId: string; deploymentId: string }) => {
  await lookUpByKey(trx);
  await trx.raw(
    `delete from retry_robots where org_id = :orgId and retry_id = :deploymentId and robot_id in (${overtakenByNewer})`,
    key,
  );
};

/**
 * No replica of the previous release ends a deployment to a selector, with a plan or of a retry: it would find no robot, or
 * others (migrations 0031, 0032 and 0041).
 */
const matchedNow = `matched_at = case when target_kind = 'selector' then clock_timestamp() end,
  planned_at = case when plan_id is not null then clock_timestamp() end,
  retried_at = case when retry_of is not null then clock_timestamp() end`;

async function fail(
  trx: Knex,
  key: { orgId: string; deploymentId: string },
  reason: string,
  message?: string,
): Promise<void> {
  await Promise.all([
    trx.raw(
      `update deployments set status = 'failed', reason = :reason, ended_at = clock_timestamp(), ${matchedNow} where org_id = :orgId and id = :deploymentId`,
      { ...key, reason },
    ),
    insertDeploymentEvent(trx, { ...key, status: 'failed', reason, message }),
  ]);
}

/** The bindings have also `deploymentId`. */
interface Robots extends TargetRobots {
  deploymentId: string;
  target: Target;
  isGradual: boolean;
}

const begin = (trx: Knex, { bindings, isGradual }: Robots, rollout?: Rollout) =>
  trx.raw(
    `update deployments set status = 'pending', started_at = clock_timestamp(), rank = nextval('deployment_rank'), is_superseding = true, overlaps_decided_at = clock_timestamp(),
            rollout = coalesce(rollout, :rollout::jsonb), is_gradual = :isGradual,
            open_wave = case when :rollout::jsonb is not null then 0 end, ${matchedNow}
      where org_id = :orgId and id = :deploymentId`,
    { ...bindings.values, isGradual, rollout: rollout ? JSON.stringify(rollout) : null },
  );

const countTargets = (trx: Knex, { bindings }: Robots, total: number) =>
  trx.raw(
    'update deployment_counts set total = :total, waiting = :total where org_id = :orgId and deployment_id = :deploymentId',
    { ...bindings.values, total },
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
             from robots r where r.org_id = d.org_id and ${robots.isTarget} and r.retired_at is null offset 0 -- each is asked once
         ) r
        where d.org_id = :orgId and d.id = :deploymentId`,
      { ...robots.bindings.values, expiryDays },
    ),
  ]);
  const total = made.rowCount;
  if (total === 0) throw new RobotsChanged();
  await Promise.all([
    countTargets(trx, robots, total),
    trx.raw(
      `insert into waves (org_id, deployment_id, wave, total, started_at)
       select org_id, id, 1, :total, started_at from deployments where org_id = :orgId and id = :deploymentId`,
      { ...robots.bindings.values, total },
    ),
    insertDeploymentEvent(trx, { ...keyOf(robots), status: 'pending' }),
  ]);
}

const keyOf = ({ orgId, deploymentId }: Robots) => ({ orgId, deploymentId });

function wavesOf(trx: Knex, robots: Robots, rollout: Rollout): Promise<RobotWave[]> {
  const { target } = robots;
  if (target.kind === 'plan') return readPlannedWaves(trx, robots, target.id);
  return readWaves(trx, robots, orderOf({ isRollback: target.kind === 'rollback' }), rollout);
}

/** Fixes the robots of a rollout with their waves, and begins the first wave. Those that are left out have a place in them. */
async function fixWaves(trx: Knex, robots: Robots, rollout: Rollout, leftOut: LeftOut | undefined): Promise<void> {
  const { values } = robots.bindings;
  const [, all] = await Promise.all([begin(trx, robots, rollout), wavesOf(trx, robots, rollout)]);
  const found = all.filter(({ id }) => !leftOut?.ids.has(id));
  const waves = found.map(({ wave }) => wave);
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
    { ...values, ids: plainArray(found.map(({ id }) => id)), waves: plainArray(waves), lastWave },
  );
  const total = rows.reduce((sum, row) => sum + row.total, 0);
  if (total === 0) throw new RobotsChanged();
  await Promise.all([
    countTargets(trx, robots, total),
    trx.raw('update deployments set last_wave = :lastWave where org_id = :orgId and id = :deploymentId', {
      ...values,
      lastWave,
    }),
    insertDeploymentEvent(trx, { ...keyOf(robots), status: 'pending' }),
  ]);
  await startWave(trx, { ...keyOf(robots), status: 'pending', wave: 1, lastWave, isGradual: robots.isGradual });
  if (leftOut) await pauseIfEmptied(trx, keyOf(robots), leftOut, { waves: all, lastWave });
}
