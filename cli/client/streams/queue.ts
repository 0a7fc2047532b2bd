/** Hands what comes to who reads, in order. */
export interface Queue<T> {
  put(item: T): void;
  /** Nothing comes any more; `error` is thrown to the reader after what there is. Default: an end in order. */
  end(error?: Error): void;
  /** How many wait. */
  readonly size: number;
  /** The next one; undefined at the end. */
  next(): Promise<T | undefined>;
}

/** How much may wait; the oldest go where it is more. */
interface Keeping<T> {
  most: number;
  /** What is read in the place of those that went; default nothing. */
  gapOf?: (gone: readonly T[]) => T;
}

/** Default: all wait. */
export function queueOf<T extends object>({ most, gapOf }: Keeping<T> = { most: Number.POSITIVE_INFINITY }): Queue<T> {
  const items: T[] = [];
  let gap: T | undefined;
  let end: { error: Error | undefined } | undefined;
  let wake: (() => void) | undefined;
  const changed = () => {
    wake?.();
    wake = undefined;
  };
  function drop(): void {
    const oldest = items.shift();
    if (oldest) gap = gapOf?.(gap ? [gap, oldest] : [oldest]);
  }
  return {
    put(item) {
      if (end) return;
      items.push(item);
      if (items.length > most) drop();
      changed();
    },
    end(error) {
      end ??= { error };
      changed();
    },
    get size() {
      return items.length;
    },
    async next() {
      for (;;) {
        const item = gap ?? items.shift();
        gap = undefined;
        if (item) return item;
        if (end?.error) throw end.error;
        if (end) return undefined;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
