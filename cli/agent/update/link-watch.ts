import type { LinkStatus } from '../link.ts';

/** Knows for how long there has been a link. */
export interface LinkWatch {
  heard(status: LinkStatus): void;
  /**
   * Resolves with undefined once there has been a link for `forMs` on end, with why there was none if that does not come `withinMs`; rejects
   * with the reason of the signal.
   */
  upFor(forMs: number, withinMs: number, signal: AbortSignal): Promise<string | undefined>;
}

export function linkWatch(): LinkWatch {
  /** On the monotonic clock; undefined without a link. */
  let upSinceMs: number | undefined;
  let why = 'nothing was heard of the service';
  let changed: () => void = () => undefined;

  return {
    heard(status) {
      if (status.kind === 'up') upSinceMs ??= performance.now();
      else upSinceMs = undefined;
      if (status.kind === 'waiting' || status.kind === 'ended') why = status.reason;
      changed();
    },
    upFor: (forMs, withinMs, signal) =>
      new Promise((resolve, reject) => {
        const endMs = performance.now() + withinMs;
        let timer: NodeJS.Timeout | undefined;
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stopped);
          changed = () => undefined;
        };
        const stopped = () => {
          done();
          reject(signal.reason as Error);
        };
        const look = () => {
          clearTimeout(timer);
          const nowMs = performance.now();
          const goodMs = upSinceMs === undefined ? Infinity : upSinceMs + forMs;
          if (nowMs >= goodMs || nowMs >= endMs) {
            done();
            resolve(nowMs >= goodMs ? undefined : why);
            return;
          }
          // A millisecond more: a timer may come one too early.
          timer = setTimeout(look, Math.min(goodMs, endMs) - nowMs + 1);
        };
        if (signal.aborted) return stopped();
        signal.addEventListener('abort', stopped);
        changed = look;
        look();
      }),
  };
}
