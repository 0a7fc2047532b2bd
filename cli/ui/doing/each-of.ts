import { troubleFrom } from '../overlays/trouble.ts';

/**
 * Sends all orders, also where some are refused; throws what the first of those met, and how many went well. Each order has its key: who tries again
 * orders nothing twice.
 */
export async function eachOf<T>(orders: readonly T[], send: (order: T) => Promise<unknown>): Promise<void> {
  const failed: unknown[] = [];
  for (const order of orders) await send(order).catch((error: unknown) => failed.push(error));
  if (failed.length === 0) return;
  const trouble = troubleFrom(failed[0]);
  const how = orders.length === 1 ? '' : `${orders.length - failed.length} of ${orders.length} were ordered: `;
  throw Object.assign(new Error(how + trouble.message, { cause: failed[0] }), {
    ...trouble,
    message: how + trouble.message,
  });
}
