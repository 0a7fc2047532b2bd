import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { conditionService } from './conditions/service.ts';
import { readBacklog } from './deployments/api/service.ts';
import { removedByRetention } from './deployments/api/retention.ts';
import { waitAtMost } from './kernel/wait-at-most.ts';
import { readServerFacts } from './platform/db/server-facts.ts';
import type { SharedState } from './platform/gauges.ts';
import { lastBackupOf } from './status/service.ts';

interface SharedStateOptions {
  /** A scrape reads the database again after this time, in ms; default 10 s. */
  everyMs?: number;
  /** A scrape waits for the database for at most this time, in ms; default 1 s. */
  waitMs?: number;
  /** Older values are not shown, in ms; default 1 min. */
  trustMs?: number;
}

/**
 * Reads what the metrics say of all robots and the database: at a scrape, and only then. A slow or unavailable database
 * delays a scrape by up to `waitMs`; then the previous values are used, and after `trustMs` none.
 */
export function sharedState(
  { db, log }: { db: Knex; log: Logger },
  { everyMs = 10_000, waitMs = 1_000, trustMs = 60_000 }: SharedStateOptions = {},
): () => Promise<SharedState | undefined> {
  let known: SharedState | undefined;
  let readAtMs = -Infinity;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    try {
      const [facts, counts, backlog] = [
        await readServerFacts(db),
        await conditionService(db).history.newestOfAll(),
        await readBacklog(db),
      ];
      const { byStatus, pausedBy, overdue } = backlog;
      const backupAt = (await lastBackupOf(db))?.takenAt;
      const retentionRows = await removedByRetention(db);
      known = {
        ...facts,
        ...robotsOf(counts),
        deployments: byStatus,
        paused: pausedBy,
        overdue,
        retentionRows,
        backupAt,
      };
      readAtMs = performance.now();
    } catch (error) {
      log.debug({ err: error }, 'the state of the fleet could not be read for the metrics');
    } finally {
      reading = undefined;
    }
  }

  return async () => {
    if (performance.now() - readAtMs >= everyMs) await waitAtMost(waitMs, (reading ??= read()));
    return performance.now() - readAtMs < trustMs ? known : undefined;
  };
}

type Counts = Awaited<ReturnType<ReturnType<typeof conditionService>['history']['newestOfAll']>>;

function robotsOf(counts: Counts): Pick<SharedState, 'robots' | 'health'> {
  if (!counts) return { robots: {}, health: {} };
  const { total, online, healthy, degraded, unhealthy } = counts;
  return {
    robots: { online, offline: total - online },
    health: { healthy, degraded, unhealthy, unknown: total - healthy - degraded - unhealthy },
  };
}
