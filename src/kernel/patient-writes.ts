import { setTimeout as sleep } from 'node:timers/promises';
import { waitAtMost } from './wait-at-most.ts';

/** Pause between attempts while the database is unavailable, and their maximum number. */
const againMs = 1_000;
const maxTries = 600;
/** How long a stop waits for unwritten data. */
const stopWithinMs = 5_000;

/** Writes that no caller waits for. They are retried for ten minutes, as the database may be unavailable. */
export function patientWrites() {
  const pending = new Set<Promise<void>>();
  let isStopped = false;
  return {
    /**
     * Runs `write` until it succeeds. It must change nothing if an earlier run succeeded and only the reply was lost.
     * @throws the error of the last run, after ten minutes or after `written`
     */
    async retry(write: () => PromiseLike<unknown>): Promise<void> {
      for (let tries = 1; ; tries += 1)
        try {
          await write();
          return;
        } catch (error) {
          if (isStopped || tries === maxTries) throw error;
          await sleep(againMs, undefined, { ref: false });
        }
    },

    /** Makes `written` wait for this work, which must not reject. */
    add(work: Promise<void>): void {
      pending.add(work);
      void work.finally(() => pending.delete(work));
    },

    /** Resolves when all work is done, after 5 s at most. From then on nothing is retried. */
    async written(): Promise<void> {
      await waitAtMost(stopWithinMs, Promise.all(pending));
      isStopped = true;
    },
  };
}
