import type { Rate } from './model.ts';
import type { BeginUpstream, Item, Reader, Upstream } from './stream.ts';

export type Channel = ReturnType<typeof createChannel>;

/**
 * One stream and all its readers. States: empty → opening (first reader) → live (the upstream has opened) → over (the
 * last reader left, or the upstream ended). Each state may change to over. `onOver` is called first, so that a reader
 * that arrives meanwhile gets another channel.
 */
export function createChannel(begin: BeginUpstream, onOver: () => void) {
  const readers = new Set<Reader>();
  let state: 'empty' | 'opening' | 'live' | 'over' = 'empty';
  let upstream: Upstream | undefined;
  let requestedRate: Rate = null;
  let latest: Item[] = []; // the last picture or record, and the last control frame after it

  function wanted(): Rate {
    let most = 0;
    for (const { rate } of readers) {
      if (rate === null) return null;
      most = Math.max(most, rate);
    }
    return most;
  }

  function tellRate(): void {
    const rate = wanted();
    if (rate === requestedRate || readers.size === 0) return;
    requestedRate = rate;
    upstream?.setRate(rate);
  }

  function over(): void {
    state = 'over';
    latest = [];
    onOver();
  }

  const listener = {
    opened() {
      if (state !== 'opening') return;
      state = 'live';
      for (const reader of readers) reader.opened();
    },
    item(item: Item) {
      if (state !== 'live') return;
      latest = item.isContent ? [item] : [...latest.filter(({ isContent }) => isContent), item];
      for (const reader of readers) reader.take(item);
    },
    ended(code: number, reason: string | Buffer) {
      if (state === 'over') return;
      over();
      for (const reader of readers) reader.ended(code, reason);
      readers.clear();
    },
  };

  return {
    /** The reader gets the latest items at once. */
    join(reader: Reader): void {
      readers.add(reader);
      if (state === 'empty') {
        state = 'opening';
        requestedRate = reader.rate;
        upstream = begin(requestedRate, listener);
        return;
      }
      tellRate();
      if (state !== 'live') return;
      reader.opened();
      for (const item of latest) reader.take(item);
    },

    /** The rate of a reader changed. */
    tellRate,

    leave(reader: Reader): void {
      if (!readers.delete(reader)) return;
      if (readers.size > 0) return tellRate();
      over();
      upstream?.close();
    },
  };
}
