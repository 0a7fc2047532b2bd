/** A larger difference between the clocks, in ms, is not drift: the machine slept, or its time was corrected. */
const leastSleepMs = 2_000;

/**
 * A clock that never goes back, in ms since this process started. Unlike the monotonic clock of Linux, it counts the time
 * in which the machine slept: what was received before is then old. It must be read at least once in some minutes.
 */
export function clockWithSleep(): () => number {
  let [monotonicMs, wallMs, sleptMs] = [performance.now(), Date.now(), 0];
  return () => {
    const before = wallMs - monotonicMs;
    [monotonicMs, wallMs] = [performance.now(), Date.now()];
    const gapMs = wallMs - monotonicMs - before;
    if (gapMs > leastSleepMs) sleptMs += gapMs;
    return monotonicMs + sleptMs;
  };
}
