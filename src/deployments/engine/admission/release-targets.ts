import type { Knex } from 'knex';
import { plainArray } from '../../../platform/db/arrays.ts';
import { lacksCapability } from '../holds.ts';
import { keepsWaiting } from '../robot-holds.ts';
import { expiryDays, tooManyOrders } from '../model.ts';
import { isQueueFull, mayFillQueue } from '../queue-limit.ts';

/*
 * A target that may be dispatched has a deadline and a row in `open_targets`. One whose wave has not begun, or that is
 * not admitted, has the deadline `infinity` and no such row. The deployment is locked.
 */

interface DeploymentKey {
  orgId: string;
  deploymentId: string;
}

/** Lets waiting targets be dispatched, for at least 7 days. `such`: SQL about the target `o`, with its bindings. */
export const releaseTargets = (trx: Knex, key: DeploymentKey, such: string, bindings: Knex.ValueDict) =>
  trx.raw(
    `with started as (
       update targets o set (deadline_at, reason) = (
           select case when q.is_full then o.created_at else clock_timestamp() + make_interval(days => :expiryDays) end,
                  case when q.is_full then '${tooManyOrders}' end
             from (select case when (select ${mayFillQueue(':orgId')}) then
                     ${isQueueFull({ orgId: 'o.org_id', robotId: 'o.robot_id', lane: 'o.lane', key: 'o.payload_key' })} else false end as is_full) q)
        where o.org_id = :orgId and o.deployment_id = :deploymentId and o.deadline_at = 'infinity' and ${such}
       returning o.org_id, o.robot_id, o.deployment_id
     )
     insert into open_targets select org_id, robot_id, deployment_id from started on conflict do nothing`,
    { ...key, ...bindings, expiryDays },
  );

export const admitRobots = (trx: Knex, key: DeploymentKey, robotIds: readonly string[]) =>
  releaseTargets(trx, key, 'o.robot_id = any(:robotIds::uuid[])', { robotIds: plainArray(robotIds) });

/** Takes back what was not dispatched, of gradual deployments: these robots are admitted again when there is room. */
export const takeBack = (trx: Knex, orgId: string, deploymentIds: readonly string[]) =>
  trx.raw(
    `with waiting as materialized (
       select o.robot_id, o.deployment_id from open_targets o join targets t using (org_id, robot_id, deployment_id)
         join deployments d on d.org_id = o.org_id and d.id = o.deployment_id and d.is_gradual
        where o.org_id = :orgId and o.deployment_id = any(:ids::uuid[]) and t.status = 'waiting' and t.deadline_at > now()
     ), held as (
       update targets t set deadline_at = 'infinity' from waiting
        where t.org_id = :orgId and t.deployment_id = waiting.deployment_id and t.robot_id = waiting.robot_id
     )
     delete from open_targets o using waiting
      where o.org_id = :orgId and o.deployment_id = waiting.deployment_id and o.robot_id = waiting.robot_id`,
    { orgId, ids: plainArray(deploymentIds) },
  );

/** The agent on the link `l` takes the orders of the deployment `d`, as SQL. */
export const takesOrder = `l.takes_orders and not ${lacksCapability('d', 'l')}`;

/** Ends the wait of robots that were offline for 7 days, or have an agent that is too old, unless something held them: the sweeper fails them as expired. */
export const expireOffline = (trx: Knex, { orgId, deploymentId, openWave }: DeploymentKey & { openWave: number }) =>
  trx.raw(
    `with late as (
       update targets t set deadline_at = clock_timestamp() from deployments d
        where d.org_id = t.org_id and d.id = t.deployment_id and t.org_id = :orgId and t.deployment_id = :deploymentId and t.wave <= :openWave and t.deadline_at = 'infinity'
          and t.status = 'waiting' and not ${keepsWaiting('d', 't.robot_id')} and not exists (select from robot_links l
                           where l.org_id = t.org_id and l.robot_id = t.robot_id and l.last_seen_at > now() - make_interval(days => :expiryDays) and ${takesOrder})
       returning t.org_id, t.robot_id, t.deployment_id
     )
     insert into open_targets select org_id, robot_id, deployment_id from late on conflict do nothing`,
    { orgId, deploymentId, openWave, expiryDays },
  );
