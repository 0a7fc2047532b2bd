/** Lets a number of messages per second through, evenly. */
export interface Pace {
  /** Null: no limit. */
  set(perSecond: number | null): void;
  /** Whether this message may pass. */
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
      // From the plan, not from now: otherwise each message that is a little late would delay all later ones.
      const planned = nextAtMs + everyMs;
      nextAtMs = planned > at ? planned : at + everyMs;
      return true;
    },
  };
}
