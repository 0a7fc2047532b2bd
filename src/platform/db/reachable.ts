import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isDatabaseAway, isOutOfConnections } from './faults.ts';
import { DatabaseError } from './index.ts';

interface ReachableOptions {
  log: Logger;
  /** Total time for attempts; default 30 s. */
  waitMs?: number;
  /** Interval of the log message about the wait; default 5 s. */
  tellEveryMs?: number;
  /** Pause between two attempts; default 1 s. */
  pauseMs?: number;
}

/** A wrong password or a missing database: waiting does not help. */
const isRefused = (error: unknown): boolean => /^(28...|3D000)$/.test(String((error as { code?: unknown }).code));

/** The error for a host with several addresses has no message of its own. */
const reasonOf = (error: Error): string => error.message || String((error as { code?: unknown }).code);

/**
 * Runs the database work of a start, and retries it while the database does not respond, is starting, or has no free
 * connection.
 * @throws DatabaseError, with a message for the operator, after the timeout or if the database refuses the connection
 */
export async function whenReachable<T>(
  attempt: () => Promise<T>,
  { log, waitMs = 30_000, tellEveryMs = 5_000, pauseMs = 1_000 }: ReachableOptions,
): Promise<T> {
  const startedAt = performance.now();
  for (let tellAt = startedAt; ; await sleep(pauseMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Error) || !isDatabaseAway(error)) throw error;
      const reason = reasonOf(error);
      const fail = (what: string) =>
        new DatabaseError(`the database at DATABASE_URL ${what}: ${reason}`, { cause: error });
      if (isRefused(error)) throw fail('refuses us');
      const now = performance.now();
      if (now - startedAt > waitMs)
        throw fail(isOutOfConnections(error) ? 'has no free connection' : 'does not respond');
      if (now < tellAt) continue;
      tellAt = now + tellEveryMs;
      log.warn({ reason, seconds: Math.round((now - startedAt) / 1_000) }, 'waiting for the database');
    }
  }
}
