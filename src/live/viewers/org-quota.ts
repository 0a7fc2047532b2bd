import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { QuotaRoom } from '../../kernel/errors.ts';
import { quotaService } from '../../quotas/service.ts';

interface OrgQuotaSettings {
  db: Knex;
  log: Logger;
  replicaId: string;
  /** Streams of the org on this replica. */
  countOf(orgId: string): number;
}

/** How long changes of the counts are gathered before other replicas can see them. */
const gatherMs = 200;
const retryMs = 5_000;

/**
 * The quota of live streams of each org, over all replicas. A replica counts its own streams in memory, and reads what the
 * others have stored. So the limit is exact on a replica; streams that open within 0.2 s on several can exceed it.
 */
export function orgQuota({ db, log, replicaId, countOf }: OrgQuotaSettings) {
  const quotas = quotaService(db);
  const changed = new Set<string>(); // orgs whose count is to be stored
  const most = new Map<string, number>(); // of this replica, by org, as last read
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();

  function store(): Promise<void> {
    timer = undefined;
    const counts = [...changed].map((orgId) => ({ orgId, streams: countOf(orgId) }));
    changed.clear();
    return (storing = storing
      .then(() => quotas.setStreams(replicaId, counts))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the number of live streams could not be stored; retrying');
        for (const { orgId } of counts) noteChange(orgId, retryMs);
      }));
  }

  function noteChange(orgId: string, waitMs = gatherMs): void {
    changed.add(orgId);
    timer ??= setTimeout(() => void store(), waitMs).unref();
  }

  return {
    noteChange,

    /** Reads the quota. Returns it if the org has no stream left. */
    async findFull(orgId: string): Promise<QuotaRoom | undefined> {
      const quota = await quotas.findStreams(orgId, replicaId);
      if (!quota) {
        most.delete(orgId);
        return undefined;
      }
      const { limit, elsewhere } = quota;
      most.set(orgId, limit - elsewhere);
      return isFull(orgId) ? { name: 'live_streams', limit, left: 0 } : undefined;
    },

    isFull,

    /** Removes the counts of this replica. */
    async stop(): Promise<void> {
      clearTimeout(timer);
      await storing;
      await quotas
        .forgetStreams(replicaId)
        .catch((error: unknown) => log.warn({ err: error }, 'the number of live streams could not be removed'));
    },
  };

  /** By what was last read. */
  function isFull(orgId: string): boolean {
    return countOf(orgId) >= (most.get(orgId) ?? Infinity);
  }
}
