/** Lets so many a second through, evenly. */
export interface Pace {
  /** Null: all. Default: all. */
  set(perSecond: number | null): void;
  /** Whether this one goes through. */
  take(): boolean;
}

/** `now` is in ms and never goes back; default: the monotonic clock. */
export function pace(perSecond: number | null, now: () => number = () => performance.now()): Pace {
  let everyMs = 0;
  let nextAtMs = -Infinity;
  const set = (wanted: number | null) => {
    everyMs = wanted === null ? 0 : 1000 / wanted;
    nextAtMs = Math.min(nextAtMs, now() + everyMs);
  };
  set(perSecond);
  return {
    set,
    take() {
      const at = now();
      if (at < nextAtMs) return false;
      // From the plan and not from now: else each that comes a little late slows down all that follow.
      const planned = nextAtMs + everyMs;
      nextAtMs = planned > at ? planned : at + everyMs;
      return true;
    },
  };
}
