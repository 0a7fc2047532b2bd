import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Logs } from '../../generated/frames.d.ts';
import { slices } from '../kernel/slices.ts';
import {
  chunkLength,
  skippedOf,
  type Batch,
  type BatchedFrame,
  type LinkRef,
  type LogOutcome,
  type Spool,
} from './batch.ts';
import { onlyBuiltin, type RecordRedaction, type Redactor } from '../log-redactions/service.ts';
import { failedLinks } from './failed-links.ts';
import type { Follows } from './following.ts';
import { frameQueue, type QueuedFrame } from './frame-queue.ts';
import { scanLogs } from './frame-scanner.ts';
import { keepFrame, toLine, type FrameRecord, type KeptFrame } from './normalise.ts';
import { createSpools } from './spools.ts';
import { createStoreWithRetry } from './store-with-retry.ts';

export interface LogIngest {
  scan: typeof scanLogs;
  /** Accepts a valid frame. `done` is called once, later. */
  accept(link: LinkRef, frame: Logs | KeptFrame, done: (outcome: LogOutcome) => void): void;
  /** Resolves when everything accepted so far is decided. */
  flush(): Promise<void>;
  /** Decides what is waiting, and fails later frames. Does not wait for an unavailable database. */
  close(): Promise<void>;
}

interface IngestSettings {
  db: Knex;
  log: Logger;
  /** How long records are gathered, in ms. Default 1,000. */
  flushEveryMs?: number;
  /** Whether the database has room for records. Default: it has. */
  hasRoom?(): boolean;
  /** How long storing is retried while the database is unavailable, in ms. Default 15,000. */
  retryForMs?: number;
  /** Notified of what was stored. Records of followed robots are stored sooner. */
  follows?: Pick<Follows, 'isFollowed' | 'stored'>;
  /** Removes secrets from records. Default: by the built-in rules. */
  redaction?: RecordRedaction;
  /** Something was removed from records. */
  onRedacted?(records: number): void;
  /** Records were skipped, because their numbers are not above the highest stored one. Default: not counted. */
  onSkipped?(records: number): void;
  /** Records were not stored, because of the quota of their org. Default: not counted. */
  onOverQuota?(records: number): void;
  /** Text that may wait in memory for all robots together, in characters; more is refused. Default 64 Mi. */
  maxWaitingLength?: number;
}

/** How long the records of a followed robot are gathered. */
const followedMs = 100;
/** Approximate maximum that is stored at a time, in characters. */
const maxFlushLength = 1_048_576;

/**
 * Stores the log records of this replica's robots. Records are gathered for a second, or until 64 KiB per robot. They are
 * stored for all robots together, one statement at a time.
 *
 * Nothing is stored twice: the store takes only records after those it has. Nothing is lost, unless the quota of the org refuses it: within a link and spool,
 * records are stored in order of arrival. Once something failed, everything after it on that link fails too, so the agent
 * resends all of it.
 */
export function createLogIngest({
  db,
  log,
  hasRoom = () => true,
  flushEveryMs = 1_000,
  retryForMs = 15_000,
  follows,
  redaction = onlyBuiltin(),
  onRedacted = () => undefined,
  onSkipped = () => undefined,
  onOverQuota = () => undefined,
  maxWaitingLength = 64 * 1_048_576,
}: IngestSettings): LogIngest {
  const spools = createSpools();
  const failed = failedLinks();
  const waiting = new Set<Batch>();
  let lastNumber = 0; // of a batch
  let dueTo = 0; // the time to gather has passed of batches up to this number
  let turn = 0; // how often batches were taken
  let waitingLength = 0; // in undecided batches, including those being stored, and in the queue
  let timer: NodeJS.Timeout | undefined;
  let followedTimer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let closing = false;

  const settle = createStoreWithRetry({
    db,
    hasRoom,
    log,
    retryForMs,
    isClosing: () => closing,
    hasFailed: ({ spool }) => failed.has(spool.link),
    onOverQuota,
    decide,
  });

  const queue = frameQueue({
    redaction,
    add,
    fail: failFrame,
    hold: (length) => (waitingLength += length),
  });

  function accept(link: LinkRef, frame: Logs | KeptFrame, done: (outcome: LogOutcome) => void): void {
    if (closing || failed.has(link) || waitingLength >= maxWaitingLength) {
      failed.add(link);
      queueMicrotask(() => done({ kind: 'failed' })); // never before accept returns
    } else {
      const { spool, seqs, records } = 'seqs' in frame ? frame : keepFrame(frame);
      queue.pass({ spool, seqs, records, link, done });
    }
  }

  function failFrame({ link, done }: QueuedFrame): void {
    failed.add(link);
    done({ kind: 'failed' });
  }

  /** Adds the records of a frame to a batch. */
  function add(frame: QueuedFrame, records: readonly FrameRecord[], redactor: Redactor): void {
    const { link, spool: name, seqs, done } = frame;
    if (closing || failed.has(link)) return failFrame(frame);
    const spool = spools.find(link, name);
    const batched = { seqs, passedSeq: spool.acceptedSeq, done };
    if (spool.waiting) spool.waiting.frames.push(batched);
    const batch = (spool.waiting ??= newBatch(spool, batched));
    const lengthBefore = batch.length;
    let redacted = 0;
    for (let index = 0; index < seqs.length; index += 1) {
      const seq = seqs[index];
      const record = records[index];
      if (seq === undefined || !record || seq <= spool.acceptedSeq) continue; // skipped
      spool.acceptedSeq = seq;
      const line = toLine(record, redactor);
      if (line.isRedacted) redacted += 1;
      if (batch.seqs.length > 0) {
        batch.seqs.push(seq);
        batch.lines.push(line);
      } else {
        batch.seqs = [seq];
        batch.lines = [line];
      }
      batch.length += line.text.length;
    }
    if (redacted > 0) onRedacted(redacted);
    waitingLength += batch.length - lengthBefore;
    if (isFull(batch)) void run();
    // Also of a full batch: what makes it full may be stored before it is its turn.
    if (follows?.isFollowed(link.robotId)) followedTimer ??= setTimeout(flushFollowed, followedMs);
    else timer ??= setTimeout(flushWaiting, flushEveryMs);
  }

  const isFull = (batch: Batch): boolean => batch.length >= chunkLength || waitingLength >= maxFlushLength;

  /** Its lists are written with their first item, which takes less room: a quiet robot's batch has one. */
  function newBatch(spool: Spool, frame: BatchedFrame): Batch {
    const batch: Batch = {
      number: (lastNumber += 1),
      spool,
      seqs: [],
      lines: [],
      length: 0,
      frames: [frame],
      isUrgent: false,
      isDecided: false,
      ignoresQuota: false,
    };
    waiting.add(batch);
    return batch;
  }

  function flushWaiting(): void {
    clearTimeout(timer);
    clearTimeout(followedTimer);
    timer = followedTimer = undefined;
    dueTo = lastNumber;
    void run();
  }

  function flushFollowed(): void {
    followedTimer = undefined;
    for (const batch of waiting) if (follows?.isFollowed(batch.spool.link.robotId)) batch.isUrgent = true;
    // Robots may have lost their followers meanwhile.
    timer ??= setTimeout(flushWaiting, flushEveryMs);
    void run();
  }

  function run(): Promise<void> {
    return (running ??= work().finally(() => (running = undefined)));
  }

  async function work(): Promise<void> {
    for (let batches = await take(); batches.length > 0; batches = await take()) await settle(batches);
  }

  /**
   * Takes what is due or full, one batch per robot: the store numbers the records of one after the other. Batches that begin
   * meanwhile are left, as the robot may have been forgotten since. If nothing is due, it does not wait, so no timer runs
   * between its last look and the end of `run`.
   */
  async function take(): Promise<Batch[]> {
    const taken: Batch[] = [];
    const newest = lastNumber;
    const slice = slices(true);
    let length = 0;
    turn += 1;
    for (const batch of waiting) {
      const { spool } = batch;
      if (length > maxFlushLength || batch.number > newest) break;
      if (spool.robot.turn === turn || !(batch.isUrgent || batch.number <= dueTo || isFull(batch))) continue;
      spool.robot.turn = turn;
      spool.waiting = undefined;
      waiting.delete(batch);
      length += batch.length;
      taken.push(batch);
      const pause = slice();
      if (pause) await pause;
    }
    return taken;
  }

  function decide(batch: Batch, outcome: LogOutcome): void {
    batch.isDecided = true;
    waitingLength -= batch.length;
    if (outcome.kind === 'failed') failed.add(batch.spool.link);
    if (outcome.kind === 'stored') follows?.stored(batch.spool.link.orgId, batch.spool.link.robotId);
    for (const frame of batch.frames) {
      const skipped = skippedOf(frame, batch.spool);
      if (outcome.kind !== 'stored' || !skipped) {
        frame.done(outcome);
        continue;
      }
      onSkipped(skipped.records);
      frame.done({ ...outcome, skipped });
    }
  }

  async function flush(): Promise<void> {
    await queue.empty();
    while (waiting.size > 0 || running) {
      flushWaiting();
      await running;
    }
  }

  return {
    scan: scanLogs,
    accept,
    flush,
    async close() {
      closing = true;
      queue.fail();
      await flush();
    },
  };
}
