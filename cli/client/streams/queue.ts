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

/** `keep`: more than so many do not wait, the oldest go. Default: all wait. */
export function queueOf<T extends object>(keep = Number.POSITIVE_INFINITY): Queue<T> {
  let items: T[] = [];
  let end: { error: Error | undefined } | undefined;
  let wake: (() => void) | undefined;
  const changed = () => {
    wake?.();
    wake = undefined;
  };
  return {
    put(item) {
      if (end) return;
      items.push(item);
      if (items.length > keep) items = items.slice(-keep);
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
        const item = items.shift();
        if (item) return item;
        if (end?.error) throw end.error;
        if (end) return undefined;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
