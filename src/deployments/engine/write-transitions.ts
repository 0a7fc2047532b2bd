import type { Knex } from 'knex';
import { nullableArray, plainArray } from '../../platform/db/arrays.ts';
import { timelineService } from '../../timeline/service.ts';
import {
  deltasOf,
  endsNow,
  type DeploymentChange,
  type TransitionBatch,
  type BatchedEvent,
  type TargetChange,
} from './transition-batch.ts';
import { countInWaves } from './rollouts/wave-counts.ts';
import { isRollout, type LockedDeployment, type LockedOrder } from './locked.ts';
import { dayMs, expiryDays, targetStatuses, terminalStatuses } from './model.ts';
import { isOnOrder } from './open-targets.ts';
import { isReplaced } from './robot-holds.ts';

/** Maximum wait for the robot's response to a cancel, however long the order itself may take. */
const maxCancelMinutes = 30;
const column = <Item>(items: readonly Item[], of: (item: Item) => string | number | undefined) =>
  nullableArray(items.map(of));

/**
 * Writes a batch of transitions in one round trip: targets, counts, events, deployments, orders, timelines.
 * @returns the IDs of the orders that end with it
 * @throws Error if a target differs from what was read: it was moved without its deployment's lock. Nothing may be
 * committed then.
 */
export async function writeTransitions(trx: Knex, batch: TransitionBatch): Promise<ReadonlySet<string>> {
  const changes = [...batch.targets.values()];
  if (changes.length === 0) return new Set();
  const changedDeployments = [...batch.deployments.values()];
  const moved = changedDeployments.filter(({ before, deployment }) => before !== deployment.status);
  const { timelineEvents } = batch;
  // The locks tell which orders are open. If SQL asked for that, Postgres might choose an index of all open orders.
  const orders = (ids: ReadonlySet<string>) =>
    [...ids].flatMap((id) => batch.locked.orders.get(id) ?? []).filter(({ hasEnded }) => !hasEnded);
  const [stopped, left] = [orders(batch.stopped), orders(batch.left)];
  const inRollouts = changes.filter(({ target }) => isRollout(target.deployment));
  const [written, , , , , , ended] = await Promise.all([
    updateTargets(trx, changes),
    updateCounts(trx, changedDeployments),
    insertEvents(trx, batch.events),
    moved.length > 0 && updateDeployments(trx, moved),
    timelineEvents.length > 0 && timelineService(trx).recordMany(timelineEvents.map(noteOf)),
    stopped.length > 0 && stopOrders(trx, stopped),
    left.length > 0 ? endOrders(trx, left) : { rows: [] },
    inRollouts.length > 0 && countInWaves(trx, inRollouts),
  ]);
  if (written.rowCount !== changes.length)
    throw new Error(`${changes.length - written.rowCount} targets were moved without the lock of their deployment`);
  return new Set(ended.rows.map(({ id }) => id));
}

/** A target that returns to waiting beside a newer one goes to the sweeper at once: it would never be dispatched. */
function updateTargets(trx: Knex, changes: readonly TargetChange[]) {
  const returns = changes.some(({ target }) => target.status === 'waiting');
  // Nearly always, none returns, and Postgres needs not plan for one.
  const expiry = returns
    ? `case when m.status = 'waiting' and ${isReplaced('t')} then t.created_at else m.expires_at end`
    : 'm.expires_at';
  return trx.raw<{ rowCount: number }>(
    `update targets t
        set status = m.status, reason = m.reason, message = m.message, order_id = m.order_id, updated_at = clock_timestamp(),
            progress_percent = null, progress_text = null, progress_at = null,
            dispatched_at = case when m.status = 'dispatched' then clock_timestamp() else t.dispatched_at end,
            deadline_at = case m.deadline when 'active' then clock_timestamp() + make_interval(
                                            mins => case m.status when 'cancelling' then least(m.active_minutes, ${maxCancelMinutes}) else m.active_minutes end)
                                          when 'now' then now()
                                          when 'expiry' then ${expiry} end
       from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::uuid[], ?::text[], ?::int[], ?::timestamptz[])
            as m (org_id, deployment_id, robot_id, before, status, reason, message, order_id, deadline, active_minutes, expires_at)
      where t.org_id = m.org_id and t.deployment_id = m.deployment_id and t.robot_id = m.robot_id and t.status = m.before`,
    [
      column(changes, ({ target }) => target.deployment.orgId),
      column(changes, ({ target }) => target.deployment.id),
      column(changes, ({ target }) => target.robotId),
      column(changes, ({ before }) => before),
      column(changes, ({ target }) => target.status),
      column(changes, ({ reason }) => reason),
      column(changes, ({ message }) => message),
      column(changes, ({ target }) => target.orderId),
      column(changes, ({ deadline }) => deadline),
      column(changes, ({ target }) => target.deployment.activeMinutes),
      column(changes, ({ target: { deployment } }) => expiryOf(deployment).toISOString()),
    ],
  );
}

const expiryOf = ({ startedAt, waitingUntil }: LockedDeployment) =>
  new Date(Math.max(startedAt.getTime() + expiryDays * dayMs, waitingUntil?.getTime() ?? 0));

const updateCounts = (trx: Knex, changes: readonly DeploymentChange[]) => {
  const deltas = changes.map(deltasOf);
  return trx.raw(
    `update deployment_counts c
        set ${targetStatuses.map((status) => `${status} = c.${status} + d.${status}`).join(', ')}, event_seq = c.event_seq + d.events
       from unnest(?::uuid[], ?::uuid[], ?::int[]${', ?::int[]'.repeat(targetStatuses.length)})
            as d (org_id, deployment_id, events, ${targetStatuses.join(', ')})
      where c.org_id = d.org_id and c.deployment_id = d.deployment_id`,
    [
      column(changes, ({ deployment }) => deployment.orgId),
      column(changes, ({ deployment }) => deployment.id),
      column(changes, ({ events }) => events),
      ...targetStatuses.map((_status, index) => plainArray(deltas.map((delta) => delta[index] ?? 0))),
    ],
  );
};

const insertEvents = (trx: Knex, events: readonly BatchedEvent[]) =>
  trx.raw(
    `insert into deployment_events (org_id, deployment_id, seq, at, status, robot_id, target_status, reason, message)
     select org_id, deployment_id, seq, clock_timestamp(), status, robot_id, target_status, reason, message
       from unnest(?::uuid[], ?::uuid[], ?::bigint[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::text[])
            as e (org_id, deployment_id, seq, status, robot_id, target_status, reason, message)`,
    [
      column(events, ({ deployment }) => deployment.orgId),
      column(events, ({ deployment }) => deployment.id),
      column(events, ({ seq }) => seq),
      column(events, ({ status }) => status),
      column(events, ({ robotId }) => robotId),
      column(events, ({ targetStatus }) => targetStatus),
      column(events, ({ reason }) => reason),
      column(events, ({ message }) => message),
    ],
  );

/** Once all robots have ended, the last that applied what is rolled back return. */
const updateDeployments = (trx: Knex, changes: readonly DeploymentChange[]) =>
  trx.raw(
    `update deployments d set status = m.status, ended_at = case when m.has_ended then clock_timestamp() end,
            decide_at = case when m.has_ended and d.rollback_at is not null then now() else d.decide_at end
       from unnest(?::uuid[], ?::uuid[], ?::text[], ?::boolean[]) as m (org_id, id, status, has_ended)
      where d.org_id = m.org_id and d.id = m.id`,
    [
      column(changes, ({ deployment }) => deployment.orgId),
      column(changes, ({ deployment }) => deployment.id),
      column(changes, ({ deployment }) => deployment.status),
      column(changes, (change) => String(endsNow(change))),
    ],
  );

const orderKeys = (orders: readonly LockedOrder[]) => [
  column(orders, ({ orgId }) => orgId),
  column(orders, ({ id }) => id),
];

const stopOrders = (trx: Knex, orders: readonly LockedOrder[]) =>
  trx.raw(
    `update orders o set is_cancelled = true from unnest(?::uuid[], ?::uuid[]) as k (org_id, id)
      where o.org_id = k.org_id and o.id = k.id and not o.is_cancelled`,
    orderKeys(orders),
  );

/**
 * An order ends with its last target. Its targets may be of several deployments: the order's lock lets the last one see
 * that the others ended.
 */
const endOrders = (trx: Knex, orders: readonly LockedOrder[]) =>
  trx.raw<{ rows: { id: string }[] }>(
    `update orders o set ended_at = clock_timestamp() from unnest(?::uuid[], ?::uuid[]) as k (org_id, id)
      where o.org_id = k.org_id and o.id = k.id
        and (select count(*) from targets t where ${isOnOrder('t', 'o')}
                and t.status not in ('waiting', ${terminalStatuses})) = 0
     returning o.id`,
    orderKeys(orders),
  );

function noteOf({ deployment, robotId, targetStatus, reason }: BatchedEvent) {
  const facts = { deployment_id: deployment.id, name: deployment.name, lane: deployment.lane };
  return targetStatus === 'dispatched'
    ? { orgId: deployment.orgId, robotId, kind: 'deployment_dispatched' as const, details: facts }
    : {
        orgId: deployment.orgId,
        robotId,
        kind: 'deployment_ended' as const,
        details: { status: targetStatus, reason, ...facts },
      };
}
