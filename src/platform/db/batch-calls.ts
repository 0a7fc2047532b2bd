import { setImmediate } from 'node:timers';
import { isDatabaseAway } from './faults.ts';
import { isRetryableBesideDeletes, retryOnConflict as again } from './retry-on-conflict.ts';

/**
 * Gathers what is asked for while an earlier batch is on its way, so that a storm costs one statement for hundreds. Two items of one key are
 * never in the same batch, and those of one key keep their order; without `keyOf` all may. A batch holds nothing that was asked after it was sent. An
 * item that breaks its batch fails alone.
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
      // `run` gives one result for each item, in their order.
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

/** Runs a statement anew that lost against another one: a deadlock, or a robot that was deleted beside it. */
export const retryOnConflictOrDelete = <T>(run: () => Promise<T>): Promise<T> => again(run, isRetryableBesideDeletes);
