import type { LinkStatus } from '../link.ts';

/** Tracks how long the link has been up. */
export interface LinkWatch {
  heard(status: LinkStatus): void;
  /**
   * Resolves with undefined once the link has been up for `forMs` without a break. Otherwise, after `withinMs`,
   * resolves with why the link was down. Rejects with the reason of the signal.
   */
  upFor(forMs: number, withinMs: number, signal: AbortSignal): Promise<string | undefined>;
}

export function linkWatch(): LinkWatch {
  /** On the monotonic clock; undefined without a link. */
  let upSinceMs: number | undefined;
  let why = 'no data received from the service';
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
          // 1 ms more: a timer may fire 1 ms too early.
          timer = setTimeout(look, Math.min(goodMs, endMs) - nowMs + 1);
        };
        if (signal.aborted) return stopped();
        signal.addEventListener('abort', stopped);
        changed = look;
        look();
      }),
  };
}
