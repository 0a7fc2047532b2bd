import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { lowestId } from '../../kernel/ids.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { isDatabaseAway } from '../../platform/db/faults.ts';
import { expireApprovals, isAnyApprovalExpired } from './approvals/expire-approvals.ts';
import { cancelLeftCaused } from './controls/cancel.ts';
import { isAnyGateOverdue, noteOverdueGates } from './gates.ts';
import { isAnySuperseding, sweepObsolete } from './obsolete-targets.ts';
import { freeRobots, isAnyToFree } from './robot-holds.ts';
import type { RobotKey } from './order-port.ts';
import {
  applySweeps,
  findAbandoned,
  findCancelled,
  findCancelling,
  findDue,
  findMissedByRace,
  findReplaced,
  findSkipped,
  findSkipping,
  isAnyCancelling,
  isAnyDue,
  isAnySkipping,
  postponeDueChecks,
  sweepBatch,
} from './sweep-queries.ts';
import { runPeriodically } from './run-periodically.ts';

const retryMs = 1_000;
const lookForLeftEveryMs = 60_000;
const maxRemoved = 1_000; // remembered; the sweep for leftovers finds the others
/** Of all steps but those for removed robots and for leftovers. */
const isAnyStepDue = [
  isAnyCancelling,
  isAnySkipping,
  isAnySuperseding,
  isAnyDue,
  isAnyApprovalExpired,
  isAnyGateOverdue,
  isAnyToFree,
].join(' or ');

interface SweeperSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
}

/**
 * Ends targets that nothing else ends: cancelled, of skipped waves, superseded, past their deadline, over the queue limit,
 * or of removed robots. Also deployments that nobody approved in time. Notes robots that wait for their gates for too long,
 * and frees those whose pin or maintenance is over. Every replica runs one.
 */
export function createSweeper({ db, bus, log }: SweeperSettings) {
  let lookedMs = performance.now();
  /** Robots removed since the last sweep, by ID. */
  const removed = new Map<string, RobotKey>();

  const warn = (error: unknown) => log.warn({ err: error }, 'overdue targets could not be ended; retrying');

  const steps: readonly (() => Promise<unknown>)[] = [
    () => sweepAll(findCancelling, findCancelled),
    () => sweepAll(findSkipping, findSkipped),
    () => sweepObsolete(db, bus, () => work.stopping),
    sweepAbandoned,
    sweepDue,
    () => expireApprovals(db, bus),
    () => noteOverdueGates(db),
    sweepFreed,
    lookForLeft,
  ];

  /** One that fails holds up no other. Without the database, all of them fail. */
  async function sweep(): Promise<number> {
    if (await isAnythingDue())
      for (const step of steps)
        await step().catch((error: unknown) => {
          if (isDatabaseAway(error)) throw error;
          warn(error);
        });
    // Others may hold a target of a removed robot.
    return removed.size > 0 ? retryMs : Math.max(1, lookedMs + lookForLeftEveryMs - performance.now());
  }

  /** One statement in place of those of all steps: after a hint, mostly none of them is due. */
  async function isAnythingDue(): Promise<boolean> {
    if (removed.size > 0 || isTimeToLook()) return true;
    try {
      const { rows } = await db.raw<{ rows: [{ is_due: boolean }] }>(`select ${isAnyStepDue} as is_due`);
      return rows[0].is_due;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      warn(error);
      return true;
    }
  }

  const isTimeToLook = () => performance.now() - lookedMs >= lookForLeftEveryMs;

  async function lookForLeft(): Promise<void> {
    if (!isTimeToLook()) return;
    lookedMs = performance.now();
    await cancelLeftCaused(db);
    const moved = await applySweeps(db, bus, await findMissedByRace(db));
    if (moved > 0) log.info({ targets: moved }, 'ended targets that had no deadline');
  }

  /**
   * Until nothing is left to do: some targets are due again at once, as after the first of two moves for a removed
   * robot.
   */
  async function sweepDue(): Promise<void> {
    for (let found = 1; found > 0 && !work.stopping;)
      found = (await applySweeps(db, bus, await findDue(db))) + (await postponeDueChecks(db));
  }

  /** `find`: targets of one of these deployments, ordered by robot. */
  async function sweepAll(deployments: typeof findCancelling, find: typeof findCancelled): Promise<void> {
    for (const deployment of await deployments(db)) {
      for (let after: string | undefined = lowestId; after !== undefined && !work.stopping;) {
        const found = await find(db, deployment, after);
        await applySweeps(db, bus, found);
        after = found.length === sweepBatch ? found.at(-1)?.robotId : undefined;
      }
    }
  }

  /** Frees robots. What a pin held replaces what it allowed. */
  async function sweepFreed(): Promise<void> {
    for (let freed = await freeRobots(db, bus); freed.length > 0 && !work.stopping; freed = await freeRobots(db, bus))
      await applySweeps(db, bus, await findReplaced(db, freed));
  }

  async function sweepAbandoned(): Promise<void> {
    const robots = [...removed.values()];
    const found = await findAbandoned(db, robots);
    // A target needs two moves to end, and others may hold it: a robot is checked until it has none.
    await applySweeps(db, bus, found);
    const busy = new Set(found.map(({ robotId }) => robotId));
    for (const { robotId } of robots) if (!busy.has(robotId)) removed.delete(robotId);
  }

  const work = runPeriodically({
    run: sweep,
    retryMs,
    onError: warn,
  });
  bus.subscribe({
    hint(hint) {
      if (hint.topic === 'robot_removed' && removed.size < maxRemoved) removed.set(hint.robotId, hint);
      if (hint.topic === 'robot_removed' || hint.topic === 'orders_changed') work.wake();
    },
    reset: work.wake,
  });
  return Object.assign(work, { isDue: isAnyStepDue });
}
