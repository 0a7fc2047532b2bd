import { HttpError } from '../http/reply/failures.ts';

/** Interval of the event loop delay measurement. */
const windowMs = 100;
/** The event loop is busy if a timer fires later than this. */
const lateMs = 50;
/** Maximum Retry-After. */
const longestRetrySeconds = 30;

/**
 * Chooses when refused clients retry: within twice the time needed to serve all refused ones at `perSecond`, 30 s at
 * most. With a fixed time the last clients of a small storm would wait long for an idle service.
 */
export function retrySpread(perSecond: number, nowMs: () => number = () => performance.now()) {
  let refused = 0; // refused clients that are not yet served, estimated at that rate
  let countedAt = nowMs();
  return {
    /** Counts a refused client. Returns the maximum number of seconds until its retry. */
    refuse(): number {
      const now = nowMs();
      refused = Math.max(0, refused - ((now - countedAt) / 1_000) * perSecond) + 1;
      countedAt = now;
      return Math.min(longestRetrySeconds, Math.ceil(1 + (2 * refused) / perSecond));
    },
  };
}

/**
 * Limits new links: all are accepted while the event loop keeps up, else `floorPerSecond`. A reconnect storm then
 * drains while the API stays responsive. The floor follows the clock, not the turns of the loop, which are long in a
 * storm. Unused allowance of up to one second is kept. `stop` ends the measurement.
 */
export function admission(floorPerSecond: number, nowMs: () => number = () => performance.now()) {
  let allowed = floorPerSecond;
  const retries = retrySpread(floorPerSecond, nowMs);
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
      // A measuring window that is overdue means that the loop is busy.
      const busy = late || now - expectedAt > lateMs;
      if (busy && allowed < 1) return retries.refuse();
      allowed = Math.max(0, allowed - 1);
      return undefined;
    },
    stop: () => clearInterval(timer),
  };
}

/** An error that asks for a retry in 1 to `withinSeconds` s: random, so that clients do not all return at once. */
export const tryLater = (message: string, withinSeconds = longestRetrySeconds) =>
  new HttpError(503, message, { headers: { 'Retry-After': String(1 + Math.floor(Math.random() * withinSeconds)) } });
