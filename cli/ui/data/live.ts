import { setMaxListeners } from 'node:events';
import { mayPass } from '../../api/api-errors.ts';
import type { StreamEnd } from '../../live/viewer-socket.ts';
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
  /** Begins anew, as whoever signed in; `isOther`: in another org. */
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

/** Opens a stream once calls may be made; a failure that may pass is an end like that of a stream. Rejects with others. */
export async function openWhenFree<T>(
  monitor: Pick<ConnectionMonitor, 'free'>,
  signal: AbortSignal,
  open: () => Promise<T | StreamEnd>,
): Promise<T | StreamEnd> {
  await monitor.free(signal);
  try {
    return await open();
  } catch (error) {
    if (error instanceof CliError && mayPass(error)) return { isFinal: false, error };
    throw error;
  }
}
