/** Data is drawn this often at most: a frame costs some milliseconds, and nobody reads faster. */
const everyMs = 100;

/** When it is told that something changed: what comes from the service in its time, what a key did at once. */
export interface FrameRate {
  /** Calls it in time, once however often it is wished for until then. */
  soon(listener: () => void): void;
  forget(listener: () => void): void;
}

/** For tests and wherever nobody has to be spared. */
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
    /** What this changes is told at once, with all that waits. */
    atKey(work: () => void): void {
      if (!isHeld) tellAll();
      keys += 1;
      work();
      // Ink knows an Escape from the beginning of a sequence by the end of the turn.
      setImmediate(() => (keys -= 1));
    },
    /** Nobody looks. */
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
