import type { Knex } from 'knex';
import { isId } from '../../kernel/ids.ts';
import { plainArray } from '../../platform/db/arrays.ts';
import { isLockTimeout } from '../../platform/db/faults.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { Recorded, ReportResult, TraceOfReport } from './order-port.ts';
import { createTransitionBatch } from './transition-batch.ts';
import { isRollout, type LockedTarget, type TargetKey } from './locked.ts';
import { lockTargets, lookUpByKey } from './target-locks.ts';
import { findCurrent, type ReportOfLink } from './links.ts';
import { isTerminal, mayReport } from './model.ts';
import { writeTransitions } from './write-transitions.ts';
import { isOnOrder } from './open-targets.ts';
import { keepProgress } from './progress.ts';
import { writeProofs, type Proof } from './proofs.ts';

/** `locked`: another transaction holds what the robot reported on; nothing of the robot was recorded. */
type ReportOutcome = Recorded | { kind: 'stale' } | { kind: 'locked' };

/**
 * Wait for rows that others hold, as another replica does while it records its own reports. Those that are held for longer
 * are passed over, with the reports on them.
 */
const lockWait = '1s';

interface TargetRow {
  org_id: string;
  deployment_id: string;
  robot_id: string;
  order_id: string;
}

interface Options {
  /** Whether it waits for nothing that others hold. Otherwise it does for 1 s. */
  passOver: boolean;
  /** Targets of one transaction with several reports: an order of config may have 1,000. Default 20,000. */
  maxTargets?: number | undefined;
  /** Called after the commit if robots of a rollout have ended. Nothing by default. */
  onDecisionDue?: (() => void) | undefined;
}

/**
 * Records reports in order of arrival; returns the outcome of each. Mere progress changes no status and blocks nothing.
 * @throws Error if there are too many targets for one transaction
 */
export async function recordReports(
  db: Knex,
  reports: readonly ReportOfLink[],
  options: Options,
): Promise<ReportOutcome[]> {
  const kept = reports.some(({ report }) => report.progress) ? await keepInTransaction(db, reports) : new Set();
  const others = reports.filter((_report, index) => !kept.has(index));
  const outcomes = others.length === 0 ? [] : await recordMoves(db, others, options);
  // One outcome per report, in order.
  return reports.map(({ report: { status } }, index) =>
    kept.has(index)
      ? { kind: 'recorded', ended: false, result: { status, reason: undefined } }
      : (outcomes.shift() as ReportOutcome),
  );
}

const keepInTransaction = (db: Knex, reports: readonly ReportOfLink[]) =>
  inTransaction(db, async (trx) => {
    const [, result] = await Promise.all([lookUpByKey(trx), keepProgress(trx, reports)]);
    return { result, closing: [] };
  });

/** Records reports that may change a status. */
async function recordMoves(db: Knex, reports: readonly ReportOfLink[], options: Options): Promise<ReportOutcome[]> {
  const { outcomes, isDecisionDue } = await recordTogether(db, reports, options).catch((error: unknown) => {
    if (options.passOver || !isLockTimeout(error)) throw error;
    return recordTogether(db, reports, { ...options, passOver: true });
  });
  if (isDecisionDue) options.onDecisionDue?.();
  return outcomes;
}

const recordTogether = (db: Knex, reports: readonly ReportOfLink[], { passOver, maxTargets = 20_000 }: Options) =>
  inTransaction(db, async (trx) => {
    const [, , current, targets] = await Promise.all([
      trx.raw(`set local lock_timeout = '${lockWait}'`),
      lookUpByKey(trx),
      findCurrent(trx, reports),
      findTargets(trx, reports),
    ]);
    if (targets.length > maxTargets && reports.length > 1)
      throw new Error(`${reports.length} reports are on ${targets.length} targets, too many for one transaction`);
    const orderIds = new Map(targets.map(({ order_id: orderId, org_id: orgId }) => [orderId, orgId]));
    const locked = await lockTargets(trx, {
      targets: targets.map(keyOf),
      orders: [...orderIds].map(([orderId, orgId]) => ({ orgId, orderId })),
      passOver,
    });
    // All reports of such a robot wait, as they stay in order.
    const isHeld = (row: TargetRow) => !locked.find(keyOf(row)) || !locked.orders.has(row.order_id);
    const heldRobots = new Set(passOver ? targets.filter(isHeld).map((row) => row.robot_id) : []);
    const batch = createTransitionBatch(locked);
    const proofs: Proof[] = [];
    const traced = new Map<number, TraceOfReport>(); // by report that changed a target
    const results = reports.map(({ link, report }, index): ReportResult | undefined => {
      const order = locked.orders.get(report.orderId);
      const isOwn = order?.robotId === link.robotId && order.orgId === link.orgId;
      if (heldRobots.has(link.robotId) || !current.has(index) || !isOwn) return undefined;
      const { status, digest, reason, message } = report;
      const isProven = digest === order.proof;
      for (const target of locked.onOrder(order.id)) {
        const before = target.status;
        const cause = {
          kind: 'reported',
          status,
          isProven,
          isCancelOrder: order.isCancelled,
          reason,
          message,
        } as const;
        const { id: deploymentId, traceContext: context } = target.deployment;
        const first = traced.get(index);
        if (batch.move(target, cause) && context !== undefined && (!first || deploymentId < first.deploymentId))
          traced.set(index, { deploymentId, context });
        // However late: a robot runs what it proved.
        if (status === 'applied' && isProven && before !== 'applied') proofs.push(target);
      }
      return resultOf(status, locked.onOrder(order.id));
    });
    const ended = await writeTransitions(trx, batch);
    const haveEnded = [...batch.targets.keys()].some(
      ({ status, deployment }) => isTerminal(status) && isRollout(deployment),
    );
    const isOver = ({ link, report: { orderId } }: ReportOfLink): boolean => {
      const order = locked.orders.get(orderId);
      return order?.robotId !== link.robotId || order.hasEnded || ended.has(order.id);
    };
    const quiet = [...locked.orders.values()].filter(({ hasEnded, isQuiet }) => isQuiet && !hasEnded);
    const recorded = reports.map((each, index): ReportOutcome => {
      if (heldRobots.has(each.link.robotId)) return { kind: 'locked' };
      if (!current.has(index)) return { kind: 'stale' };
      return { kind: 'recorded', ended: isOver(each), result: results[index], trace: traced.get(index) };
    });
    if (quiet.length > 0) await touchOrders(trx, quiet);
    await keepProgress(trx, reports); // for statuses that this transaction wrote
    if (proofs.length > 0) await writeProofs(trx, proofs);
    return { result: { outcomes: recorded, isDecisionDue: haveEnded }, closing: [] };
  });

/**
 * Computed from the targets of the order after the report; a target that returned to waiting has left it. If they
 * differ, it takes one whose status is not the reported one.
 */
function resultOf(reported: string, targets: readonly LockedTarget[]): ReportResult | undefined {
  const onOrder = targets.filter(({ orderId }) => orderId !== undefined);
  const target = onOrder.find(({ status }) => status !== reported) ?? onOrder[0];
  return target && { status: target.status, reason: mayReport(reported) ? target.reason : 'unknown_status' };
}

const keyOf = (row: TargetRow): TargetKey => ({
  orgId: row.org_id,
  deploymentId: row.deployment_id,
  robotId: row.robot_id,
});

/** All targets on the reported orders. They were fixed when the order was created. */
async function findTargets(trx: Knex, reports: readonly ReportOfLink[]): Promise<TargetRow[]> {
  const asked = new Map<string, ReportOfLink>();
  for (const each of reports)
    if (isId(each.report.orderId)) asked.set(`${each.link.robotId} ${each.report.orderId}`, each);
  if (asked.size === 0) return [];
  const orders = [...asked.values()];
  const { rows } = await trx.raw<{ rows: TargetRow[] }>(
    `select t.org_id, t.deployment_id, t.robot_id, t.order_id
       from unnest(?::uuid[], ?::uuid[], ?::uuid[]) as r (org_id, robot_id, order_id)
       join orders o on o.org_id = r.org_id and o.id = r.order_id and o.robot_id = r.robot_id
       join targets t on ${isOnOrder('t', 'o')}`,
    [
      plainArray(orders.map(({ link }) => link.orgId)),
      plainArray(orders.map(({ link }) => link.robotId)),
      plainArray(orders.map(({ report }) => report.orderId)),
    ],
  );
  return rows;
}

/** Records that these orders were reported on. */
const touchOrders = (trx: Knex, orders: readonly { orgId: string; id: string }[]) =>
  trx.raw(
    `update orders o set touched_at = now() from unnest(?::uuid[], ?::uuid[]) as k (org_id, id)
      where o.org_id = k.org_id and o.id = k.id`,
    [plainArray(orders.map(({ orgId }) => orgId)), plainArray(orders.map(({ id }) => id))],
  );
