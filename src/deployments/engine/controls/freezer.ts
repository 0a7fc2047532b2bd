import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Bus } from '../../../platform/bus/bus.ts';
import { retryOnConflict } from '../../../platform/db/retry-on-conflict.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { runPeriodically } from '../run-periodically.ts';
import { findResumed, findUnsettled, settleSome, thawResumed } from './freeze.ts';

const everyMs = 1_000;

/** Pauses the deployments of frozen orgs, resumes them after the thaw, and ends freezes of suspensions. Every replica runs one. */
export function createFreezer({ db, bus, log }: { db: Knex; bus: Bus; log: Logger }) {
  async function settle(): Promise<number> {
    for (const orgId of await findResumed(db))
      await retryOnConflict(() =>
        inTransaction(db, async (trx) => ({
          result: undefined,
          ...bus.announcing(trx, await thawResumed(trx, orgId)),
        })),
      );
    for (const orgId of await findUnsettled(db)) {
      for (let settled = 1; settled > 0 && !work.stopping;)
        settled = await retryOnConflict(() =>
          inTransaction(db, async (trx) => {
            const { announce, ...result } = await settleSome(trx, orgId);
            return { result: result.settled, ...bus.announcing(trx, announce) };
          }),
        );
    }
    return everyMs;
  }

  const work = runPeriodically({
    run: settle,
    retryMs: everyMs,
    onError: (error) => log.warn({ err: error }, 'frozen deployments could not be paused or resumed; retrying'),
  });
  bus.subscribe({
    hint(hint) {
      if (hint.topic === 'deployment_due') work.wake();
    },
    reset: work.wake,
  });
  return work;
}
