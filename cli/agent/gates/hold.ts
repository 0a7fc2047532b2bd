import type { Order, OrderWait } from '../../../generated/frames.js';
import type { Gates } from './gates.ts';

interface HoldParts {
  gates: Gates;
  /** What the order waits for outside of its window. */
  closedWindow(order: Order): OrderWait | undefined;
}

interface Disturbance {
  step: 'install' | 'activate';
  /** Whether the order waited before this step. */
  hasWaited: boolean;
  signal: AbortSignal;
}

/** What keeps an order from disturbing the robot; `window_ended`: it must not do so any longer. */
export type Hold = OrderWait | 'window_ended' | undefined;

/**
 * Asks the window of an order, and then the gates. An order that was installed within its window may take effect after
 * its end, but not after a wait.
 */
export async function holdOf(
  { gates, closedWindow }: HoldParts,
  order: Order,
  { step, hasWaited, signal }: Disturbance,
): Promise<Hold> {
  const closed = closedWindow(order);
  if (closed && step === 'activate' && order.window?.at_end === 'cancel') return 'window_ended';
  if (closed && (step === 'install' || hasWaited)) return closed;
  return order.ignore_gates ? undefined : gates(order, signal);
}
