import type { Knex } from 'knex';
import type { Hint } from '../../../platform/bus/bus.ts';
import { freeCaused, hintsOf } from '../controls/caused.ts';
import { insertDeploymentEvent } from '../events.ts';
import { expiryDays, tooManyOrders, type DeploymentStatus } from '../model.ts';
import { isQueueFull, mayFillQueue } from '../queue-limit.ts';

/** A rollout in progress is decided on at least this often: robots become unhealthy, time passes. */
export const againSeconds = 5;

/**
 * Begins a wave of a rollout whose deployment is locked: its waiting targets may be dispatched, for at least 7 days. With the
 * last wave, robots that joined the fleet meanwhile may receive the deployment too. The next decision is due when one
 * of its robots has ended, in 5 s at the latest, and at once if none waits. Returns the hints to announce.
 */
export async function startWave(
  trx: Knex,
  wave: { orgId: string; deploymentId: string; status: DeploymentStatus; wave: number; lastWave: number },
): Promise<Hint[]> {
  const key = { orgId: wave.orgId, deploymentId: wave.deploymentId, wave: wave.wave, expiryDays };
  const [started] = await Promise.all([
    trx.raw<{ rows: [{ total: number; waiting: number }] }>(
      `update waves set started_at = clock_timestamp() where org_id = :orgId and deployment_id = :deploymentId and wave = :wave
       returning total, waiting`,
      key,
    ),
    trx.raw(
      `with started as (
         update targets t
            set deadline_at = case when q.is_full then t.created_at else clock_timestamp() + make_interval(days => :expiryDays) end,
                reason = case when q.is_full then '${tooManyOrders}' end
           from (
             select o.org_id, o.deployment_id, o.robot_id, case when org.may_crowd then
                      ${isQueueFull({ orgId: 'o.org_id', robotId: 'o.robot_id', lane: 'o.lane', key: 'o.payload_key' })} else false end as is_full
               from targets o, (select ${mayFillQueue(':orgId')} as may_crowd) org
              where o.org_id = :orgId and o.deployment_id = :deploymentId and o.wave = :wave and o.deadline_at = 'infinity' offset 0) q
          where t.org_id = q.org_id and t.deployment_id = q.deployment_id and t.robot_id = q.robot_id
         returning t.org_id, t.robot_id, t.deployment_id
       )
       insert into open_targets select org_id, robot_id, deployment_id from started on conflict do nothing`,
      key,
    ),
  ]);
  const { total, waiting } = started.rows[0];
  await trx.raw(
    `update deployments set open_wave = :wave, decide_at = clock_timestamp() + make_interval(secs => :seconds),
            waiting_until = greatest(waiting_until, clock_timestamp() + make_interval(days => :expiryDays))
      where org_id = :orgId and id = :deploymentId`,
    { ...key, seconds: waiting === 0 ? 0 : againSeconds },
  );
  await insertDeploymentEvent(trx, {
    ...{ orgId: wave.orgId, deploymentId: wave.deploymentId, status: wave.status, reason: 'wave_started' },
    message: waveText(wave.wave, wave.lastWave, total),
  });
  const freed = wave.wave < wave.lastWave ? [] : await freeCaused(trx, key);
  return hintsOf(wave.orgId, wave.deploymentId, freed);
}

/** As in `wave 2 of 4: 25 robots`. */
const waveText = (wave: number, lastWave: number, robots: number): string =>
  `wave ${wave} of ${lastWave}: ${robots} ${robots === 1 ? 'robot' : 'robots'}`;
