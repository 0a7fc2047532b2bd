import type { Knex } from 'knex';
import type { Hint } from '../../../platform/bus/bus.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { lockWithCaused } from './caused.ts';
import { insertDeploymentEvent } from '../events.ts';
import { hasEnded, type DeploymentStatus } from '../model.ts';

export type CancelOutcome =
  | { kind: 'changed'; status: DeploymentStatus; announce: Hint[] } // cancelled at once, or cancelling
  | { kind: 'unchanged' } // a cancel was requested before
  | { kind: 'ended'; status: DeploymentStatus };

/**
 * Requests the cancellation of a deployment, in one transaction whatever its size. None of its targets is dispatched
 * from then on, and the sweeper ends them. A deployment that is not due yet has no targets, and is cancelled at once.
 * `cause`: why, if no person or program requests it.
 * Undefined if the org has no such deployment.
 */
export async function requestCancel(
  trx: Knex,
  orgId: string,
  deploymentId: string,
  cause?: { reason: string; message: string | undefined },
): Promise<CancelOutcome | undefined> {
  const key = { orgId, deploymentId };
  const { own, caused } = await lockWithCaused(trx, key);
  if (!own) return undefined;
  const before = own.status;
  if (hasEnded(before)) {
    if (!own.isDynamic) return { kind: 'ended', status: before };
    await endDynamic(trx, key, before);
    return { kind: 'changed', status: before, announce: [{ topic: 'orders_changed', orgId, deploymentId }] };
  }
  // A replica of an earlier release leaves it so if it was paused before it began.
  if (before === 'cancelling' && own.hasBegun) return { kind: 'unchanged' };
  const status = own.hasBegun ? 'cancelling' : 'cancelled';
  await Promise.all([
    trx.raw(
      `update deployments set status = :status, cancelled_at = clock_timestamp(),
              ended_at = case when :status = 'cancelled' then clock_timestamp() end, reason = coalesce(:reason, reason), decide_at = null
        where org_id = :orgId and id = :deploymentId`,
      { ...key, status, reason: cause?.reason ?? null },
    ),
    insertDeploymentEvent(trx, { ...key, status, ...cause }),
    (own.isDynamic || ((own.isHolding || own.isRollout) && caused.length > 0)) && cancelCaused(trx, key),
  ]);
  // A deployment that has not started concerns no robot yet.
  const announce: Hint[] = status === 'cancelled' ? [] : [{ topic: 'orders_changed', orgId, deploymentId }];
  return { kind: 'changed', status, announce };
}

/** No robot that matches later receives a deployment that has ended, and those that did not finish stop. */
const endDynamic = (trx: Knex, key: { orgId: string; deploymentId: string }, status: DeploymentStatus) =>
  Promise.all([
    trx.raw('update deployments set match_at = null where org_id = :orgId and id = :deploymentId', key),
    insertDeploymentEvent(trx, { ...key, status, reason: 'dynamic_ended', message: 'it was cancelled' }),
    cancelCaused(trx, key),
  ]);

/**
 * Cancels what cancelled rollouts, and deployments that are rolled back, caused and what is not cancelled yet: robots
 * joined at the same time, or a replica of the previous release cancelled the rollout. Until then they are held.
 */
export async function cancelLeftCaused(db: Knex): Promise<void> {
  const { rows } = await db.raw<{ rows: { org_id: string; id: string }[] }>(
    `select distinct cause.org_id, cause.id
       from deployments d join deployments cause on cause.org_id = d.org_id and cause.id = d.cause_id
      where d.cause_id is not null and d.ended_at is null and d.cancelled_at is null
        and (cause.rollout is not null and cause.cancelled_at is not null or cause.rollback_at is not null) limit 100`,
  );
  for (const { org_id: orgId, id: deploymentId } of rows)
    await inTransaction(db, async (trx) => {
      await lockWithCaused(trx, { orgId, deploymentId });
      await cancelCaused(trx, { orgId, deploymentId });
      return { result: undefined, closing: [] };
    });
}

/**
 * Cancels what robots that joined the fleet wait for. Of a rollout, and of a deployment that is rolled back, also what
 * they work on, as its own robots.
 */
export const cancelCaused = (trx: Knex, key: { orgId: string; deploymentId: string }) =>
  trx.raw(
    `with caused as materialized (
       select d.id from deployments cause join deployments d on d.org_id = cause.org_id and d.cause_id = cause.id
         join deployment_counts c on c.org_id = d.org_id and c.deployment_id = d.id
        where cause.org_id = :orgId and cause.id = :deploymentId and d.ended_at is null and d.cancelled_at is null
          and (c.waiting > 0 or cause.rollout is not null or cause.rollback_at is not null)
     ), cancelled as (
       update deployments d set status = 'cancelling', cancelled_at = clock_timestamp() from caused where d.org_id = :orgId and d.id = caused.id
     ), numbered as (
       update deployment_counts c set event_seq = event_seq + 1 from caused where c.org_id = :orgId and c.deployment_id = caused.id
       returning c.deployment_id, c.event_seq
     )
     insert into deployment_events (org_id, deployment_id, seq, at, status)
     select :orgId::uuid, deployment_id, event_seq, clock_timestamp(), 'cancelling' from numbered`,
    key,
  );

/** IDs of the deployments of a config entry that have not ended, oldest first, at most `limit`. */
export async function listActiveOfConfig(db: Knex, orgId: string, configId: string, limit: number): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    'select id from deployments where org_id = :orgId and config_id = :configId and ended_at is null order by id limit :limit',
    { orgId, configId, limit },
  );
  return rows.map(({ id }) => id);
}

/**
 * Requests the cancellation of all deployments of a config entry that have not ended, as `requestCancel` does for one.
 * Runs in a transaction in which no deployment of the entry can be created. Returns the hints to announce.
 */
export async function cancelOfConfig(trx: Knex, orgId: string, configId: string): Promise<Hint[]> {
  const { rows } = await trx.raw<{ rows: { id: string; status: DeploymentStatus }[] }>(
    `with active as materialized (
       select id, status, started_at is null as is_idle from deployments
        where org_id = :orgId and config_id = :configId and ended_at is null
        order by id for no key update
     ), cancelled as (
       update deployments d set status = case when active.is_idle then 'cancelled' else 'cancelling' end,
              cancelled_at = clock_timestamp(), ended_at = case when active.is_idle then clock_timestamp() end
         from active where d.org_id = :orgId and d.id = active.id and active.status <> 'cancelling'
       returning d.id, d.status
     ), numbered as (
       update deployment_counts c set event_seq = event_seq + 1 from cancelled
        where c.org_id = :orgId and c.deployment_id = cancelled.id
       returning c.deployment_id, c.event_seq, cancelled.status
     ), noted as (
       insert into deployment_events (org_id, deployment_id, seq, at, status)
       select :orgId::uuid, deployment_id, event_seq, clock_timestamp(), status from numbered
     )
     select id, status from cancelled order by id`,
    { orgId, configId },
  );
  // One hint is enough: the sweeper then looks for all cancelled deployments.
  const started = rows.find(({ status }) => status === 'cancelling');
  return started ? [{ topic: 'orders_changed', orgId, deploymentId: started.id }] : [];
}

/**
 * Lets the sweeper end the open targets of a robot. Runs in the transaction that removes the robot, before it locks the
 * robot (`target-locks.ts`). Returns the hints to announce. They make the sweeper look for targets that started
 * concurrently, unseen by that transaction.
 */
export async function abandonRobot(trx: Knex, orgId: string, robotId: string): Promise<Hint[]> {
  const key = { orgId, robotId };
  // Also targets whose wave has not begun, which are not in `open_targets`.
  const isOpen = 'org_id = :orgId and robot_id = :robotId and deadline_at is not null';
  await Promise.all([
    trx.raw(
      `select from deployments d where org_id = :orgId and id in (select deployment_id from targets where ${isOpen})
        order by org_id, id for no key update`,
      key,
    ),
    trx.raw(
      // Before its usual expiry, however old the deployment is: no pause and no wave holds it.
      `update targets set deadline_at = created_at where ${isOpen}`,
      key,
    ),
  ]);
  return [{ topic: 'robot_removed', ...key }];
}
