import { openTargetsOf } from './open-targets.ts';

/** Orders that wait for one robot at most, one for each release kind and config key: as many as two documents take along. */
export const maxWaitingOrders = 2_000;

/**
 * SQL: whether that many wait for a robot beside any of `lane` and `key`, which an order of them would replace. Ends its look-up at the last one that
 * counts: a fleet's expansion asks it of each of its robots.
 */
export const isQueueFull = (of: { orgId: string; robotId: string; lane: string; key: string }): string =>
  `exists (select from ${openTargetsOf(of)} w where w.status = 'waiting'
            and (w.lane, w.payload_key) <> (${of.lane}, ${of.key}) offset ${maxWaitingOrders - 1})`;

/** SQL: whether the org has that many deployments that began and have not ended. Without them no robot of it has a full queue, and none need be asked. */
export const mayFillQueue = (orgId: string): string =>
  `exists (select from deployments o where o.org_id = ${orgId} and o.ended_at is null and o.rank is not null offset ${maxWaitingOrders - 1})`;
