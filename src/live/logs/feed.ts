import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Group, Shown, StoredLogs, Tail } from './tail.ts';

/** What is read for all live readers of a robot at a time. */
const feedRecords = 500;
/** They are given to the tails in slices, and after so long somebody else has the turn. */
const sliceRecords = 20;
const turnMs = 1;

/** Reads what is stored of one robot once for all of its tails that are live. `onFailed`: it could not be read, and the next `wake` tries again. */
export function createFeed(stored: StoredLogs, onFailed: (error: unknown) => void): { group: Group; wake(): void } {
  const live = new Set<Tail>();
  let head = 0; // everything up to it was given to all of them
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
        head = Math.max(head, page.reached);
        if (page.reached < page.head) again = true;
      }
    } catch (error) {
      onFailed(error);
    } finally {
      running = false;
    }
  }

  /** In slices, between which others get their turn: a robot that says much must not hold up keystrokes. */
  async function give(records: readonly Shown[]): Promise<void> {
    let turnEndsAt = performance.now() + turnMs;
    for (let start = 0; start < records.length; start += sliceRecords) {
      const slice = records.slice(start, start + sliceRecords);
      for (const tail of live) tail.take(slice);
      head = slice.at(-1)?.record.seq ?? head;
      if (performance.now() < turnEndsAt) continue;
      await nextTurn();
      turnEndsAt = performance.now() + turnMs;
    }
  }

  return {
    group: {
      join(tail) {
        if (live.size === 0 && !running) head = tail.seq;
        // The others were given records that it has not seen, and that will not be read for it here.
        if (tail.seq < head) return false;
        live.add(tail);
        void pass();
        return true;
      },
      leave: (tail) => void live.delete(tail),
    },
    wake: () => void pass(),
  };
}
