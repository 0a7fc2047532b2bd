import type { StreamConnector } from '../client/streams/stream-connector.ts';

/** Runs at most so many at once; the others queue. */
export function concurrencyLimiter(atOnce: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(act: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

type Gate = ReturnType<typeof concurrencyLimiter>;

/** Limits the streams that open at once: those of a fleet do not all open together. */
export const gatedConnector = (connector: StreamConnector, gated: Gate): StreamConnector => ({
  ...connector,
  open: (...stream) => gated(() => connector.open(...stream)),
});
