import type { Tracing } from '../../platform/tracing.ts';
import type { NewOrder } from './documents.ts';

/** The work of the engine on a deployment, in the trace of the request that created it. */

interface TracedDeployment {
  deploymentId: string;
  traceContext: string | undefined;
}

/** Work that has just ended. */
export function recordWork(
  tracing: Tracing,
  name: 'start deployment' | 'start wave',
  { deploymentId, traceContext: parent }: TracedDeployment,
  startedAt: Date,
  facts: Record<`fleet.${string}`, number>,
): void {
  if (parent === undefined) return;
  const attributes = { 'fleet.deployment.id': deploymentId, ...facts };
  tracing.record({ name, parent, startedAt, endedAt: new Date(), attributes });
}

/** An order of several deployments is in the trace of the first one that has a trace, as it is on the wire (`open-orders.ts`). */
export function recordOrders(tracing: Tracing, orders: readonly NewOrder[], startedAt: Date): void {
  const endedAt = new Date();
  for (const { id, lane, robotId, targets } of orders) {
    const traced = targets.map(({ deployment }) => deployment).filter(({ traceContext }) => traceContext !== undefined);
    const first = traced.toSorted((one, other) => (one.id < other.id ? -1 : 1))[0];
    if (first?.traceContext === undefined) continue;
    const attributes = {
      'fleet.deployment.id': first.id,
      'fleet.order.id': id,
      'fleet.order.lane': lane,
      'fleet.robot.id': robotId,
    };
    tracing.record({ name: 'create order', parent: first.traceContext, startedAt, endedAt, attributes });
  }
}
