/** Minimum time between frames for data: a frame takes some milliseconds, and nobody reads faster. */
const everyMs = 100;

/** When listeners are notified: of data at the frame rate, of changes by a key at once. */
export interface FrameRate {
  /** Notifies the listener at the next frame, once however often it is called until then. */
  soon(listener: () => void): void;
  forget(listener: () => void): void;
}

/** For tests, and where no limit is needed. */
export const unlimited: FrameRate = { soon: (listener) => listener(), forget: () => undefined };

export function createFrameRate(now: () => number = () => performance.now()) {
  const waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  let keys = 0;
  let isHeld = false;

  function tellAll(): void {
    clearTimeout(timer);
    timer = undefined;
    lastMs = now();
    const listeners = [...waiting];
    waiting.clear();
    for (const listener of listeners) listener();
  }

  function schedule(): void {
    if (isHeld || timer !== undefined || waiting.size === 0) return;
    timer = setTimeout(tellAll, Math.max(0, lastMs + everyMs - now()));
  }

  return {
    soon(listener: () => void): void {
      if (keys > 0 && !isHeld) return listener();
      waiting.add(listener);
      schedule();
    },
    forget: (listener: () => void): void => void waiting.delete(listener),
    /** Notifies at once of what `work` changes, and of everything pending. */
    atKey(work: () => void): void {
      if (!isHeld) tellAll();
      keys += 1;
      work();
      // Ink distinguishes an Escape from the start of a sequence by the end of the turn.
      setImmediate(() => (keys -= 1));
    },
    /** Pauses notifications: the screen is not visible. */
    hold(): void {
      isHeld = true;
      clearTimeout(timer);
      timer = undefined;
    },
    goOn(): void {
      isHeld = false;
      tellAll();
    },
  };
}
