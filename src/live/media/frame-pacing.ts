import type { Rate } from './model.ts';

/** Tolerates items that arrive a little early, so that a reader with the rate of the source misses none. */
const slackMs = 2;

/**
 * Passes on at most `rate` items per second, always the newest. An early item waits for its time, or is replaced by a
 * newer one. `busy` also holds items back; call `goOn` when it ends.
 */
export function framePacing<Thing>(firstRate: Rate, busy: () => boolean, send: (thing: Thing) => void) {
  let rate = firstRate;
  let dueMs = 0;
  let waiting: Thing | undefined;
  let timer: NodeJS.Timeout | undefined;

  function goOn(): void {
    if (waiting === undefined || timer !== undefined || busy()) return;
    const now = performance.now();
    if (rate !== null) {
      if (dueMs - now > slackMs) {
        timer = setTimeout(() => {
          timer = undefined;
          goOn();
        }, dueMs - now);
        return;
      }
      const everyMs = 1_000 / rate;
      // By the clock, not by the last arrival: otherwise jitter would cost items.
      dueMs = now - dueMs < everyMs ? dueMs + everyMs : now + everyMs;
    }
    const thing = waiting;
    waiting = undefined;
    send(thing);
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
    waiting = undefined;
  }

  return {
    /** Returns whether it replaced an item that was waiting. */
    offer(thing: Thing): boolean {
      const passedOver = waiting !== undefined;
      waiting = thing;
      goOn();
      return passedOver;
    },
    goOn,
    setRate(to: Rate): void {
      rate = to;
      dueMs = 0;
      clearTimeout(timer);
      timer = undefined;
      goOn();
    },
    stop,
  };
}
