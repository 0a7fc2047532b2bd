import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Bus } from '../platform/bus/bus.ts';
import { plainArray } from '../platform/db/arrays.ts';
import { isDatabaseAway } from '../platform/http/failures.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import { expand, type Expanded } from './expansion.ts';
import { worker } from './worker.ts';

const idleMs = 1_000;
/** The shortest pause: what is due may be another replica's, or left alone, for seconds. */
const busyMs = 50;
const maxDue = 20; // looked up at a time
/** Transactions at a time: a large fleet does not hold up the others that are due. */
const lanes = 2;
/** A deployment that cannot be begun is left alone for so long. */
const retryAfterMs = 10_000;

interface ClaimerSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
  onClaimed(claimed: Expanded): void;
}

interface DueRow {
  org_id: string;
  id: string;
}

/** Begins deployments that are due by the database's clock, whichever replica comes first; looks each second, when one is due sooner, and when told. */
export function createClaimer({ db, bus, log, onClaimed }: ClaimerSettings) {
  const failedMs = new Map<string, number>(); // by id: when it failed

  async function claimDue(): Promise<number> {
    for (;;) {
      for (const [id, ms] of failedMs) if (performance.now() - ms > retryAfterMs) failedMs.delete(id);
      const { rows } = await db.raw<{ rows: DueRow[] }>(
        `select org_id, id from deployments where status = 'scheduled' and due_at <= clock_timestamp() and not (id = any(?::uuid[]))
          order by due_at limit ? for update skip locked`,
        [plainArray([...failedMs.keys()]), maxDue],
      );
      if (rows.length === 0) return untilNextMs();
      let claimed = 0;
      const next = async () => {
        for (let row = rows.shift(); row && !work.stopping; row = rows.shift()) if (await begin(row)) claimed += 1;
      };
      await Promise.all(Array.from({ length: lanes }, next));
      // Others are at those that are left.
      if (claimed === 0 || work.stopping) return idleMs;
    }
  }

  async function begin({ org_id: orgId, id: deploymentId }: DueRow): Promise<boolean> {
    try {
      const made = await inTransaction(db, async (trx) => {
        const expanded = await expand(trx, orgId, deploymentId);
        return {
          result: expanded,
          closing: expanded ? bus.announcing(trx, [{ topic: 'orders_changed', orgId, deploymentId }]) : [],
        };
      });
      if (made) onClaimed(made);
      return made !== undefined;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      log.error({ err: error, orgId, deploymentId }, 'a deployment could not be begun; it is tried again');
      failedMs.set(deploymentId, performance.now());
      return false;
    }
  }

  async function untilNextMs(): Promise<number> {
    const { rows } = await db.raw<{ rows: [{ ms: number | null }] }>(
      `select ceil(extract(epoch from min(due_at) - clock_timestamp()) * 1000)::float8 as ms from deployments where status = 'scheduled'`,
    );
    return Math.min(idleMs, Math.max(busyMs, rows[0].ms ?? idleMs));
  }

  const work = worker({
    run: claimDue,
    retryMs: idleMs,
    onError: (error) => log.warn({ err: error }, 'due deployments could not be looked up; it is tried again'),
  });
  bus.subscribe({
    hint(hint) {
      if (hint.topic === 'deployment_due') work.wake();
    },
    reset: work.wake,
  });
  return work;
}
