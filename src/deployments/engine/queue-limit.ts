import { openTargetsOf } from './open-targets.ts';

/** Maximum number of waiting orders per robot, one per release kind and config key: as many as two documents hold. */
export const maxWaitingOrders = 2_000;

/**
 * SQL: whether that many orders wait for a robot, not counting those of `lane` and `key`, which the new order would
 * replace. The query stops at the limit, as a fleet's expansion runs it for each robot.
 */
export const isQueueFull = (of: { orgId: string; robotId: string; lane: string; key: string }): string =>
  `exists (select from ${openTargetsOf(of)} w where w.status = 'waiting'
            and (w.lane, w.payload_key) <> (${of.lane}, ${of.key}) offset ${maxWaitingOrders - 1})`;

/**
 * SQL: whether the org has that many started, open deployments. Otherwise none of its robots has a full queue, and none
 * is checked. `more`: deployments that start in the same transaction.
 */
export const mayFillQueue = (orgId: string, more = 0): string =>
  `exists (select from deployments o where o.org_id = ${orgId} and o.ended_at is null and o.rank is not null offset ${maxWaitingOrders - 1 - more})`;
