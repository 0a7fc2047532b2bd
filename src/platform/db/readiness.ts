import type { Knex } from 'knex';
import { withinMs } from '../../kernel/within.ts';
import { isPoolBusy } from './faults.ts';

/**
 * Tells whether the database replies. Each call settles within `waitMs` (default 400 ms) whatever state Postgres and the pool are in: a check that
 * has not finished by then counts as good for `trustMs` (default 5 s) after the last reply, as a busy pool is no reason to leave the load balancer.
 * Calls share one check, so a frozen database costs one connection of the pool.
 */
export function databaseReadiness(db: Knex, { waitMs = 400, trustMs = 5_000 } = {}): () => Promise<boolean> {
  let checking: Promise<boolean | undefined> | undefined;
  let repliedAt = -Infinity;

  /** Undefined where the pool had no connection for it. */
  async function check(): Promise<boolean | undefined> {
    try {
      await db.raw('select 1');
      repliedAt = performance.now();
      return true;
    } catch (error) {
      return isPoolBusy(error) ? undefined : false;
    } finally {
      checking = undefined;
    }
  }

  return async () => {
    let replies: boolean | undefined;
    const checked = (checking ??= check()).then((found) => (replies = found));
    await withinMs(waitMs, checked);
    return replies ?? performance.now() - repliedAt < trustMs;
  };
}
