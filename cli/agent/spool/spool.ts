import { rm } from 'node:fs/promises';
import type { SpooledRecord } from '../../../generated/frames.js';
import { writeCheckpoint } from './checkpoint.ts';
import { segmentCursor } from './cursor.ts';
import { pendingLines } from './pending.ts';
import type { LogRecord, Position } from './record.ts';
import { countRecords, findSpool, makeSpool, type FoundSpool } from './segments.ts';
import { stepsOf } from './steps.ts';
import { spoolTail } from './tail.ts';

export interface SpoolSettings {
  /** The folder that the spool's own folder is in. */
  parent: string;
  /** What the segments may take on disk; the oldest are dropped beyond it. */
  quotaBytes: number;
  /** The machine's boot; default: not known, which counts as another one each time. */
  bootId?: string | undefined;
  /** Nothing is touched before; default: at once. */
  after?: Promise<void> | undefined;
  /** Called when there is something to read. */
  onWritten(): void;
  /** Called when the disk does not take or give something, or does not answer for 5 s, and again while that lasts. Default: not told. */
  onFault?(reason: string): void;
  /** Called when the disk has everything. */
  onWell?(): void;
}

export interface Batch {
  spool: string;
  records: SpooledRecord[];
}

/** Records that were lost since it was last asked. */
interface Lost {
  dropped: number;
  reason: 'quota' | 'damaged';
  why: string;
}

/**
 * Log records on disk until the service has them, numbered from 1 over the life of the folder. Nothing here rejects: what a failing disk
 * does not take waits in memory, 1 MiB of it, and what comes then is lost and counted.
 */
export interface Spool {
  /** Resolves when what is on disk was read, or the disk refused it. Until then there is no position. */
  readonly opened: Promise<void>;
  /** `position`: where the source has got to with it; kept with the record, so that neither is there without the other. */
  append(record: LogRecord, position?: Position): void;
  /** A position without a record. */
  note(source: string, position: Position): void;
  /** Where the source had got to when the agent ended; undefined if it is new. */
  positionOf(source: string): Position;
  /** What comes next, at most so much; undefined when all was read. One call at a time. */
  read(maxRecords: number, maxBytes: number): Promise<Batch | undefined>;
  /** The next read begins with the oldest record that is not acknowledged. */
  rewind(): void;
  /** The service has everything of that spool up to `seq`. */
  acknowledge(spool: string, seq: number): void;
  takeLost(): Lost | undefined;
  readonly stats: { bytes: number; records: number; dropped: number };
  /** Resolves when all that was appended is safe from a power cut, or the disk refused it. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const segmentBytes = 1024 * 1024;
/** Syncing, the checkpoint and another try after a fault come at most so often. */
const settleEveryMs = 1000;
/**
 * Numbers left out after a boot. A power cut may take records that the service has already: their numbers must not be used again, or it
 * would take the new records for them. More than an agent writes between two syncs.
 */
const seqsAfterBoot = 10_000;

export function openSpool(settings: SpoolSettings): Spool {
  const { parent, quotaBytes, bootId } = settings;
  let found: FoundSpool | undefined;
  const tail = spoolTail();
  /** Numbers that no record has; counted among those that wait until the service is past them. */
  let skipped = { before: 0, count: 0 };
  const pending = pendingLines();
  let dropped = 0;
  let lost: Lost | undefined;
  const positions: Record<string, Position> = {};
  const cursor = segmentCursor(() => lose(1, 'damaged', 'the disk damaged them'));
  let isDirty = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let isScheduled = false;
  let isFailing = false;

  function lose(count: number, reason: Lost['reason'], why: string): void {
    if (count <= 0) return;
    dropped += count;
    lost = { dropped: (lost?.dropped ?? 0) + count, reason, why };
  }

  /** A fault is tried again a second later. */
  const run = stepsOf(settings.after ?? Promise.resolve(), {
    failed(error) {
      isFailing = true;
      isDirty = true;
      settings.onFault?.(error instanceof Error ? error.message : String(error));
      settleLater();
    },
    slow: () => settings.onFault?.('it does not answer'),
  });

  function settleLater(): void {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void run(settle);
    }, settleEveryMs);
  }

  async function load(): Promise<FoundSpool> {
    if (found) return found;
    const loaded = (await findSpool(parent)) ?? (await makeSpool(parent));
    const { checkpoint, lastSeq } = loaded;
    const isSameBoot = bootId !== undefined && checkpoint.bootId === bootId;
    const skips = lastSeq > 0 && !isSameBoot ? seqsAfterBoot : 0;
    Object.assign(positions, { ...checkpoint.positions, ...positions });
    pending.renumber(lastSeq + skips);
    skipped = { before: lastSeq + 1, count: skips };
    if (checkpoint.acked >= lastSeq) checkpoint.acked = pending.firstSeq - 1;
    loaded.lastSeq += skips;
    found = loaded;
    cursor.reset(loaded.segments, checkpoint.acked);
    isDirty = true;
    return loaded;
  }

  async function write(): Promise<void> {
    isScheduled = false;
    const spool = await load();
    if (pending.isEmpty()) return;
    while (!pending.isEmpty()) {
      const data = pending.next();
      const written = data.length > 0 ? await writeLines(spool, data) : 0;
      // Not before: what was not written is tried again.
      const taken = pending.take(written);
      Object.assign(positions, taken.positions);
      spool.lastSeq = taken.lastSeq ?? spool.lastSeq;
      isDirty = true;
      if (written < data.length) {
        settings.onWritten();
        throw new Error(`the disk took ${written} of ${data.length} bytes`);
      }
    }
    settleLater();
    settings.onWritten();
  }

  async function writeLines(spool: FoundSpool, data: Buffer): Promise<number> {
    const last = spool.segments.at(-1);
    if (!last || (last.bytes > 0 && last.bytes + data.length > segmentBytes)) {
      await tail.begin(spool, pending.firstSeq);
      await trim(spool);
    }
    return tail.write(spool, data);
  }

  /** On a full disk what the service has goes at once, the last segment too once another has taken its place. */
  async function makeRoom(spool: FoundSpool): Promise<void> {
    const { segments, checkpoint, lastSeq } = spool;
    if ((segments.at(-1)?.bytes ?? 0) > 0 && checkpoint.acked >= lastSeq) await tail.begin(spool, lastSeq + 1);
    await trim(spool);
  }

  async function settle(): Promise<void> {
    const spool = await load();
    if (isDirty && (await tail.isGone(spool))) await giveUp(spool);
    if (isFailing) await makeRoom(spool);
    await write();
    isFailing = false;
    if (isDirty) await keep(spool);
    settings.onWell?.();
  }

  /** All that was written, and where everything has got to, is safe from a power cut then. */
  async function keep(spool: FoundSpool): Promise<void> {
    isDirty = false;
    await tail.sync();
    // Where the disk is full, room has to be made before anything can be written.
    await saved(spool).catch(async () => {
      await trim(spool);
      await saved(spool);
    });
    await trim(spool);
  }

  const saved = ({ directory, checkpoint, lastSeq }: FoundSpool) => {
    Object.assign(checkpoint, { seq: lastSeq, bootId, positions: { ...positions } });
    return writeCheckpoint(directory, checkpoint);
  };

  async function giveUp(spool: FoundSpool): Promise<void> {
    lose(waiting(spool), 'damaged', 'their folder was deleted');
    await tail.close();
    await rm(spool.directory, { recursive: true, force: true });
    // Numbers go on: nobody needs two records of one number to tell.
    const made = await makeSpool(parent);
    const last = pending.firstSeq - 1;
    Object.assign(spool, made, { lastSeq: last, checkpoint: { ...made.checkpoint, acked: last } });
    skipped = { before: 0, count: 0 };
    cursor.reset(spool.segments, last);
    isDirty = true;
  }

  /** The last segment stays in any case: its numbers are what the next ones follow. */
  async function trim(spool: FoundSpool): Promise<void> {
    const { segments, checkpoint } = spool;
    let isSaved = false;
    const total = () => segments.reduce((sum, { bytes }) => sum + bytes, 0);
    for (let oldest = segments[0]; oldest && segments.length > 1; oldest = segments[0]) {
      const isStored = (segments[1]?.first ?? 0) <= checkpoint.acked + 1;
      if (!isStored && total() <= quotaBytes) return;
      if (!isStored) lose(await countRecords(oldest, checkpoint.acked), 'quota', 'the spool is full');
      // The positions in it are nowhere else. On a full disk it goes first, or there would never be room.
      if (!isSaved) await saved(spool).catch(() => undefined);
      isSaved = true;
      await rm(oldest.path, { force: true });
      segments.shift();
      if (!isStored) checkpoint.acked = Math.max(checkpoint.acked, (segments[0]?.first ?? 1) - 1);
    }
  }

  function waiting({ lastSeq, checkpoint: { acked } }: FoundSpool): number {
    return Math.max(0, lastSeq - acked - (acked < skipped.before ? skipped.count : 0));
  }

  const opened = run(async () => {
    await load();
  });

  return {
    opened,
    append(record, position) {
      // A gap that is lost stands for all that it told of.
      if (isClosed || !pending.append(record, position))
        return lose(record.dropped ?? 1, 'quota', 'the disk did not take them');
      // After a fault the next try comes with the timer.
      if (isFailing) settleLater();
      if (isScheduled || isFailing) return;
      isScheduled = true;
      setImmediate(() => void run(write));
    },
    note(source, position) {
      pending.note(source, position);
      isDirty = true;
      settleLater();
    },
    positionOf: (source) => positions[source],
    read: async (maxRecords, maxBytes) => {
      const records = await cursor.read(maxRecords, maxBytes).catch(() => undefined);
      return found && records && { spool: found.id, records };
    },
    rewind: () => found && cursor.reset(found.segments, found.checkpoint.acked),
    acknowledge(spool, seq) {
      if (!found || spool !== found.id || seq <= found.checkpoint.acked) return;
      found.checkpoint.acked = Math.min(seq, found.lastSeq);
      isDirty = true;
      // On a full disk this is what makes room.
      if (isFailing && found.checkpoint.acked >= found.lastSeq) void run(settle);
      settleLater();
    },
    takeLost() {
      // What tells of it could not be kept either.
      if (isFailing) return undefined;
      const taken = lost;
      lost = undefined;
      return taken;
    },
    get stats() {
      const bytes = found?.segments.reduce((sum, segment) => sum + segment.bytes, 0) ?? 0;
      return {
        bytes,
        records: (found ? waiting(found) : 0) + pending.count,
        dropped,
      };
    },
    flush: () => run(settle),
    async close() {
      await run(settle);
      isClosed = true;
      clearTimeout(timer);
      await tail.close().catch(() => undefined);
    },
  };
}
