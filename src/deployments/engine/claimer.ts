import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Bus, Hint } from '../../platform/bus/bus.ts';
import { advisoryLocks } from '../../platform/db/advisory-locks.ts';
import { isDatabaseAway } from '../../platform/db/faults.ts';
import { retryOnConflict } from '../../platform/db/retry-on-conflict.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { Tracing } from '../../platform/tracing.ts';
import {
  claimDue,
  claimOne,
  isPlain,
  isToStart,
  type ClaimedDeployment,
  type DueDeployment,
} from './due-deployments.ts';
import { areRobotsChanged } from './robots-changed.ts';
import { longestPauseMs, runPeriodically } from './run-periodically.ts';
import { recordWork } from './spans.ts';
import { maxTogether, startTogether } from './start-together.ts';
import { expand, type Expanded } from './target-expansion.ts';

const retryMs = 1_000;
/** When the time of a deployment is this near, both lanes wait for it exactly. */
const soon = "interval '1 second'";
/** Shortest pause: a due deployment may be locked by another replica, or postponed here, for seconds. */
const busyMs = 50;
/** Parallel transactions: a large fleet does not hold up other due deployments. */
const lanes = 2;
/**
 * First and longest pause before a deployment that failed to start is retried. The first is short: another transaction
 * may have been in the way.
 */
const [firstRetryMs, maxRetryMs] = [250, 10_000];

const isStartNear = `(select due_at from deployments where ${isToStart} order by due_at limit 1) <= now() + ${soon}`;

interface ClaimerSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
  tracing: Tracing | undefined;
  onClaimed(claimed: Expanded): void;
}

type DeploymentKey = Pick<DueDeployment, 'orgId' | 'deploymentId'>;

/**
 * Starts deployments that are due by the database's clock, on whichever replica is first. Checks when one is due, and on
 * hints. Small ones start together. Each lane starts others one after the other, independently.
 */
export function createClaimer({ db, bus, log, tracing, onClaimed }: ClaimerSettings) {
  /** Deployments that failed to start, by ID. They are retried one by one. */
  const failed = new Map<string, { untilMs: number; pauseMs: number }>();

  function leftAlone(): string[] {
    const now = performance.now();
    // By now another replica has started it.
    for (const [id, { untilMs }] of failed) if (now - untilMs > maxRetryMs) failed.delete(id);
    return [...failed].flatMap(([id, { untilMs }]) => (untilMs > now ? [id] : []));
  }

  /** Those that have been due longest: of each org the plain ones before the first that is not, and that one. */
  async function claimHeads(trx: Knex): Promise<{ plain: ClaimedDeployment[]; alone: ClaimedDeployment[] }> {
    const plain: ClaimedDeployment[] = [];
    const alone = new Map<string, ClaimedDeployment>(); // by org
    for (;;) {
      const due = await claimDue(trx, maxTogether, { leftAlone: leftAlone(), otherOrgs: [...alone.keys()] });
      for (const each of due) {
        if (alone.has(each.orgId)) continue;
        if (isPlain(each) && !failed.has(each.deploymentId)) plain.push(each);
        else alone.set(each.orgId, each);
      }
      // Those of other orgs may be behind as many of one.
      if (plain.length > 0 || due.length < maxTogether) return { plain, alone: [...alone.values()] };
    }
  }

  /**
   * Starts plain ones together. Returns of each org the next one if it needs a transaction of its own, and whether any was
   * started. If they cannot start together, each of them starts alone.
   */
  async function beginSmall(isStopping: () => boolean): Promise<{ alone: DeploymentKey[]; hasStarted: boolean }> {
    const startedAt = new Date();
    let plain: ClaimedDeployment[] = [];
    try {
      const { started, alone } = await inTransaction(db, async (trx) => {
        const heads = (await lockTurn(trx)) ? await claimHeads(trx) : { plain, alone: [] };
        ({ plain } = heads);
        const begun = plain.length > 0 ? await startTogether(trx, plain) : { started: [], alone: [] };
        const done = new Set(begun.started.map(({ due }) => due.deploymentId));
        const unfinished = new Set(plain.flatMap((each) => (done.has(each.deploymentId) ? [] : each.orgId)));
        const alone = [...begun.alone, ...heads.alone.filter(({ orgId }) => !unfinished.has(orgId))];
        const hints = begun.started.map(({ due }): Hint => ({ topic: 'orders_changed', ...keyOf(due) }));
        return { result: { started: begun.started, alone }, ...bus.announcing(trx, hints) };
      });
      for (const { due, targets } of started)
        noteStart(due, { lateSeconds: due.lateSeconds, targets, announce: [] }, startedAt);
      return { alone, hasStarted: started.length > 0 };
    } catch (error) {
      if (plain.length === 0 || isDatabaseAway(error)) throw error;
      const deployments = plain.length;
      if (!areRobotsChanged(error))
        log.warn({ err: error, deployments }, 'deployments could not start together; starting each alone');
      for (const each of plain) if (!isStopping()) await beginAlone(keyOf(each));
      return { alone: [], hasStarted: true };
    }
  }

  /** Starts one of each org. Plain ones do not wait for all of them. */
  async function beginEach(alone: readonly DeploymentKey[], isStopping: () => boolean): Promise<void> {
    for (const each of alone) {
      if (isStopping()) return;
      await beginAlone(keyOf(each));
      if (each !== alone.at(-1)) await beginSmall(isStopping);
    }
  }

  async function beginAlone(key: DeploymentKey): Promise<void> {
    const startedAt = new Date();
    try {
      const begun = await retryOnConflict(() => inTransaction(db, (trx) => claimAndExpand(trx, key)), areRobotsChanged);
      failed.delete(key.deploymentId);
      if (begun) noteStart(begun.due, begun.made, startedAt);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      leaveAlone(key, error);
    }
  }

  async function claimAndExpand(trx: Knex, key: DeploymentKey) {
    const due = await claimOne(trx, key);
    const made = due && (await expand(trx, due));
    if (!made) return { result: undefined, closing: [] };
    return {
      result: { due, made },
      ...bus.announcing(trx, [{ topic: 'orders_changed', ...key }, ...made.announce]),
    };
  }

  function noteStart(due: DueDeployment, made: Expanded, startedAt: Date): void {
    onClaimed(made);
    if (tracing) recordWork(tracing, 'start deployment', due, startedAt, { 'fleet.robots': made.targets });
  }

  function leaveAlone(key: DeploymentKey, error: unknown): void {
    log.error({ err: error, ...key }, 'a deployment could not be started; retrying');
    const before = failed.get(key.deploymentId);
    const pauseMs = before ? Math.min(2 * before.pauseMs, maxRetryMs) : firstRetryMs;
    failed.set(key.deploymentId, { untilMs: performance.now() + pauseMs, pauseMs });
  }

  /** Time until the next deployment is due, at most the longest pause; zero or less if one is due. */
  async function untilNextMs(): Promise<number> {
    const { rows } = await db.raw<{ rows: [{ ms: number | null }] }>(
      `select ceil(extract(epoch from min(due_at) - clock_timestamp()) * 1000)::float8 as ms from deployments
        where ${isToStart}`,
    );
    return Math.min(longestPauseMs(), rows[0].ms ?? longestPauseMs());
  }

  const work = Array.from({ length: lanes }, () => {
    const isStopping = () => lane.stopping;
    const lane = runPeriodically({
      async run() {
        // One query if nothing is due, which is nearly always.
        const idle = await untilNextMs();
        if (idle > 0) return idle;
        for (let isDue = true; isDue && !lane.stopping;) {
          const { alone, hasStarted } = await beginSmall(isStopping);
          await beginEach(alone, isStopping);
          isDue = hasStarted || alone.length > 0;
        }
        return Math.max(busyMs, await untilNextMs());
      },
      retryMs,
      onError: (error) => log.warn({ err: error }, 'due deployments could not be read; retrying'),
    });
    return Object.assign(lane, { isDue: isStartNear });
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

/** Whether no other transaction starts deployments together. Before their locks: the next ones are then those behind them. */
async function lockTurn(trx: Knex): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: [{ is_mine: boolean }] }>('select pg_try_advisory_xact_lock(?) as is_mine', [
    advisoryLocks.startTogether,
  ]);
  return rows[0].is_mine;
}

const keyOf = ({ orgId, deploymentId }: DeploymentKey): DeploymentKey => ({ orgId, deploymentId });
