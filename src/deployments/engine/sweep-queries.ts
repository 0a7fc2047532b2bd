import type { Knex } from 'knex';
import type { Bus, Hint } from '../../platform/bus/bus.ts';
import { plainArray } from '../../platform/db/arrays.ts';
import { retryOnConflict } from '../../platform/db/retry-on-conflict.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { RobotKey } from './order-port.ts';
import { createTransitionBatch } from './transition-batch.ts';
import type { OrderKey, TargetKey } from './locked.ts';
import { lockTargets } from './target-locks.ts';
import { cancellableStatuses, sqlList, tooManyOrders, type TransitionTrigger } from './model.ts';
import { writeTransitions } from './write-transitions.ts';
import { openTargetsOf } from './open-targets.ts';
import { waitingDeadline } from './holds.ts';
import { isReplaced } from './robot-holds.ts';

/** Targets per transaction. */
export const sweepBatch = 5_000;
/** Deployments checked for passed deadlines at a time. */
const dueBatch = 100;
/** Targets that a pause holds are looked at this often: the deployment that caused theirs may end without a resume. */
const heldHours = 1;
/** Pause before such a deployment is checked again: a deadline is noticed at most this late. */
const lookAgainSeconds = 5;

/** What to do with a target that the sweeper found; checked again under the locks. */
export interface Sweep extends TargetKey {
  orderId: string | undefined;
  cause: Extract<
    TransitionTrigger['kind'],
    'cancelled' | 'wave_skipped' | 'superseded' | 'queue_full' | 'robot_removed' | 'deadline'
  >;
}

export interface SweepRow {
  org_id: string;
  deployment_id: string;
  robot_id: string;
  order_id: string | null;
  cause: Sweep['cause'];
}

const isSuperseded = `t.status = 'waiting' and ${isReplaced('t')}`;
export const isAbandoned =
  'not exists (select from robots r where r.org_id = t.org_id and r.id = t.robot_id and r.retired_at is null)';

/** Moves targets that the sweeper found; those that others hold are left for the next sweep. Returns how many moved. */
export async function applySweeps(db: Knex, bus: Bus, sweeps: readonly Sweep[]): Promise<number> {
  if (sweeps.length === 0) return 0;
  const orders = new Map<string, OrderKey>();
  for (const { orgId, orderId } of sweeps) if (orderId !== undefined) orders.set(orderId, { orgId, orderId });
  return retryOnConflict(() =>
    inTransaction(db, async (trx) => {
      const locked = await lockTargets(trx, { targets: sweeps, orders: [...orders.values()], passOver: true });
      const batch = createTransitionBatch(locked);
      for (const sweep of sweeps) {
        const target = locked.find(sweep);
        // Dispatched since it was found: its order is not locked here.
        if (!target || (target.orderId !== undefined && !locked.orders.has(target.orderId))) continue;
        if (sweep.cause !== 'deadline' || target.isDue) batch.move(target, { kind: sweep.cause });
      }
      await writeTransitions(trx, batch);
      const hints = [...batch.deployments.keys()].map(({ orgId, id }): Hint => ({
        topic: 'orders_changed',
        orgId,
        deploymentId: id,
      }));
      // Only if a robot must know: an order that must stop, or that ended by itself.
      const concernsRobots = batch.left.size > 0 || batch.stopped.size > 0;
      return { result: batch.targets.size, ...bus.announcing(trx, concernsRobots ? hints : []) };
    }),
  );
}

/** Targets of a cancelled deployment that are not being cancelled yet, ordered by robot. */
export async function findCancelled(
  db: Knex,
  { orgId, deploymentId }: { orgId: string; deploymentId: string },
  afterRobotId: string,
): Promise<Sweep[]> {
  const { rows } = await db.raw<{ rows: SweepRow[] }>(
    `select org_id, deployment_id, robot_id, order_id, 'cancelled' as cause from targets
      where org_id = ? and deployment_id = ? and robot_id > ? and status in (${sqlList(cancellableStatuses)})
      order by robot_id limit ?`,
    [orgId, deploymentId, afterRobotId, sweepBatch],
  );
  return rows.map(toSweep);
}

const cancelling = `
  from deployments d join deployment_counts c on c.org_id = d.org_id and c.deployment_id = d.id
 where d.ended_at is null and d.cancelled_at is not null and ${cancellableStatuses.map((status) => `c.${status}`).join(' + ')} > 0`;
export const isAnyCancelling = `exists (select ${cancelling})`;

/** Cancelled deployments with such targets. */
export async function findCancelling(db: Knex): Promise<{ orgId: string; deploymentId: string }[]> {
  const { rows } = await db.raw<{ rows: { org_id: string; id: string }[] }>(`select d.org_id, d.id ${cancelling}`);
  return rows.map((row) => ({ orgId: row.org_id, deploymentId: row.id }));
}

/** Targets that wait in skipped waves of a deployment, ordered by robot. */
export async function findSkipped(
  db: Knex,
  { orgId, deploymentId }: { orgId: string; deploymentId: string },
  afterRobotId: string,
): Promise<Sweep[]> {
  const { rows } = await db.raw<{ rows: SweepRow[] }>(
    `select org_id, deployment_id, robot_id, order_id, 'wave_skipped' as cause from targets
      where org_id = :orgId and deployment_id = :deploymentId and robot_id > :afterRobotId and status = 'waiting' and wave = any(array(
              select wave from waves where org_id = :orgId and deployment_id = :deploymentId and skipped_at is not null))
      order by robot_id limit :sweepBatch`,
    { orgId, deploymentId, afterRobotId, sweepBatch },
  );
  return rows.map(toSweep);
}

const skipping = `
  from waves w join deployments d on d.org_id = w.org_id and d.id = w.deployment_id
 where w.skipped_at is not null and w.waiting > 0 and d.ended_at is null`;
export const isAnySkipping = `exists (select ${skipping})`;

/** Deployments with such targets. */
export async function findSkipping(db: Knex): Promise<{ orgId: string; deploymentId: string }[]> {
  const { rows } = await db.raw<{ rows: { org_id: string; id: string }[] }>(
    `select distinct d.org_id, d.id ${skipping}`,
  );
  return rows.map((row) => ({ orgId: row.org_id, deploymentId: row.id }));
}

const isToCheck = 'next_deadline_at <= now()';
export const isAnyDue = `(
  select next_deadline_at from deployment_counts where next_deadline_at is not null order by next_deadline_at limit 1) <= now()`;

/** Targets whose deadline has passed, by the database's clock, without those that a pause holds. */
export async function findDue(db: Knex): Promise<Sweep[]> {
  const { rows } = await db.raw<{ rows: SweepRow[] }>(
    `select t.org_id, t.deployment_id, t.robot_id, t.order_id,
            case when ${isAbandoned} then 'robot_removed' when ${isSuperseded} then 'superseded'
                 when t.status = 'waiting' and t.reason = '${tooManyOrders}' then 'queue_full' else 'deadline' end as cause
       from (select org_id, deployment_id from deployment_counts where ${isToCheck} order by next_deadline_at limit ?) due
       join targets t using (org_id, deployment_id) join deployments d on d.org_id = t.org_id and d.id = t.deployment_id
      where t.deadline_at <= now() and (t.status <> 'waiting' or ${waitingDeadline('d', 't')} <= now()) limit ?`,
    [dueBatch, sweepBatch],
  );
  return rows.map(toSweep);
}

/**
 * Sets when the deployments that `findDue` checks are due next: at the earliest deadline of their targets, or never
 * without open targets. Holds their locks, as all code that brings a deadline forward does. Deployments that others
 * hold stay due, as does one with a target that is still due.
 * @returns how many were postponed
 */
export const postponeDueChecks = (db: Knex): Promise<number> =>
  inTransaction(db, async (trx) => {
    const { rows } = await trx.raw<{ rows: { org_id: string; id: string }[] }>(
      `select d.org_id, d.id from deployments d
         join (select * from deployment_counts where ${isToCheck} order by next_deadline_at limit ?) c
           on c.org_id = d.org_id and c.deployment_id = d.id
        order by d.org_id, d.id for no key update of d skip locked`,
      [dueBatch],
    );
    if (rows.length === 0) return { result: 0, closing: [] };
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `update deployment_counts c set next_deadline_at = case when k.earliest is not null then greatest(k.earliest, now() + make_interval(secs => ?)) end
         from (select org_id, deployment_id, (select min(case when t.status = 'waiting' then coalesce(${waitingDeadline('d', 't')}, now() + interval '${heldHours} hour') else t.deadline_at end)
                                                from deployments d join targets t on t.org_id = d.org_id and t.deployment_id = d.id
                                               where d.org_id = k.org_id and d.id = k.deployment_id) as earliest
                 from unnest(?::uuid[], ?::uuid[]) as k (org_id, deployment_id)) k
        where c.org_id = k.org_id and c.deployment_id = k.deployment_id and (k.earliest > now() or k.earliest is null)`,
      [lookAgainSeconds, plainArray(rows.map((row) => row.org_id)), plainArray(rows.map((row) => row.id))],
    );
    return { result: rowCount, closing: [] };
  });

/** Targets of removed robots. */
export const findAbandoned = (db: Knex, robots: readonly RobotKey[]): Promise<Sweep[]> =>
  findOf(db, robots, { such: isAbandoned, cause: 'robot_removed' });

/** Targets of these robots that wait behind a newer one. */
export const findReplaced = (db: Knex, robots: readonly RobotKey[]): Promise<Sweep[]> =>
  findOf(db, robots, { such: isSuperseded, cause: 'superseded' });

async function findOf(
  db: Knex,
  robots: readonly RobotKey[],
  { such, cause }: { such: string; cause: Sweep['cause'] },
): Promise<Sweep[]> {
  if (robots.length === 0) return [];
  const { rows } = await db.raw<{ rows: SweepRow[] }>(
    `select t.org_id, t.deployment_id, t.robot_id, t.order_id, '${cause}' as cause
       from unnest(?::uuid[], ?::uuid[]) as r (org_id, robot_id)
       cross join lateral ${openTargetsOf({ orgId: 'r.org_id', robotId: 'r.robot_id' })} t
      where ${such} limit ?`,
    [plainArray(robots.map(({ orgId }) => orgId)), plainArray(robots.map(({ robotId }) => robotId)), sweepBatch],
  );
  return rows.map(toSweep);
}

/**
 * What two concurrent transactions may leave: targets that started while their robot was removed, or that returned to
 * waiting while a newer one started.
 */
export async function findMissedByRace(db: Knex): Promise<Sweep[]> {
  const { rows } = await db.raw<{ rows: SweepRow[] }>(
    // Two separate selects, so that each is a join of whole tables and not a look-up per open target.
    `select t.org_id, t.deployment_id, t.robot_id, t.order_id, 'robot_removed' as cause
       from open_targets join targets t using (org_id, robot_id, deployment_id) where ${isAbandoned}
     union all
     select t.org_id, t.deployment_id, t.robot_id, t.order_id, 'superseded'
       from open_targets join targets t using (org_id, robot_id, deployment_id) where ${isSuperseded} limit ?`,
    [sweepBatch],
  );
  return rows.map(toSweep);
}

export const toSweep = (row: SweepRow): Sweep => ({
  orgId: row.org_id,
  deploymentId: row.deployment_id,
  robotId: row.robot_id,
  orderId: row.order_id ?? undefined,
  cause: row.cause,
});
