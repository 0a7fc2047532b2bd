import type { OrderState } from '../../../generated/frames.js';
import type { OrderContext } from './handler.ts';
import { cutText } from './text.ts';

/** Reports also show that the order is in progress: the service times out orders without reports. */
const everyMs = 5_000;
const maxTextBytes = 200;

/** Reports the progress of a step: at once, then at most every 5 s. */
export function progressReporter(
  report: (progress: NonNullable<OrderState['progress']>) => void,
): OrderContext['progress'] {
  let lastMs = -Infinity;
  return (percent, text) => {
    const now = performance.now();
    if (now - lastMs < everyMs) return;
    lastMs = now;
    const whole = Math.min(100, Math.max(0, Math.round(percent)));
    report({ percent: whole, ...(text !== undefined && { text: cutText(text, maxTextBytes) }) });
  };
}
