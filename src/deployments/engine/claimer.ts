import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Bus } from '../../platform/bus/bus.ts';
import { isDatabaseAway } from '../../platform/db/faults.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { isFrozen } from './holds.ts';
import { claim, expand, type DueDeployment, type Expanded } from './target-expansion.ts';
import { runPeriodically } from './run-periodically.ts';

const idleMs = 1_000;
/** Shortest pause: a due deployment may be locked by another replica, or postponed here, for seconds. */
const busyMs = 50;
/** Parallel transactions: a large fleet does not hold up other due deployments. */
const lanes = 2;
/**
 * First and longest pause before a deployment that failed to start is retried. The first is short: another transaction
 * may have been in the way.
 */
const [firstRetryMs, maxRetryMs] = [250, 10_000];

interface ClaimerSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
  onClaimed(claimed: Expanded): void;
}

/**
 * Starts deployments that are due by the database's clock, on whichever replica is first. Checks every second, when one
 * is due sooner, and on hints. Each lane starts one deployment after the other, independently.
 */
export function createClaimer({ db, bus, log, onClaimed }: ClaimerSettings) {
  /** Deployments that failed to start, by ID. */
  const failed = new Map<string, { untilMs: number; pauseMs: number }>();

  function leftAlone(): string[] {
    const now = performance.now();
    // By now another replica has started it.
    for (const [id, { untilMs }] of failed) if (now - untilMs > maxRetryMs) failed.delete(id);
    return [...failed].flatMap(([id, { untilMs }]) => (untilMs > now ? [id] : []));
  }

  /** Returns whether one was due. */
  async function beginNext(): Promise<boolean> {
    let due: DueDeployment | undefined;
    try {
      const made = await inTransaction(db, async (trx) => {
        due = await claim(trx, leftAlone());
        if (!due) return { result: undefined, closing: [] };
        const result = await expand(trx, due);
        if (!result) return { result, closing: [] };
        return {
          result,
          closing: bus.announcing(trx, [{ topic: 'orders_changed', ...keyOf(due) }, ...result.announce]),
        };
      });
      if (due) failed.delete(due.deploymentId);
      if (made) onClaimed(made);
    } catch (error) {
      if (!due || isDatabaseAway(error)) throw error;
      leaveAlone(due, error);
    }
    return due !== undefined;
  }

  function leaveAlone(due: DueDeployment, error: unknown): void {
    log.error({ err: error, ...keyOf(due) }, 'a deployment could not be started; retrying');
    const before = failed.get(due.deploymentId);
    const pauseMs = before ? Math.min(2 * before.pauseMs, maxRetryMs) : firstRetryMs;
    failed.set(due.deploymentId, { untilMs: performance.now() + pauseMs, pauseMs });
  }

  /** Time until the next deployment is due, at most `idleMs`; zero or less if one is due. */
  async function untilNextMs(): Promise<number> {
    const { rows } = await db.raw<{ rows: [{ ms: number | null }] }>(
      `select ceil(extract(epoch from min(due_at) - clock_timestamp()) * 1000)::float8 as ms from deployments
        where status = 'scheduled' and not ${isFrozen('deployments')}`,
    );
    return Math.min(idleMs, rows[0].ms ?? idleMs);
  }

  const work = Array.from({ length: lanes }, () => {
    const lane = runPeriodically({
      async run() {
        // One query if nothing is due, which is nearly always.
        const idle = await untilNextMs();
        if (idle > 0) return idle;
        while (!lane.stopping && (await beginNext()));
        return Math.max(busyMs, await untilNextMs());
      },
      retryMs: idleMs,
      onError: (error) => log.warn({ err: error }, 'due deployments could not be read; retrying'),
    });
    return lane;
  });
  const wake = () => work.forEach((lane) => lane.wake());
  bus.subscribe({
    hint(hint) {
      if (hint.topic === 'deployment_due') wake();
    },
    reset: wake,
  });
  return work;
}

const keyOf = ({ orgId, deploymentId }: DueDeployment) => ({ orgId, deploymentId });
