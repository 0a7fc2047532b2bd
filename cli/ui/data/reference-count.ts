/** How long it stays active after the last reference is released: a reopened screen is then up to date. */
const usualLingerMs = 10_000;

interface ReferenceCountSettings {
  /** The first reference was taken. */
  begin(): void;
  /** There have been no references for a while. */
  end(): void;
  now: () => number;
  lingerMs?: number | undefined;
}

/** Counts references. */
export interface ReferenceCount {
  /** Returns the function that releases it. */
  want(): () => void;
  isActive(): boolean;
  /** Since when it is inactive; undefined: it is active. */
  idleSinceMs(): number | undefined;
  /** Permanently: later references have no effect. */
  stop(): void;
}

export function countReferences({ begin, end, now, lingerMs = usualLingerMs }: ReferenceCountSettings): ReferenceCount {
  let count = 0;
  let lingering: NodeJS.Timeout | undefined;
  let idleSinceMs: number | undefined = now();
  let isOver = false;

  function close(): void {
    clearTimeout(lingering);
    lingering = undefined;
    if (idleSinceMs !== undefined) return;
    idleSinceMs = now();
    end();
  }

  return {
    want() {
      if (isOver) return () => undefined;
      count += 1;
      clearTimeout(lingering);
      lingering = undefined;
      if (idleSinceMs !== undefined) {
        idleSinceMs = undefined;
        begin();
      }
      let isWanted = true;
      return () => {
        if (!isWanted) return;
        isWanted = false;
        count -= 1;
        if (count === 0 && !isOver) lingering = setTimeout(close, lingerMs);
      };
    },
    isActive: () => idleSinceMs === undefined,
    idleSinceMs: () => idleSinceMs,
    stop() {
      isOver = true;
      close();
    },
  };
}
