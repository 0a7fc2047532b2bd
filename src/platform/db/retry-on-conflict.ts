import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum runs of a transaction that Postgres aborts in favour of another. */
const maxRuns = 3;

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** Whether the same transaction can be retried: deadlock and serialization failure. */
const isRetryable = (error: unknown): boolean =>
  error instanceof Error && (codeOf(error) === '40P01' || codeOf(error) === '40001');

/** The same, plus a foreign key violation: a concurrently deleted row (a robot) is not found by the retry. */
export const isRetryableBesideDeletes = (error: unknown): boolean => isRetryable(error) || codeOf(error) === '23503';

/** Retries a transaction that lost to a concurrent one: up to three runs. */
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
