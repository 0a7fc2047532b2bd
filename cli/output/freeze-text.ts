import type { DeploymentFreeze } from '../api/api.ts';
import { relativeTime } from './time.ts';

/** What a freeze does, for its plan. */
export const freezeEffect = 'No further robot gets an order until the thaw. Robots that have one finish it.';

/** `12 deployments`: those that it holds. */
export const heldText = ({ held: count }: DeploymentFreeze): string =>
  `${count} ${count === 1 ? 'deployment' : 'deployments'}`;

/** `41 robots already have an order`; undefined if none has. */
export function robotsWithOrdersText({ robots_with_orders: count = 0 }: DeploymentFreeze): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? '1 robot already has an order' : `${count} robots already have an order`;
}

/** `41 robots already have an order: cancel the deployment to stop them`; undefined if none has. */
export function ordersText(freeze: DeploymentFreeze): string | undefined {
  const robots = robotsWithOrdersText(freeze);
  return robots && `${robots}: cancel the deployment to stop ${freeze.robots_with_orders === 1 ? 'it' : 'them'}`;
}

/** `frozen by ops@example.com since 5m ago: robots stop`; undefined unless the org is frozen. */
export function freezeText({
  frozen_at: frozenAt,
  frozen_by: by = 'unknown',
  reason,
}: DeploymentFreeze): string | undefined {
  if (frozenAt === undefined) return undefined;
  const who = `frozen by ${by} ${relativeTime(frozenAt)}`;
  return reason === undefined ? who : `${who}: ${reason}`;
}
