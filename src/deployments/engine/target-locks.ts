import type { Knex } from 'knex';
import { plainArray } from '../../platform/db/arrays.ts';
import { lockFreezes } from './controls/freeze-lock.ts';
import { isFrozen, isHeld, isHolding } from './holds.ts';
import { findThatKeepWaiting } from './keep-waiting.ts';
import type { Locked, LockedDeployment, LockedOrder, LockedTarget, OrderKey, TargetKey } from './locked.ts';
import { dayMs, expiryDays, targetStatuses, type Counts, type DeploymentStatus, type TargetStatus } from './model.ts';

/*
 * All code takes locks in this order, so that transactions never deadlock:
 *
 *   0. the freezes of orgs, in order of org_id, as advisory locks: dispatch, freeze, thaw and resume;
 *   1. rows of deployments, in order of (org_id, id): code that changes a target, its counts or its events holds its
 *      deployment;
 *   2. rows of orders, in order of (org_id, id);
 *   3. new payloads in order of digest, then new orders in order of robot and lane (unique indexes make writers wait
 *      for one another);
 *   4. targets, counts, events, timeline: only under 1;
 *   5. robot_reports in order of robot, and through them the robots.
 *
 * Reports, dispatch and sweeper lock through this file. A control locks a deployment with those that it caused, and no
 * order. The worker of rollouts locks a deployment, and then those that it caused: their ids are higher, but for clocks
 * that differ, and it retries. The claimer locks one deployment, and then its fleet. What it starts together it locks in
 * the order in which it is due, and the fleets after that: it skips what others hold, so it waits for nobody.
 * The removal of a robot locks the deployments of its open targets before the robot. Code that adds a robot to a fleet
 * holds the robot and the fleet, and creates its own deployments. The sweeper, the claimer and the resending of orders
 * skip locked rows, and reports do after a moment. So does progress, which locks targets and orders without their deployment and never waits.
 */

interface DeploymentRow extends Record<TargetStatus, number> {
  org_id: string;
  id: string;
  status: DeploymentStatus;
  lane: string;
  payload_key: string;
  payload_digest: string;
  proof: string;
  tag: string | null;
  signature: string | null;
  key_id: string | null;
  order_terms: string | null;
  active_minutes: number;
  started_at: Date;
  waiting_until: Date | null;
  holds_waiting: boolean;
  open_wave: number | null;
  is_frozen: boolean;
  is_holding: boolean | null;
  waits_for_maintenance: boolean;
  traceparent: string | null;
  release_id: string | null;
  config_id: string | null;
  revision: number | null;
}

type CountsRow = Counts & { deployment_id: string; event_seq: number };
interface TargetRow {
  n: number;
  status: TargetStatus;
  wave: number;
  reason: string | null;
  order_id: string | null;
  due_at: Date | null; // the deadline, if it has passed
  is_released: boolean;
}
interface OrderRow {
  org_id: string;
  id: string;
  robot_id: string;
  proof: string;
  is_cancelled: boolean;
  has_ended: boolean;
  is_quiet: boolean;
}

/**
 * For the rest of the transaction, rows are looked up one by one, by key. There are a few thousand. Postgres would read
 * all of `targets` for them, up to a million rows, as it prices an index look-up like one on a spinning disk.
 */
export const lookUpByKey = (trx: Knex) =>
  trx.raw(`select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`);

/**
 * Locks the deployments of some targets, and some orders, and reads them with those targets, in one round trip. Each
 * statement sees what was committed before it began, including the transactions that the locks waited for. `passOver`:
 * skips deployments and orders that others hold. `alsoLocked`: more deployments to lock. `dispatches`: until the transaction ends,
 * no freeze begins.
 */
export async function lockTargets(
  trx: Knex,
  {
    targets,
    orders = [],
    alsoLocked = [],
    passOver = false,
    dispatches = false,
  }: {
    targets: readonly TargetKey[];
    orders?: readonly OrderKey[];
    alsoLocked?: readonly Omit<TargetKey, 'robotId'>[];
    passOver?: boolean;
    dispatches?: boolean;
  },
): Promise<Locked> {
  const ids = [...new Map([...targets, ...alsoLocked].map((key) => [key.deploymentId, key])).values()];
  const orgIds = ids.map(({ orgId }) => orgId);
  const deploymentKeys = [plainArray(orgIds), plainArray(ids.map(({ deploymentId }) => deploymentId))];
  const [, , locked, counts, orderRows, targetRows] = await Promise.all([
    lookUpByKey(trx),
    dispatches && lockFreezes(trx, orgIds),
    trx.raw<{ rows: DeploymentRow[] }>(
      `select d.org_id, d.id, d.status, d.lane, d.payload_key, d.payload_digest, d.proof, d.signature, d.key_id, d.order_terms::text as order_terms, d.active_minutes, d.started_at, d.waiting_until,
              ${isHeld('d')} or coalesce(d.waiting_until > clock_timestamp(), false) as holds_waiting, d.open_wave, ${isFrozen('d')} as is_frozen, ${isHolding('d')} as is_holding, d.waits_for_maintenance, d.traceparent,
              d.release_id, d.config_id, d.revision, (select tag from releases r where r.org_id = d.org_id and r.id = d.release_id) as tag
         from unnest(?::uuid[], ?::uuid[]) as k (org_id, id) join deployments d using (org_id, id)
        order by d.org_id, d.id for no key update of d ${passOver ? 'skip locked' : ''}`,
      deploymentKeys,
    ),
    trx.raw<{ rows: CountsRow[] }>(
      `select c.* from unnest(?::uuid[], ?::uuid[]) as k (org_id, deployment_id) join deployment_counts c using (org_id, deployment_id)`,
      deploymentKeys,
    ),
    orders.length === 0
      ? { rows: [] }
      : trx.raw<{ rows: OrderRow[] }>(
          `select o.org_id, o.id, o.robot_id, o.proof, o.is_cancelled, o.ended_at is not null as has_ended,
                  o.touched_at < now() - interval '15 seconds' as is_quiet
             from unnest(?::uuid[], ?::uuid[]) as k (org_id, id) join orders o using (org_id, id)
            order by o.org_id, o.id for no key update of o ${passOver ? 'skip locked' : ''}`,
          [plainArray(orders.map(({ orgId }) => orgId)), plainArray(orders.map(({ orderId }) => orderId))],
        ),
    trx.raw<{ rows: TargetRow[] }>(
      `select k.n::int, t.wave, t.status, t.reason, t.order_id, t.deadline_at is distinct from 'infinity' as is_released,
              case when t.deadline_at <= clock_timestamp() then t.deadline_at end as due_at
         from unnest(?::uuid[], ?::uuid[], ?::uuid[]) with ordinality as k (org_id, deployment_id, robot_id, n)
         join targets t using (org_id, deployment_id, robot_id)`,
      [
        plainArray(targets.map(({ orgId }) => orgId)),
        plainArray(targets.map(({ deploymentId }) => deploymentId)),
        plainArray(targets.map(({ robotId }) => robotId)),
      ],
    ),
  ]);
  const countsById = new Map(counts.rows.map((row) => [row.deployment_id, row]));
  const deployments = new Map<string, LockedDeployment>();
  for (const row of locked.rows) {
    const found = countsById.get(row.id);
    if (found) deployments.set(row.id, toDeployment(row, found));
  }
  const due = targetRows.rows.flatMap(({ n, status, due_at: dueAt }) => {
    const key = targets[n - 1];
    return key && status === 'waiting' && dueAt ? [{ n, ...key }] : [];
  });
  const keepWaiting = await findThatKeepWaiting(trx, due);
  const found = new Map<string, LockedTarget>();
  const byOrder = new Map<string, LockedTarget[]>();
  for (const row of targetRows.rows) {
    const key = targets[row.n - 1];
    const deployment = key && deployments.get(key.deploymentId);
    if (!deployment) continue;
    const [reason, orderId] = [row.reason ?? undefined, row.order_id ?? undefined];
    const holdsDeadline =
      row.status === 'waiting' &&
      (deployment.holdsWaiting || keepWaiting.has(row.n)) &&
      !isBroughtForward(row.due_at, deployment);
    const target = {
      deployment,
      robotId: key.robotId,
      wave: row.wave,
      status: row.status,
      reason,
      orderId,
      isReleased: row.is_released,
      isDue: row.due_at !== null && !holdsDeadline,
    };
    found.set(nameOf(key), target);
    if (orderId === undefined) continue;
    const onOrder = byOrder.get(orderId);
    if (onOrder) onOrder.push(target);
    else byOrder.set(orderId, [target]);
  }
  return {
    deployments,
    orders: new Map(orderRows.rows.map((row) => [row.id, toOrder(row)])),
    find: (key) => found.get(nameOf(key)),
    onOrder: (orderId) => byOrder.get(orderId) ?? [],
  };
}

/** As that of a removed robot: nothing holds it. */
const isBroughtForward = (deadline: Date | null, { startedAt }: LockedDeployment) =>
  deadline !== null && deadline.getTime() < startedAt.getTime() + expiryDays * dayMs;

const nameOf = ({ deploymentId, robotId }: Pick<TargetKey, 'deploymentId' | 'robotId'>) => `${deploymentId} ${robotId}`;

function toDeployment(row: DeploymentRow, counts: CountsRow): LockedDeployment {
  return {
    orgId: row.org_id,
    id: row.id,
    status: row.status,
    lane: row.lane,
    payloadKey: row.payload_key,
    payloadDigest: row.payload_digest,
    proof: row.proof,
    name: row.tag ?? row.payload_key,
    signature: row.signature ?? undefined,
    keyId: row.key_id ?? undefined,
    orderTerms: row.order_terms ?? undefined,
    activeMinutes: row.active_minutes,
    startedAt: row.started_at,
    waitingUntil: row.waiting_until ?? undefined,
    holdsWaiting: row.holds_waiting,
    openWave: row.open_wave ?? undefined,
    isFrozen: row.is_frozen,
    isHolding: row.is_holding === true,
    waitsForMaintenance: row.waits_for_maintenance,
    traceContext: row.traceparent ?? undefined,
    releaseId: row.release_id ?? undefined,
    configId: row.config_id ?? undefined,
    revision: row.revision ?? undefined,
    counts: Object.fromEntries(targetStatuses.map((status) => [status, counts[status]])) as Counts, // one for each status
    eventSeq: counts.event_seq,
  };
}

const toOrder = (row: OrderRow): LockedOrder => ({
  orgId: row.org_id,
  id: row.id,
  robotId: row.robot_id,
  proof: row.proof,
  isCancelled: row.is_cancelled,
  hasEnded: row.has_ended,
  isQuiet: row.is_quiet,
});
