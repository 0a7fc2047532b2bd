/** Delivers items to the reader, in order. */
export interface Queue<T> {
  put(item: T): void;
  /** No more items follow; `error` is thrown after the remaining ones. Default: a regular end. */
  end(error?: Error): void;
  /** Number of waiting items. */
  readonly size: number;
  /** The next item; undefined at the end. */
  next(): Promise<T | undefined>;
}

/** Limit of waiting items; beyond it the oldest are dropped. */
interface Keeping<T> {
  most: number;
  /** The item in place of the dropped ones; default none. */
  gapOf?: (gone: readonly T[]) => T;
}

/** Default: no limit. */
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
