import { HttpError } from '../http/reply/failures.ts';

/** How often lateness is measured. */
const windowMs = 100;
/** The event loop is busy when a timer comes this late. */
const lateMs = 50;
/** Nobody is told to come later than this. */
const longestRetrySeconds = 30;

/**
 * How many new links are let in: all of them while the event loop keeps up, else `floorPerSecond`, so that a storm of reconnects passes and the
 * API stays alive meanwhile. The floor holds by the clock and not by turns of the loop, which are long in a storm; what it was short of in the last
 * second may be made up for. Those who are refused are told to come spread over the time in which they can be let in, twice that to be sure: with
 * a fixed time the last of a small storm would wait long beside an idle service. `stop` ends the measuring.
 */
export function admission(floorPerSecond: number, nowMs: () => number = () => performance.now()) {
  let allowed = floorPerSecond;
  let refused = 0; // and not let in since, if the floor is what is let in
  let countedAt = nowMs();
  let expectedAt = countedAt + windowMs;
  let late = false;
  const timer = setInterval(() => {
    const now = nowMs();
    late = now - expectedAt > lateMs;
    expectedAt = now + windowMs;
  }, windowMs);
  timer.unref();
  return {
    /** Undefined if one more link may come now, else in how many seconds at most it should try again. */
    admit(): number | undefined {
      const now = nowMs();
      const share = ((now - countedAt) / 1_000) * floorPerSecond;
      countedAt = now;
      allowed = Math.min(floorPerSecond, allowed + share);
      refused = Math.max(0, refused - share);
      // A window that has not ended in time is one in which the loop is busy.
      const busy = late || now - expectedAt > lateMs;
      if (busy && allowed < 1) {
        refused += 1;
        return Math.min(longestRetrySeconds, Math.ceil(1 + (2 * refused) / floorPerSecond));
      }
      allowed = Math.max(0, allowed - 1);
      return undefined;
    },
    stop: () => clearInterval(timer),
  };
}

/** The refusal of who should come again, 1 to `withinSeconds` later: random, or all of them would come at once again. */
export const tryLater = (message: string, withinSeconds = longestRetrySeconds) =>
  new HttpError(503, message, { headers: { 'Retry-After': String(1 + Math.floor(Math.random() * withinSeconds)) } });
