import type { Knex } from 'knex';
import { waitAtMost } from '../../kernel/wait-at-most.ts';
import { isPoolBusy } from './faults.ts';

/**
 * Whether the database responds. Each call settles within `waitMs` (default 400 ms), whatever the state of Postgres and
 * the pool. A check that has not finished by then counts as ready for `trustMs` (default 5 s) after the last success: a
 * busy pool is no reason to leave the load balancer. Calls share one check, so a frozen database occupies one
 * connection of the pool.
 */
export function databaseReadiness(db: Knex, { waitMs = 400, trustMs = 5_000 } = {}): () => Promise<boolean> {
  let checking: Promise<boolean | undefined> | undefined;
  let repliedAt = -Infinity;

  /** Undefined if the pool had no free connection. */
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
    await waitAtMost(waitMs, checked);
    return replies ?? performance.now() - repliedAt < trustMs;
  };
}
