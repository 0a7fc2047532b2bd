import { setMaxListeners } from 'node:events';
import { isTransient } from '../../api/api-errors.ts';
import { StreamError } from '../../client/errors.ts';
import type { StreamConnector } from '../../client/streams/stream-connector.ts';
import { CliError } from '../../command-line/errors.ts';
import type { ConnectionMonitor } from './connection-monitor.ts';
import { countReferences, type ReferenceCount } from './reference-count.ts';

/** A higher rate makes no visible difference. */
export const noticesPerSecond = 8;

/** A laser scan has 100,000 characters; nobody reads that far. */
const maxCharacters = 8_192;
export const cutLong = (text: string) => (text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text);

interface LiveSettings {
  /** Follows until the signal aborts. */
  follow(signal: AbortSignal): void;
  /** Discards received data: it is another org's. */
  forget(): void;
  now: () => number;
  lingerMs?: number | undefined;
}

/** A live source: its streams are open while it is wanted, and some seconds longer. */
export interface Live extends Pick<ReferenceCount, 'want' | 'idleSinceMs'> {
  /** Restarts as the newly signed-in user; `isOther`: in another org. */
  renew(isOther: boolean): void;
  end(): void;
}

export function liveWhileWanted({ follow, forget, now, lingerMs }: LiveSettings): Live {
  let following: AbortController | undefined;
  const begin = () => {
    following = new AbortController();
    setMaxListeners(0, following.signal); // a fleet tail has one listener per robot
    follow(following.signal);
  };
  const end = () => following?.abort();
  const { want, idleSinceMs, isActive, stop } = countReferences({ begin, end, now, lingerMs });
  return {
    want,
    idleSinceMs,
    renew(isOther) {
      end();
      if (isOther) forget();
      if (isActive()) begin();
    },
    end: stop,
  };
}

/** Opens streams when requests are allowed. */
export const whenFree = (
  connector: StreamConnector,
  monitor: Pick<ConnectionMonitor, 'free'>,
  signal: AbortSignal,
): StreamConnector => ({
  ...connector,
  open: (...stream) => askWhenFree(monitor, signal, () => connector.open(...stream)),
});

/**
 * Sends a request when requests are allowed. Rejects with a StreamError that says whether a retry may help; with the
 * reason of the signal if that aborts first.
 */
export async function askWhenFree<T>(
  monitor: Pick<ConnectionMonitor, 'free'>,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T> {
  await monitor.free(signal);
  signal.throwIfAborted();
  try {
    return await ask();
  } catch (cause) {
    if (!(cause instanceof CliError)) throw cause;
    throw new StreamError(cause.message, 1006, 'unopened', { cause, isRetryable: isTransient(cause) });
  }
}
