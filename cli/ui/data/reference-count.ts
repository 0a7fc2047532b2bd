/** How long it stays active after the last reference is released: a screen that is opened again finds it fresh. */
const usualLingerMs = 10_000;

interface ReferenceCountSettings {
  /** Somebody wants it, and nobody did before. */
  begin(): void;
  /** Nobody has wanted it for a while. */
  end(): void;
  now: () => number;
  lingerMs?: number | undefined;
}

/** Counts who wants something. */
export interface ReferenceCount {
  /** Returns what releases it. */
  want(): () => void;
  isActive(): boolean;
  /** Since when it is not; undefined while it is. */
  idleSinceMs(): number | undefined;
  /** For good: later references change nothing. */
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
