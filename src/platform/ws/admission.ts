import { HttpError } from '../http/failures.ts';

/** How often lateness is measured; also the span over which links are counted. */
const windowMs = 100;
/** The event loop is busy when a timer comes this late. */
const lateMs = 50;

/**
 * How many new links are let in: all of them while the event loop keeps up, else `floorPerSecond`, so that a storm of reconnects passes and the
 * API stays alive meanwhile. `stop` ends the measuring.
 */
export function admission(floorPerSecond: number, nowMs: () => number = () => performance.now()) {
  const floor = Math.ceil((floorPerSecond * windowMs) / 1_000);
  let admitted = 0;
  let expectedAt = nowMs() + windowMs;
  let late = false;
  const timer = setInterval(() => {
    const now = nowMs();
    late = now - expectedAt > lateMs;
    expectedAt = now + windowMs;
    admitted = 0;
  }, windowMs);
  timer.unref();
  return {
    /** Whether one more link may come now. */
    admit(): boolean {
      // A window that has not ended in time is one in which the loop is busy.
      if (admitted >= floor && (late || nowMs() - expectedAt > lateMs)) return false;
      admitted += 1;
      return true;
    },
    stop: () => clearInterval(timer),
  };
}

/** The refusal of who should come again, 1 to 30 s later: random, or all of them would come at once again. */
export const tryLater = (message: string) =>
  new HttpError(503, message, { headers: { 'Retry-After': String(1 + Math.floor(Math.random() * 30)) } });
