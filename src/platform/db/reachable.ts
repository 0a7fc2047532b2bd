import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isDatabaseAway, isOutOfConnections } from './faults.ts';
import { DatabaseError } from './index.ts';

interface ReachableOptions {
  log: Logger;
  /** How long to attempt it; default 30 s. */
  waitMs?: number;
  /** How often to log that it waits; default 5 s. */
  tellEveryMs?: number;
  /** Pause between two attempts; default 1 s. */
  pauseMs?: number;
}

/** A wrong password or a database that does not exist: waiting changes nothing. */
const isRefused = (error: unknown): boolean => /^(28...|3D000)$/.test(String((error as { code?: unknown }).code));

/** The error of a host with several addresses has no message of its own. */
const reasonOf = (error: Error): string => error.message || String((error as { code?: unknown }).code);

/**
 * Runs what a start needs of the database, again and again while the database does not reply, is starting, or has no free connection.
 * @throws DatabaseError, a sentence for the operator, when the time is over or the database refuses us
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
        throw fail(isOutOfConnections(error) ? 'has no free connection' : 'does not answer');
      if (now < tellAt) continue;
      tellAt = now + tellEveryMs;
      log.warn({ reason, seconds: Math.round((now - startedAt) / 1_000) }, 'waiting for the database');
    }
  }
}
