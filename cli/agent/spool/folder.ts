import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpooledRecord } from '../../../generated/frames.js';
import { writeCheckpoint } from './checkpoint.ts';
import { segmentCursor } from './cursor.ts';
import type { OnLost, Position } from './record.ts';
import { countRecords, findSpool, makeSpool, newSpoolId, segmentPath, type FoundSpool } from './segments.ts';
import { spoolTail } from './tail.ts';

export interface FolderSettings {
  /** The parent of the spool's folder. */
  parent: string;
  /** Maximum size of the segments on disk. Beyond it, the oldest are dropped. */
  quotaBytes: number;
  /** Id of the machine's boot. Default: unknown, which counts as a new boot each time. */
  bootId?: string | undefined;
}

export interface Batch {
  spool: string;
  records: SpooledRecord[];
}

/** The part of a spool on disk. Asynchronous calls reject on a disk error. One call at a time, except for `read`. */
export interface SpoolFolder {
  readonly id: string;
  /** The last number that a record has, or had. */
  readonly lastSeq: number;
  /** `lastSeq` when the folder was opened: an earlier process may have sent records up to it. */
  readonly openedSeq: number;
  /** The service has stored everything up to this number. */
  readonly acked: number;
  /** Size of the segments. */
  readonly bytes: number;
  /** Records that the service does not have. */
  readonly waiting: number;
  /** Current position of each source. */
  readonly positions: Readonly<Record<string, Position>>;
  /** The next records, within both limits; undefined when all were read. One call at a time. */
  read(maxRecords: number, maxBytes: number): Promise<Batch | undefined>;
  /** The next read begins with the oldest unacknowledged record. */
  rewind(): void;
  /** The service has stored everything up to `seq`. False if that is nothing new. */
  acknowledge(seq: number): boolean;
  /** Changes the id and keeps the numbers: unacknowledged records are read again. */
  changeId(): Promise<void>;
  /** Returns the size of the complete lines written, not all on a full disk. `first`: number of the first record. */
  write(lines: Buffer, first: number): Promise<number>;
  /** The records up to `lastSeq` are written, and the sources have reached `positions`. */
  reached(lastSeq: number | undefined, positions: Readonly<Record<string, Position>>): void;
  /** Once this resolves, all written records and positions survive a power cut. */
  keep(): Promise<void>;
  /** Frees a full disk: deletes acknowledged segments, including the last one after a new one has replaced it. */
  makeRoom(): Promise<void>;
  /**
   * If the folder was deleted, creates another one with a new id. The old records are lost. `nextSeq`: number of the
   * next record.
   */
  replaceIfGone(nextSeq: number): Promise<void>;
  close(): Promise<void>;
}

const segmentBytes = 1024 * 1024;
/**
 * Numbers skipped after a boot. A power cut may lose records that the service already has. If their numbers were used
 * again, the service would take new records for the old ones. An agent writes fewer records between two syncs.
 */
const seqsAfterBoot = 10_000;

/** Finds or creates the spool under `parent`. Rejects on a disk error. */
export async function openSpoolFolder(settings: FolderSettings, lose: OnLost): Promise<SpoolFolder> {
  const { parent, quotaBytes, bootId } = settings;
  const spool: FoundSpool = (await findSpool(parent)) ?? (await makeSpool(parent));
  const tail = spoolTail();
  const cursor = segmentCursor(lose);
  /** Numbers that no record has; not counted as waiting until the service has acknowledged past them. */
  let skipped = { before: 0, count: 0 };
  const openedSeq = spool.lastSeq;
  let isMoving = false;

  lose(spool.damaged, 'damaged', 'the disk damaged them');
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

  /** Always keeps the last segment: the next numbers follow its own. */
  async function trim(): Promise<void> {
    const { segments, checkpoint } = spool;
    let isSaved = false;
    for (let oldest = segments[0]; oldest && segments.length > 1; oldest = segments[0]) {
      const isStored = (segments[1]?.first ?? 0) <= checkpoint.acked + 1;
      if (!isStored && bytes() <= quotaBytes) return;
      if (!isStored) lose(await countRecords(oldest, checkpoint.acked), 'quota', 'the spool is full');
      // The segment's positions exist nowhere else. On a full disk it is deleted anyway, or no space would be freed.
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
      // A read in progress would not find its file.
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
      // On a full disk, space must be freed before anything can be written.
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
      // Numbers continue, so that no two records share a number.
      const { positions } = spool.checkpoint;
      const last = nextSeq - 1;
      Object.assign(spool, made, { lastSeq: last, checkpoint: { ...made.checkpoint, acked: last, positions } });
      skipped = { before: 0, count: 0 };
      cursor.reset(spool.segments, last);
    },
    close: () => tail.close(),
  };
}
