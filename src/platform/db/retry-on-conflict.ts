import { setTimeout as sleep } from 'node:timers/promises';

/** How often a transaction that Postgres broke off for another's sake runs. */
const maxRuns = 3;

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** Whether the same transaction may simply run again: deadlock and serialization failure. */
const isRetryable = (error: unknown): boolean =>
  error instanceof Error && (codeOf(error) === '40P01' || codeOf(error) === '40001');

/** The same, where a row that was deleted beside it (a robot) is not met again. */
export const isRetryableBesideDeletes = (error: unknown): boolean => isRetryable(error) || codeOf(error) === '23503';

/** Runs a transaction anew, up to three times, that lost against another one. */
export async function retryOnConflict<T>(run: () => Promise<T>, isWorthIt = isRetryable): Promise<T> {
  for (let runs = 1; ; runs += 1) {
    try {
      return await run();
    } catch (error) {
      if (runs === maxRuns || !isWorthIt(error)) throw error;
      await sleep(10 * runs + Math.random() * 20);
    }
  }
}
