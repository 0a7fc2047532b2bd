import { randomUUID } from 'node:crypto';
import { CliError, type ErrorCode } from '../../command-line/errors.ts';
import type { Trouble } from '../data/freshness.ts';
import { troubleFrom } from '../overlays/trouble.ts';

/** Something to order, and what became of it. */
interface Order<T> {
  wish: T;
  /** Whom it is for, as people call it. */
  name: string;
  /** Sent again after a lost answer it is still one order. */
  idempotencyKey: string;
  isMade: boolean;
}

/**
 * The orders of one form. The same wish is the same order for as long as the form is there, however often one goes from it to the plan and back: what was
 * sent is not ordered twice.
 */
export function deploymentRequests<T>(): (wish: T, name: string) => Order<T> {
  const orders = new Map<string, Order<T>>();
  return (wish, name) => {
    const key = JSON.stringify(wish);
    const order = orders.get(key) ?? { wish, name, idempotencyKey: randomUUID(), isMade: false };
    orders.set(key, order);
    return order;
  };
}

/** What the service says of one order alone. Any other refusal meets the next one too: who asks, how often, and whether anything answers. */
const ofOneOrder: readonly ErrorCode[] = ['bad_request', 'not_found', 'conflict'];

const maxNames = 5;

/**
 * Sends those that are not made yet, one after the other, and tells how far it is. Goes on where one alone is refused, and stops where all would be. Throws
 * the first trouble, with how many are ordered and which are left.
 */
export async function makeAll<T>(
  orders: readonly Order<T>[],
  send: (order: T & { idempotencyKey: string }) => Promise<unknown>,
  tell: (progress: string) => void,
): Promise<void> {
  const made = () => orders.filter(({ isMade }) => isMade).length;
  let first: Trouble | undefined;
  for (const order of orders.filter(({ isMade }) => !isMade)) {
    if (orders.length > 1) tell(`${made()} of ${orders.length} are ordered`);
    try {
      await send({ ...order.wish, idempotencyKey: order.idempotencyKey });
      order.isMade = true;
    } catch (error) {
      const trouble = troubleFrom(error);
      first ??= trouble;
      if (!ofOneOrder.includes(trouble.code)) break;
    }
  }
  if (!first) return;
  const { message, code, hint, requestId } = first;
  const left = orders.filter(({ isMade }) => !isMade).map(({ name }) => name);
  const names = `${left.slice(0, maxNames).join(', ')}${left.length > maxNames ? ` and ${left.length - maxNames} more` : ''}`;
  const how = orders.length === 1 ? '' : `${made()} of ${orders.length} are ordered, left: ${names}. `;
  throw new CliError(how + message, { code, hint, requestId });
}

/** What a plan warns of where some of it was ordered by this form before. */
export function madeWarnings(orders: readonly Order<unknown>[]): string[] {
  const made = orders.filter(({ isMade }) => isMade).length;
  if (made === 0) return [];
  return [
    `${made === orders.length ? 'All' : made} of it ${made === 1 ? 'is' : 'are'} ordered already, and not again.`,
  ];
}
