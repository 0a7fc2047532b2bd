import type { Rate } from './model.ts';

/** Evens out what comes a little early, so that who wants as many as there are misses none. */
const slackMs = 2;

/**
 * Lets through so many a second, and always the newest: what comes too early waits for its time, or for one that is newer. `busy` holds back
 * too; `goOn` is to be called when that is over.
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
      // By the clock, not by when the last one came, or a jitter would cost some.
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
    /** Gives whether another one, which was waiting, was passed over. */
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
