import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { limits } from '../../../generated/protocol.js';
import { cutBytes } from '../../kernel/cut-bytes.ts';
import { isDatabaseBusy, isDatabaseAway } from '../../platform/db/faults.ts';
import { isRetryableBesideDeletes, retryOnConflict } from '../../platform/db/retry-on-conflict.ts';
import type { OrderPort, OrderReport, Progress, ReportDone } from './order-port.ts';
import { judgeRunning, type RunningOfLink } from './drift.ts';
import type { ReportOfLink } from './links.ts';
import { recordReports } from './reporting.ts';

const gatherMs = 100;
/**
 * Delay for reports that change no status. A few hundred of a downloading fleet are then recorded together, for little
 * more than the cost of one.
 */
const postponeMs = 250;
const maxReports = 1_000; // of one transaction
/** Maximum queue length. More reports would wait in vain: they fail at once, and agents send them again. */
const maxWaiting = 50_000;
const maxReasonCharacters = 64;
/** Pause between two attempts to record the same reports. */
const againMs = 500;

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
}

/**
 * Batches the reports of this replica's robots. Records one batch at a time, each in one transaction, in order of
 * arrival. During a long transaction, more reports gather. While the database stalls, they wait: an agent whose link
 * ends sends only its latest state, so earlier events would be missing.
 */
export function createReportBatcher({ db, log, onRecorded, onDecisionDue, waitMs = 30_000 }: ReportBatcherSettings) {
  let waiting: Waiting[] = [];
  /** How many of them have waited long enough. */
  let due = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Reports that can wait, and the robots that sent them. */
  let postponed: Waiting[] = [];
  let postponedTimer: NodeJS.Timeout | undefined;
  const postponedRobots = new Set<string>();
  /** Reports of robots that hit a lock or a time limit even alone, with their later reports: retried a little later. */
  let aside: Waiting[] = [];
  let asideTimer: NodeJS.Timeout | undefined;
  const asideRobots = new Set<string>();
  /** When the reports of a robot were first set aside, since one of them was last recorded. */
  const asideSince = new Map<string, number>();
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
    waiting.unshift(...aside);
    aside = [];
    asideRobots.clear();
  }

  function setAside(item: Waiting): void {
    aside.push(item);
    asideRobots.add(item.link.robotId);
    asideTimer ??= setTimeout(() => {
      takeAside();
      void flush();
    }, againMs);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    takePostponed();
    due = waiting.length;
    if (due > 0) running ??= recordAll();
    return running ?? Promise.resolve();
  }

  async function recordAll(): Promise<void> {
    // Reports that arrive during a transaction gather for their full time. Otherwise each batch would be as small as
    // the last transaction was short.
    while (due > 0) {
      const batch = waiting.slice(0, maxReports);
      waiting = waiting.slice(maxReports);
      due = Math.max(0, due - batch.length);
      // Running reports go first: a lane is not judged while a report on its order is in the batch, whichever came
      // first.
      await recordEach(batch.filter(isRunning), judge);
      const reports = batch.filter(isReport);
      const startedAt = performance.now();
      await recordEach(reports, (each) => recordReports(db, each, onDecisionDue));
      if (reports.length > 0) onRecorded(reports.length, (performance.now() - startedAt) / 1_000);
    }
    running = undefined; // at once: later reports start another run
  }

  const judge = async (batch: readonly RunningOfLink[]) =>
    (await judgeRunning(db, batch)).map((isCurrent) =>
      isCurrent ? ({ kind: 'recorded', ended: false } as const) : ({ kind: 'stale' } as const),
    );

  /** A robot whose reports cannot be recorded does not hold up the others. */
  async function recordEach<Item extends Waiting>(
    items: readonly Item[],
    run: (batch: readonly Item[]) => Promise<Outcome[]>,
  ): Promise<void> {
    const batch = items.filter(({ link }) => !asideRobots.has(link.robotId));
    if (batch.length < items.length) items.filter(({ link }) => asideRobots.has(link.robotId)).forEach(setAside);
    const [first] = batch;
    if (!first) return;
    let outcomes: Outcome[] = [];
    try {
      outcomes = await retryOnConflict(() => run(batch), isRetryableBesideDeletes);
      failingSince = undefined;
      if (asideSince.size > 0) for (const { link } of batch) asideSince.delete(link.robotId);
    } catch (error) {
      if (isDatabaseAway(error)) {
        failingSince ??= tellStall(error);
        if (mayWait(failingSince)) {
          await sleep(againMs);
          return recordEach(batch, run);
        }
      } else if (batch.length > 1) {
        // A statement that takes too long may be too large.
        const half = Math.ceil(batch.length / 2);
        await recordEach(batch.slice(0, half), run);
        return recordEach(batch.slice(half), run);
      } else if (isDatabaseBusy(error)) {
        const { robotId } = first.link;
        const since = asideSince.get(robotId) ?? performance.now();
        asideSince.set(robotId, since);
        if (mayWait(since)) return setAside(first);
        asideSince.delete(robotId);
      }
      log.warn(
        { err: error, reports: batch.length, robot: first.link.robotId },
        'reports could not be stored; the agents keep them',
      );
    }
    // One outcome per report, in order; none if nothing was recorded.
    batch.forEach(({ done }, index) => done(outcomes[index] ?? { kind: 'failed' }));
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
      takeAside();
      await flush();
    },
  };
}

type Outcome = Parameters<ReportDone>[0];

const isRunning = (item: Waiting): item is RunningOfLink & Waiting => 'running' in item;
const isReport = (item: Waiting): item is ReportOfLink & Waiting => 'report' in item;

/** The report as Postgres can store it, within the promised sizes. */
function storable(sent: OrderReport): OrderReport {
  const { orderId, status, digest } = sent;
  const [reason, message] = [said(sent.reason), said(sent.message)];
  return {
    orderId,
    status,
    digest: digest?.toLowerCase(),
    reason: reason === undefined ? undefined : Array.from(harmless(reason)).slice(0, maxReasonCharacters).join(''),
    message: message === undefined ? undefined : cutBytes(harmless(message), limits.maxReportMessageBytes),
    progress: sent.progress && storableProgress(sent.progress),
  };
}

function storableProgress({ percent, text: sent, waitingOn }: Progress): Progress {
  const [text, holder, reason] = [said(sent), said(waitingOn?.holder), said(waitingOn?.reason)];
  return {
    percent,
    text: text && harmless(text),
    ...(holder && { waitingOn: { holder: harmless(holder), reason: harmless(reason ?? '') } }),
  };
}

/** Undefined for a text without visible characters. */
const said = (text: string | undefined): string | undefined =>
  text !== undefined && /[^\s\p{Cc}\p{Cf}]/u.test(text) ? text : undefined;

/** Postgres accepts neither NUL nor half a surrogate pair. */
const harmless = (text: string): string => text.replace(/[\0\ud800-\udfff]/gu, '\ufffd');
