import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { OrderState, OrderWait } from '../../../generated/frames.js';

interface WaitParts {
  /** What keeps the order from disturbing the robot; undefined if nothing does. */
  ask(): Promise<OrderWait | undefined>;
  /** Whether the order waited before the agent was restarted. */
  hasWaited: boolean;
  /** Called once, before the first wait is reported. */
  onWait(): Promise<void>;
  report(progress: NonNullable<OrderState['progress']>): void;
  /** Ends the wait. */
  signal: AbortSignal;
}

const askEveryMs = 5_000;
/** Well within the 60 s after which the service resends an order that nothing is heard of. */
const reportEveryMs = 30_000;

/** Resolves when the order may disturb the robot, or when the signal aborts. Reports what it waits for. */
export async function waitUntilOpen({ ask, hasWaited, onWait, report, signal }: WaitParts): Promise<void> {
  let reported: string | undefined;
  let reportedMs = -Infinity;
  let isWaiting = hasWaited;
  for (;;) {
    const asked = ask().catch((error: unknown): OrderWait => ({ holder: 'agent', reason: shortly(error) }));
    const closed = await unlessAborted(asked, signal);
    if (signal.aborted) return;
    if (!closed) {
      if (isWaiting) report({ percent: 100 });
      return;
    }
    if (reported === undefined) await onWait();
    isWaiting = true;
    const text = `${closed.holder}: ${closed.reason}`;
    if (text !== reported || performance.now() - reportedMs >= reportEveryMs) {
      reported = text;
      reportedMs = performance.now();
      report({ percent: 100, text: `waits for ${text}`.slice(0, 200), waiting_on: closed });
    }
    await pause(askEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Undefined once the signal aborts: what a gate depends on, such as a disk or a program, may never respond. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  const settled = new AbortController();
  const aborted = once(signal, 'abort', { signal: settled.signal }).then(
    () => undefined,
    () => undefined,
  );
  return Promise.race([work, aborted]).finally(() => settled.abort());
}

const shortly = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 200);
