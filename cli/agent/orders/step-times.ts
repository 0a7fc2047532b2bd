import type { OrderStep } from '../../../generated/frames.js';
import { Stopped } from './handler.ts';
import type { OrderRecord } from './journal.ts';

/** As many as a report may have: an order whose steps are interrupted and repeated has more. */
const maxSteps = 32;

type Timed = Pick<OrderRecord, 'order' | 'steps'>;

/** Measures a step for the trace of the order, if it has one. Returns the function that ends it. */
export function beginStep(record: Timed, step: string): (failed: boolean) => void {
  const [startedAt, startedMs] = [new Date(), performance.now()];
  return (failed) => {
    const steps = record.steps ?? [];
    if (record.order.traceparent === undefined || steps.length >= maxSteps) return;
    const duration: OrderStep = {
      step,
      started_at: startedAt.toISOString(),
      duration_ms: Math.round(performance.now() - startedMs),
      ...(failed && { failed }),
    };
    record.steps = [...steps, duration];
  };
}

/** Runs a step and measures it. The exit of the agent ends no step. */
export async function timed<T>(record: Timed, step: string, work: () => Promise<T>): Promise<T> {
  const end = beginStep(record, step);
  try {
    const result = await work();
    end(false);
    return result;
  } catch (error) {
    if (!(error instanceof Stopped)) end(true);
    throw error;
  }
}
