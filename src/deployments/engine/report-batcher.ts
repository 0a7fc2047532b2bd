import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { isDatabaseBusy, isDatabaseAway } from '../../platform/db/faults.ts';
import { isRetryableBesideDeletes, retryOnConflict } from '../../platform/db/retry-on-conflict.ts';
import type { OrderPort, ReportDone } from './order-port.ts';
import { judgeRunning, type RunningOfLink } from './drift.ts';
import type { ReportOfLink } from './links.ts';
import { recordReports } from './reporting.ts';
import { storable } from './storable-report.ts';

const gatherMs = 100;
/**
 * Delay for reports that change no status. A few hundred of a downloading fleet are then recorded together, for little
 * more than the cost of one.
 */
const postponeMs = 250;
const maxReports = 1_000; // of one transaction
/** Maximum queue length. More reports would wait in vain: they fail at once, and agents send them again. */
const maxWaiting = 50_000;
/** Pause between two attempts to record the same reports. */
const againMs = 500;
/** Pause between two waits for rows that others hold. Many batches may need the same row, as that of a large deployment. */
const waitAgainMs = 3_000;

type Waiting = (ReportOfLink | RunningOfLink) & { done: ReportDone };

interface ReportBatcherSettings {
  db: Knex;
  log: Logger;
  /** Called after reports were recorded, with the time it took. */
  onRecorded(reports: number, seconds: number): void;
  /** Called after reports by which robots of a rollout have ended. Nothing by default. */
  onDecisionDue?(): void;
  /**
   * How long reports wait for a database that stalls or is unavailable, from its first failure on. Default 30 s, after
   * which agents send them again anyway.
   */
  waitMs?: number;
  /** Targets of one transaction with several reports. Default 20,000. */
  maxTargets?: number | undefined;
}

/**
 * Batches the reports of this replica's robots. Records one batch at a time, each in one transaction, in order of
 * arrival. During a long transaction, more reports gather. While the database stalls, they wait: an agent whose link
 * ends sends only its latest state, so earlier events would be missing.
 */
export function createReportBatcher(settings: ReportBatcherSettings) {
  const { db, log, onRecorded, onDecisionDue, waitMs = 30_000, maxTargets } = settings;
  let waiting: Waiting[] = [];
  /** How many of them have waited long enough. */
  let due = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Reports that can wait, and the robots that sent them. */
  let postponed: Waiting[] = [];
  let postponedTimer: NodeJS.Timeout | undefined;
  const postponedRobots = new Set<string>();
  /**
   * Reports of robots that hit a lock, or a time limit even alone, with their later reports: retried a little later,
   * after the batch that is recorded then. It may have later reports of them.
   */
  let aside: Waiting[] = [];
  let asideTimer: NodeJS.Timeout | undefined;
  let isAsideDue = false;
  const asideRobots = new Set<string>();
  /** When the reports of a robot were first set aside, since one of them was last recorded. */
  const asideSince = new Map<string, number>();
  /** Until then, reports on what others hold are set aside without a wait. */
  let passOverUntil = -Infinity;
  let running: Promise<void> | undefined;
  let closed = false;
  /** When the database first failed, since it last recorded something. */
  let failingSince: number | undefined;

  function add(item: Waiting): void {
    if (closed || waiting.length + postponed.length + aside.length >= maxWaiting)
      return queueMicrotask(() => item.done({ kind: 'failed' })); // never before this returns
    const { robotId } = item.link;
    if (isRunning(item) || item.report.progress) {
      postponed.push(item);
      postponedRobots.add(robotId);
      postponedTimer ??= setTimeout(() => void flush(), postponeMs);
      return;
    }
    // Reports of one robot stay in order.
    if (postponedRobots.has(robotId)) takePostponed();
    waiting.push(item);
    if (waiting.length >= maxReports) void flush();
    else timer ??= setTimeout(() => void flush(), gatherMs);
  }

  function takePostponed(): void {
    clearTimeout(postponedTimer);
    postponedTimer = undefined;
    waiting.push(...postponed);
    postponed = [];
    postponedRobots.clear();
  }

  function takeAside(): void {
    clearTimeout(asideTimer);
    asideTimer = undefined;
    isAsideDue = false;
    waiting.unshift(...aside);
    due += aside.length;
    aside = [];
    asideRobots.clear();
  }

  function setAside(item: Waiting): void {
    aside.push(item);
    asideRobots.add(item.link.robotId);
    asideTimer ??= setTimeout(() => {
      isAsideDue = true;
      void flush();
    }, againMs);
  }

  /** Sets the report aside, unless those of its robot have waited for too long. Returns whether it did. */
  function maySetAside(item: Waiting): boolean {
    const { robotId } = item.link;
    const since = asideSince.get(robotId) ?? performance.now();
    if (!mayWait(since)) {
      asideSince.delete(robotId);
      return false;
    }
    asideSince.set(robotId, since);
    setAside(item);
    return true;
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    takePostponed();
    due = waiting.length;
    if (due > 0 || isAsideDue) running ??= recordAll();
    return running ?? Promise.resolve();
  }

  async function recordAll(): Promise<void> {
    // Reports that arrive during a transaction gather for their full time. Otherwise each batch would be as small as
    // the last transaction was short.
    while (due > 0 || isAsideDue) {
      if (isAsideDue) takeAside();
      const batch = waiting.slice(0, maxReports);
      waiting = waiting.slice(maxReports);
      due = Math.max(0, due - batch.length);
      // Running reports go first: a lane is not judged while a report on its order is in the batch, whichever came
      // first.
      await recordEach(batch.filter(isRunning), judge);
      const reports = batch.filter(isReport);
      const startedAt = performance.now();
      await recordEach(reports, record);
      if (reports.length > 0) onRecorded(reports.length, (performance.now() - startedAt) / 1_000);
    }
    running = undefined; // at once: later reports start another run
  }

  const judge = async (batch: readonly RunningOfLink[]) =>
    (await judgeRunning(db, batch)).map((isCurrent) =>
      isCurrent ? ({ kind: 'recorded', ended: false } as const) : ({ kind: 'stale' } as const),
    );

  async function record(reports: readonly ReportOfLink[]) {
    const passOver = performance.now() < passOverUntil;
    const outcomes = await recordReports(db, reports, { passOver, maxTargets, onDecisionDue });
    if (!passOver && outcomes.some(({ kind }) => kind === 'locked')) passOverUntil = performance.now() + waitAgainMs;
    return outcomes;
  }

  /** A robot whose reports cannot be recorded does not hold up the others. */
  async function recordEach<Item extends Waiting>(
    items: readonly Item[],
    run: (batch: readonly Item[]) => Promise<RunOutcome[]>,
  ): Promise<void> {
    const batch = items.filter(({ link }) => !asideRobots.has(link.robotId));
    if (batch.length < items.length) items.filter(({ link }) => asideRobots.has(link.robotId)).forEach(setAside);
    const [first] = batch;
    if (!first) return;
    let outcomes: RunOutcome[] = [];
    try {
      outcomes = await retryOnConflict(() => run(batch), isRetryableBesideDeletes);
      failingSince = undefined;
    } catch (error) {
      if (isDatabaseAway(error)) {
        failingSince ??= tellStall(error);
        if (mayWait(failingSince)) {
          await sleep(againMs);
          return recordEach(batch, run);
        }
      } else if (batch.length > 1) {
        // It has too many targets, or a statement takes too long, which may be too large.
        const half = Math.ceil(batch.length / 2);
        await recordEach(batch.slice(0, half), run);
        return recordEach(batch.slice(half), run);
      } else if (isDatabaseBusy(error) && maySetAside(first)) return;
      log.warn({ err: error, reports: batch.length, robot: first.link.robotId }, notStored);
    }
    // One outcome per report, in order; none if nothing was recorded.
    batch.forEach((item, index) => {
      const outcome: RunOutcome = outcomes[index] ?? { kind: 'failed' };
      const { robotId } = item.link;
      if (outcome.kind !== 'locked') {
        asideSince.delete(robotId);
        item.done(outcome);
      } else if (!maySetAside(item)) {
        log.warn({ robot: robotId }, notStored);
        item.done({ kind: 'failed' });
      }
    });
  }

  function tellStall(error: unknown): number {
    log.warn({ err: error }, 'reports wait for the database');
    return performance.now();
  }

  const mayWait = (since: number): boolean => !closed && performance.now() - since < waitMs;

  return {
    report: ((link, sent, done) => add({ link, report: storable(sent), done })) satisfies OrderPort['report'],
    running: ((link, running, done) => add({ link, running, done })) satisfies OrderPort['running'],

    /** Records the queued reports; later ones fail. */
    async close(): Promise<void> {
      closed = true;
      isAsideDue = true;
      await flush();
    },
  };
}

const notStored = 'reports could not be stored; the agents keep them';

type RunOutcome = Parameters<ReportDone>[0] | { kind: 'locked' };

const isRunning = (item: Waiting): item is RunningOfLink & Waiting => 'running' in item;
const isReport = (item: Waiting): item is ReportOfLink & Waiting => 'report' in item;
