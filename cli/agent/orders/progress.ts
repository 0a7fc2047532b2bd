import type { OrderState } from '../../../generated/frames.js';
import type { Task } from './handler.ts';
import { cutText } from './text.ts';

/** It also tells the service that an order goes on, which gives up what it hears nothing of. */
const everyMs = 5_000;
const maxTextBytes = 200;

/** Passes on how far a step is: at once, then as it stands every 5 s. */
export function progressTeller(tell: (progress: NonNullable<OrderState['progress']>) => void): Task['progress'] {
  let toldMs = -Infinity;
  return (percent, text) => {
    const now = performance.now();
    if (now - toldMs < everyMs) return;
    toldMs = now;
    const whole = Math.min(100, Math.max(0, Math.round(percent)));
    tell({ percent: whole, ...(text !== undefined && { text: cutText(text, maxTextBytes) }) });
  };
}
