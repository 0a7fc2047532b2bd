import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogMark } from '../../logs/model.ts';
import { markOf, type Group, type SerializedRecord, type StoredLogs, type Tail } from './tail.ts';

/** Records read at a time for all live readers of a robot. */
const feedRecords = 500;
/** Tails get records in slices. After `turnMs`, other work gets a turn of the event loop. */
const sliceRecords = 20;
const turnMs = 1;

/**
 * Reads the stored records of one robot once for all its live tails. `onFailed`: reading failed, and the next `wake`
 * retries.
 */
export function createFeed(stored: StoredLogs, onFailed: (error: unknown) => void): { group: Group; wake(): void } {
  const live = new Set<Tail>();
  let head: LogMark = { seq: 0 }; // all of them have received everything up to it
  let running = false;
  let again = false;

  async function pass(): Promise<void> {
    again = true;
    if (running) return;
    running = true;
    try {
      while (again && live.size > 0) {
        again = false;
        const page = await stored.following({ limit: feedRecords }, head);
        await give(page.records);
        if (page.reached.seq >= head.seq) head = page.reached;
        if (page.reached.seq < page.head.seq) again = true;
      }
    } catch (error) {
      onFailed(error);
    } finally {
      running = false;
    }
  }

  /** Yields to the event loop between slices: a robot with many records must not delay keystrokes. */
  async function give(records: readonly SerializedRecord[]): Promise<void> {
    let turnEndsAt = performance.now() + turnMs;
    for (let start = 0; start < records.length; start += sliceRecords) {
      const slice = records.slice(start, start + sliceRecords);
      for (const tail of live) tail.take(slice);
      const last = slice.at(-1);
      if (last) head = markOf(last.record);
      if (performance.now() < turnEndsAt) continue;
      await nextTurn();
      turnEndsAt = performance.now() + turnMs;
    }
  }

  return {
    group: {
      join(tail) {
        if (live.size === 0 && !running) head = tail.mark;
        // The others have received records that this tail lacks, and that are not read again here.
        if (tail.mark.seq < head.seq) return false;
        live.add(tail);
        void pass();
        return true;
      },
      leave: (tail) => void live.delete(tail),
    },
    wake: () => void pass(),
  };
}
