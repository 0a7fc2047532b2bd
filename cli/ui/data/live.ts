import { setMaxListeners } from 'node:events';
import { mayPass } from '../../api/api-errors.ts';
import { StreamError } from '../../client/errors.ts';
import type { StreamConnector } from '../../client/streams/stream-connector.ts';
import { CliError } from '../../command-line/errors.ts';
import type { ConnectionMonitor } from './connection-monitor.ts';
import { countReferences, type ReferenceCount } from './reference-count.ts';

/** More often nobody sees a difference. */
export const noticesPerSecond = 8;

/** A scan of a laser has 100,000 characters; nobody reads so far. */
const maxCharacters = 8_192;
export const cutLong = (text: string) => (text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text);

interface LiveSettings {
  /** Follows until the signal comes. */
  follow(signal: AbortSignal): void;
  /** Forgets what came: it is somebody else's. */
  forget(): void;
  now: () => number;
  lingerMs?: number | undefined;
}

/** Something live: its streams are open while anybody wants it, and some seconds longer. */
export interface Live extends Pick<ReferenceCount, 'want' | 'idleSinceMs'> {
  /** Restarts as the user who signed in; `isOther`: in another org. */
  renew(isOther: boolean): void;
  end(): void;
}

export function liveWhileWanted({ follow, forget, now, lingerMs }: LiveSettings): Live {
  let following: AbortController | undefined;
  const begin = () => {
    following = new AbortController();
    setMaxListeners(0, following.signal); // a tail of a fleet has a listener for each robot
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

/** Opens streams when all may ask. */
export const whenFree = (
  connector: StreamConnector,
  monitor: Pick<ConnectionMonitor, 'free'>,
  signal: AbortSignal,
): StreamConnector => ({
  ...connector,
  open: (...stream) => askWhenFree(monitor, signal, () => connector.open(...stream)),
});

/** Asks when all may. Rejects with a StreamError that says whether asking again may help. */
export async function askWhenFree<T>(
  monitor: Pick<ConnectionMonitor, 'free'>,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T> {
  await monitor.free(signal);
  try {
    return await ask();
  } catch (cause) {
    if (!(cause instanceof CliError)) throw cause;
    throw new StreamError(cause.message, 1006, 'unopened', { cause, isRetryable: mayPass(cause) });
  }
}
