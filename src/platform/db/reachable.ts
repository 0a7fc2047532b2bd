import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  isDatabaseAway,
  isForOperator,
  isOutOfConnections,
  isRefused,
  isUntrusted,
  poolerRefusal,
  reasonOf,
} from './faults.ts';
import { DatabaseError } from './index.ts';
import { StaleSessionError } from './session-check.ts';

interface ReachableOptions {
  log: Logger;
  /** The setting that has the address; default DATABASE_URL. */
  setting?: string;
  /** Total time for attempts; default 30 s. */
  waitMs?: number;
  /** Interval of the log message about the wait; default 5 s. */
  tellEveryMs?: number;
  /** Pause between two attempts; default 1 s. */
  pauseMs?: number;
}

/**
 * Runs the database work of a start, and retries it while the database does not respond, is starting, has no free
 * connection, or has connections of a pooler that are too old.
 * @throws DatabaseError, with a message for the operator, after the timeout or if the database refuses the connection
 */
export async function whenReachable<T>(
  attempt: () => Promise<T>,
  { log, setting = 'DATABASE_URL', waitMs = 30_000, tellEveryMs = 5_000, pauseMs = 1_000 }: ReachableOptions,
): Promise<T> {
  const startedAt = performance.now();
  for (let tellAt = startedAt; ; await sleep(pauseMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const pooler = poolerRefusal(error, setting);
      if (pooler !== undefined) throw new DatabaseError(pooler, { cause: error });
      const reason = reasonOf(error);
      const fail = (what: string) =>
        new DatabaseError(`the database at ${setting} ${what}: ${reason}`, { cause: error });
      if (isUntrusted(error)) throw fail('cannot be trusted');
      if (isRefused(error)) throw fail('refuses us');
      if (isForOperator(error)) throw fail('cannot be prepared');
      const isStale = error instanceof StaleSessionError;
      if (!isStale && !isDatabaseAway(error)) throw error;
      const now = performance.now();
      if (now - startedAt > waitMs)
        throw isStale ? error : fail(isOutOfConnections(error) ? 'has no free connection' : 'does not respond');
      if (now < tellAt) continue;
      tellAt = now + tellEveryMs;
      log.warn({ reason, seconds: Math.round((now - startedAt) / 1_000) }, 'waiting for the database');
    }
  }
}
