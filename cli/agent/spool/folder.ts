import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpooledRecord } from '../../../generated/frames.js';
import { writeCheckpoint } from './checkpoint.ts';
import { segmentCursor } from './cursor.ts';
import type { Position } from './record.ts';
import { countRecords, findSpool, makeSpool, newSpoolId, segmentPath, type FoundSpool } from './segments.ts';
import { spoolTail } from './tail.ts';

export interface FolderSettings {
  /** The folder that the spool's own folder is in. */
  parent: string;
  /** What the segments may take on disk; the oldest are dropped beyond it. */
  quotaBytes: number;
  /** The machine's boot; default: not known, which counts as another one each time. */
  bootId?: string | undefined;
}

/** Records that were lost, with a reason for programs and one for people. */
export type OnLost = (count: number, reason: 'quota' | 'damaged', why: string) => void;

export interface Batch {
  spool: string;
  records: SpooledRecord[];
}

/** What of a spool is on disk. Everything that is asynchronous here rejects where the disk does; one call at a time, but for `read`. */
export interface SpoolFolder {
  readonly id: string;
  /** The last number that a record has, or had. */
  readonly lastSeq: number;
  /** `lastSeq` when the folder was opened: another process may have sent what is up to it. */
  readonly openedSeq: number;
  /** Everything up to here is stored by the service. */
  readonly acked: number;
  /** Of the segments. */
  readonly bytes: number;
  /** Records that the service does not have. */
  readonly waiting: number;
  /** By source: where it has got to. */
  readonly positions: Readonly<Record<string, Position>>;
  /** What comes next, at most so much; undefined when all was read. One call at a time. */
  read(maxRecords: number, maxBytes: number): Promise<Batch | undefined>;
  /** The next read begins with the oldest record that is not acknowledged. */
  rewind(): void;
  /** The service has everything up to `seq`; false if that is nothing new. */
  acknowledge(seq: number): boolean;
  /** Goes on under another id, with the numbers as they are: what is not acknowledged is read again. */
  changeId(): Promise<void>;
  /** Gives the bytes of the lines that were written: not all of them where the disk is full. `first` is the number of the first of them. */
  write(lines: Buffer, first: number): Promise<number>;
  /** Up to `lastSeq` the records are written, and the sources have got there. */
  reached(lastSeq: number | undefined, positions: Readonly<Record<string, Position>>): void;
  /** All that was written, and where everything has got to, is safe from a power cut then. */
  keep(): Promise<void>;
  /** On a full disk what the service has goes at once, the last segment too once another has taken its place. */
  makeRoom(): Promise<void>;
  /** If somebody deleted the folder, another takes its place, with another id. What was in it is lost; `nextSeq` is the number that comes next. */
  replaceIfGone(nextSeq: number): Promise<void>;
  close(): Promise<void>;
}

const segmentBytes = 1024 * 1024;
/**
 * Numbers left out after a boot. A power cut may take records that the service has already: their numbers must not be used again, or it
 * would take the new records for them. More than an agent writes between two syncs.
 */
const seqsAfterBoot = 10_000;

/** Finds the spool under `parent`, or makes one. Rejects where the disk does. */
export async function openSpoolFolder(settings: FolderSettings, lose: OnLost): Promise<SpoolFolder> {
  const { parent, quotaBytes, bootId } = settings;
  const spool: FoundSpool = (await findSpool(parent)) ?? (await makeSpool(parent));
  const tail = spoolTail();
  const cursor = segmentCursor(() => lose(1, 'damaged', 'the disk damaged them'));
  /** Numbers that no record has; counted among those that wait until the service is past them. */
  let skipped = { before: 0, count: 0 };
  const openedSeq = spool.lastSeq;
  let isMoving = false;

  leaveNumbersOut();
  cursor.reset(spool.segments, spool.checkpoint.acked);

  function leaveNumbersOut(): void {
    const { checkpoint, lastSeq } = spool;
    const isSameBoot = bootId !== undefined && checkpoint.bootId === bootId;
    const count = lastSeq > 0 && !isSameBoot ? seqsAfterBoot : 0;
    skipped = { before: lastSeq + 1, count };
    spool.lastSeq += count;
    if (checkpoint.acked >= lastSeq) checkpoint.acked = spool.lastSeq;
  }

  const bytes = () => spool.segments.reduce((sum, segment) => sum + segment.bytes, 0);

  function waiting(): number {
    const { acked } = spool.checkpoint;
    return Math.max(0, spool.lastSeq - acked - (acked < skipped.before ? skipped.count : 0));
  }

  function save(): Promise<void> {
    Object.assign(spool.checkpoint, { seq: spool.lastSeq, bootId });
    return writeCheckpoint(spool.directory, spool.checkpoint);
  }

  /** The last segment stays in any case: its numbers are what the next ones follow. */
  async function trim(): Promise<void> {
    const { segments, checkpoint } = spool;
    let isSaved = false;
    for (let oldest = segments[0]; oldest && segments.length > 1; oldest = segments[0]) {
      const isStored = (segments[1]?.first ?? 0) <= checkpoint.acked + 1;
      if (!isStored && bytes() <= quotaBytes) return;
      if (!isStored) lose(await countRecords(oldest, checkpoint.acked), 'quota', 'the spool is full');
      // The positions in it are nowhere else. On a full disk it goes first, or there would never be room.
      if (!isSaved) await save().catch(() => undefined);
      isSaved = true;
      await rm(oldest.path, { force: true });
      segments.shift();
      if (!isStored) checkpoint.acked = Math.max(checkpoint.acked, (segments[0]?.first ?? 1) - 1);
    }
  }

  return {
    get id() {
      return spool.id;
    },
    get lastSeq() {
      return spool.lastSeq;
    },
    openedSeq,
    get acked() {
      return spool.checkpoint.acked;
    },
    get bytes() {
      return bytes();
    },
    get waiting() {
      return waiting();
    },
    get positions() {
      return spool.checkpoint.positions;
    },
    async read(maxRecords, maxBytes) {
      const records = isMoving ? undefined : await cursor.read(maxRecords, maxBytes);
      return records && { spool: spool.id, records };
    },
    rewind: () => cursor.reset(spool.segments, spool.checkpoint.acked),
    acknowledge(seq) {
      if (seq <= spool.checkpoint.acked) return false;
      spool.checkpoint.acked = Math.min(seq, spool.lastSeq);
      return true;
    },
    async changeId() {
      const id = newSpoolId();
      const directory = join(parent, id);
      const { segments, checkpoint } = spool;
      // What is read at this moment would miss its file.
      cursor.reset(segments, checkpoint.acked);
      isMoving = true;
      await rename(spool.directory, directory).finally(() => (isMoving = false));
      for (const segment of segments) segment.path = segmentPath(directory, segment.first);
      Object.assign(spool, { id, directory });
    },
    async write(lines, first) {
      const last = spool.segments.at(-1);
      if (!last || (last.bytes > 0 && last.bytes + lines.length > segmentBytes)) {
        await tail.begin(spool, first);
        await trim();
      }
      return tail.write(spool, lines);
    },
    reached(lastSeq, positions) {
      Object.assign(spool.checkpoint.positions, positions);
      spool.lastSeq = lastSeq ?? spool.lastSeq;
    },
    async keep() {
      await tail.sync();
      // Where the disk is full, room has to be made before anything can be written.
      await save().catch(async () => {
        await trim();
        await save();
      });
      await trim();
    },
    async makeRoom() {
      const { segments, checkpoint, lastSeq } = spool;
      if ((segments.at(-1)?.bytes ?? 0) > 0 && checkpoint.acked >= lastSeq) await tail.begin(spool, lastSeq + 1);
      await trim();
    },
    async replaceIfGone(nextSeq) {
      if (!(await tail.isGone(spool))) return;
      await tail.close();
      await rm(spool.directory, { recursive: true, force: true });
      const made = await makeSpool(parent);
      lose(waiting(), 'damaged', 'their folder was deleted');
      // Numbers go on: nobody needs two records of one number to tell.
      const { positions } = spool.checkpoint;
      const last = nextSeq - 1;
      Object.assign(spool, made, { lastSeq: last, checkpoint: { ...made.checkpoint, acked: last, positions } });
      skipped = { before: 0, count: 0 };
      cursor.reset(spool.segments, last);
    },
    close: () => tail.close(),
  };
}
