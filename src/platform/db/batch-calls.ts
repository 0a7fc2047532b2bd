import { setImmediate } from 'node:timers';
import { isDatabaseAway } from './faults.ts';
import { isRetryableBesideDeletes, retryOnConflict as again } from './retry-on-conflict.ts';

/**
 * Collects calls that arrive while an earlier batch is in progress, so that a storm costs one statement for hundreds of
 * calls. Two items with the same key never share a batch, and keep their order; without `keyOf` there is no such limit.
 * A batch contains no call made after it was sent. If one item makes a batch fail, only that item fails.
 */
export function batchCalls<Item, Result>(
  maxItems: number,
  keyOf: ((item: Item) => string) | undefined,
  run: (items: Item[]) => Promise<Result[]>,
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item;
    resolve(result: Result): void;
    reject(error: unknown): void;
  }
  let waiting: Waiting[] = [];
  let running = false;

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch: Waiting[] = [];
      const later: Waiting[] = [];
      const keys = new Set<string>();
      for (const each of waiting) {
        const key = keyOf?.(each.item);
        if (batch.length === maxItems || (key !== undefined && keys.has(key))) {
          later.push(each);
          continue;
        }
        batch.push(each);
        if (key !== undefined) keys.add(key);
      }
      waiting = later;
      await decide(batch);
    }
    running = false;
  }

  async function decide(batch: Waiting[]): Promise<void> {
    try {
      const results = await retryOnConflictOrDelete(() => run(batch.map(({ item }) => item)));
      // `run` returns one result for each item, in the same order.
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length === 1 || isDatabaseAway(error)) for (const { reject } of batch) reject(error);
      else for (const each of batch) await decide([each]);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running) return;
      running = true;
      setImmediate(() => void runAll()); // calls of the same turn of the event loop join this batch
    });
}

/** Retries a statement that lost to a concurrent one: a deadlock, or a robot deleted at the same time. */
export const retryOnConflictOrDelete = <T>(run: () => Promise<T>): Promise<T> => again(run, isRetryableBesideDeletes);
