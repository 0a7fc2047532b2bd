import { HttpError } from '../http/reply/failures.ts';

/** Interval of the event loop delay measurement. */
const windowMs = 100;
/** The event loop is busy if a timer fires later than this. */
const lateMs = 50;
/** Maximum Retry-After. */
const longestRetrySeconds = 30;

/**
 * Limits new links: all are accepted while the event loop keeps up, else `floorPerSecond`. A reconnect storm then
 * drains while the API stays responsive. The floor follows the clock, not the turns of the loop, which are long in a
 * storm. Unused allowance of up to one second is kept. Refused links get a random Retry-After, up to twice the time
 * needed to admit them all. With a fixed time the last links of a small storm would wait long for an idle service.
 * `stop` ends the measurement.
 */
export function admission(floorPerSecond: number, nowMs: () => number = () => performance.now()) {
  let allowed = floorPerSecond;
  let refused = 0; // refused links not yet admitted, estimated at the floor rate
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
    /** Undefined if one more link is accepted now, else the maximum number of seconds until its retry. */
    admit(): number | undefined {
      const now = nowMs();
      const share = ((now - countedAt) / 1_000) * floorPerSecond;
      countedAt = now;
      allowed = Math.min(floorPerSecond, allowed + share);
      refused = Math.max(0, refused - share);
      // A measuring window that is overdue means that the loop is busy.
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

/** An error that asks for a retry in 1 to `withinSeconds` s: random, so that clients do not all return at once. */
export const tryLater = (message: string, withinSeconds = longestRetrySeconds) =>
  new HttpError(503, message, { headers: { 'Retry-After': String(1 + Math.floor(Math.random() * withinSeconds)) } });
