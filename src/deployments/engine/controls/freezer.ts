import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Bus } from '../../../platform/bus/bus.ts';
import { retryOnConflict } from '../../../platform/db/retry-on-conflict.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { longestPauseMs, runPeriodically } from '../run-periodically.ts';
import { findUnsettled, isAnyUnsettled, settleSome } from './freeze.ts';
import { followSuspension } from './suspension.ts';

const retryMs = 1_000;

/** Freezes suspended orgs, pauses the deployments of frozen ones, and resumes them after the thaw. Every replica runs one. */
export function createFreezer({ db, bus, log }: { db: Knex; bus: Bus; log: Logger }) {
  async function settle(orgId: string, isToFollow: boolean): Promise<void> {
    if (isToFollow)
      await retryOnConflict(() =>
        inTransaction(db, async (trx) => ({ result: await followSuspension(trx, orgId), closing: [] })),
      );
    for (let settled = 1; settled > 0 && !work.stopping;)
      settled = await retryOnConflict(() =>
        inTransaction(db, async (trx) => {
          const { announce, ...result } = await settleSome(trx, orgId);
          return { result: result.settled, ...bus.announcing(trx, announce) };
        }),
      );
  }

  /** An org that cannot be settled holds up no other. */
  async function settleEach(): Promise<number> {
    for (const { orgId, isToFollow } of await findUnsettled(db))
      await settle(orgId, isToFollow).catch((error: unknown) => warn(error, orgId));
    return longestPauseMs();
  }

  const warn = (error: unknown, orgId?: string) =>
    log.warn({ err: error, orgId }, 'frozen deployments could not be paused or resumed; retrying');
  const work = runPeriodically({
    run: settleEach,
    retryMs,
    onError: (error) => warn(error),
  });
  bus.subscribe({
    hint(hint) {
      if (hint.topic === 'deployment_due') work.wake();
    },
    reset: work.wake,
  });
  return Object.assign(work, { isDue: isAnyUnsettled });
}
