import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { limits } from '../../generated/protocol.js';
import { isDatabaseAway } from '../platform/http/failures.ts';
import { isRetryableBesideDeletes, repeatedly } from '../platform/db/repeatedly.ts';
import type { OrderDesk, OrderReport, ReportDone } from './desk.ts';
import { recordReports, type ReportOfLink } from './reporting.ts';

const gatherMs = 100;
const maxReports = 1_000; // of one transaction
/** More than that waits for the database in vain: whoever comes then is told so, and comes again. */
const maxWaiting = 50_000;
const maxReasonCharacters = 64;

interface Waiting extends ReportOfLink {
  done: ReportDone;
}

interface ReportDeskSettings {
  db: Knex;
  log: Logger;
  /** Reports were recorded, in this time. */
  onRecorded(reports: number, seconds: number): void;
}

/** Gathers the reports of this replica's robots and records them together, one transaction at a time, in the order they came. */
export function createReportDesk({ db, log, onRecorded }: ReportDeskSettings) {
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let closed = false;

  const report: OrderDesk['report'] = (link, sent, done) => {
    if (closed || waiting.length >= maxWaiting) return queueMicrotask(() => done({ kind: 'failed' })); // never before this returns
    waiting.push({ link, report: storable(sent), done });
    if (waiting.length >= maxReports) void flush();
    else timer ??= setTimeout(() => void flush(), gatherMs);
  };

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0) running ??= recordAll();
    return running ?? Promise.resolve();
  }

  async function recordAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxReports);
      waiting = waiting.slice(maxReports);
      const startedAt = performance.now();
      await record(batch);
      onRecorded(batch.length, (performance.now() - startedAt) / 1_000);
    }
    running = undefined; // at once: whoever reports from here on begins another run
  }

  /** What cannot be recorded of one robot does not hold up the others. */
  async function record(batch: readonly Waiting[]): Promise<void> {
    let outcomes: Parameters<ReportDone>[0][] = [];
    try {
      outcomes = await repeatedly(() => recordReports(db, batch), isRetryableBesideDeletes);
    } catch (error) {
      const [first] = batch;
      if (first && batch.length > 1 && !isDatabaseAway(error)) {
        const half = Math.ceil(batch.length / 2);
        await record(batch.slice(0, half));
        return record(batch.slice(half));
      }
      log.warn(
        { err: error, reports: batch.length, robot: first?.link.robotId },
        'reports could not be recorded; the agents keep them',
      );
    }
    // One for each, in their order; none where nothing was recorded.
    batch.forEach(({ done }, index) => done(outcomes[index] ?? { kind: 'failed' }));
  }

  return {
    report,

    /** Records what is there; whatever comes later fails. */
    async close(): Promise<void> {
      closed = true;
      await flush();
    },
  };
}

/** What Postgres can store, of the size that is promised. */
function storable(sent: OrderReport): OrderReport {
  const { orderId, status, digest } = sent;
  const [reason, message] = [said(sent.reason), said(sent.message)];
  return {
    orderId,
    status,
    digest: digest?.toLowerCase(),
    reason: reason === undefined ? undefined : Array.from(harmless(reason)).slice(0, maxReasonCharacters).join(''),
    message: message === undefined ? undefined : cutBytes(harmless(message), limits.maxReportMessageBytes),
  };
}

/** Undefined for a text in which nothing can be seen. */
const said = (text: string | undefined): string | undefined =>
  text !== undefined && /[^\s\p{Cc}\p{Cf}]/u.test(text) ? text : undefined;

/** Postgres takes neither NUL nor half a surrogate pair. */
const harmless = (text: string): string => text.replace(/[\0\ud800-\udfff]/gu, '\ufffd');

const encoder = new TextEncoder();

/** The longest beginning of at most so many bytes of UTF-8, ended between two characters. */
function cutBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(maxBytes)).read);
}
