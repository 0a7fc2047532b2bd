import { openSpoolFolder, type Batch, type FolderSettings, type SpoolFolder } from './folder.ts';
import { pendingLines } from './pending.ts';
import type { LogRecord, OnLost, Position } from './record.ts';
import { serialQueue } from './serial-queue.ts';

export interface SpoolSettings extends FolderSettings {
  /** The disk is not used before this resolves. Default: at once. */
  after?: Promise<void> | undefined;
  /** Called when there is something to read. */
  onWritten(): void;
  /** Called when the spool has a new id: unacknowledged records must be read again. */
  onIdChanged(before: string, id: string): void;
  /**
   * Called when a read or write fails, or the disk does not respond for 5 s, and again while that lasts. `reading`:
   * records are on disk and cannot be sent. Default: not reported.
   */
  onFault?(reason: string, work: 'reading' | 'writing'): void;
  /** Called when everything is on disk, or was read. */
  onWell?(work: 'reading' | 'writing'): void;
}

/** Records lost since the last `takeLost`. */
interface Lost {
  dropped: number;
  reason: 'quota' | 'damaged';
  why: string;
}

/**
 * Keeps log records on disk until the service has them, numbered from 1 over the life of the folder. Nothing here
 * rejects: while the disk fails, up to 1 MiB of records waits in memory. Further records are lost and counted.
 */
export interface Spool {
  /** Resolves when the disk was read, or the read failed. No positions are known before. */
  readonly opened: Promise<void>;
  /** `position`: of the source at this record. Stored with the record, so that neither exists without the other. */
  append(record: LogRecord, position?: Position): void;
  /** A position without a record. */
  note(source: string, position: Position): void;
  /** The source's position when the agent last exited; undefined for a new source. */
  positionOf(source: string): Position;
  /** The next records, within both limits; undefined when all were read. One call at a time. */
  read(maxRecords: number, maxBytes: number): Promise<Batch | undefined>;
  /** The next read begins with the oldest unacknowledged record. */
  rewind(): void;
  /**
   * The service has stored everything of that spool up to `seq`. After a restore of an old state, `seq` may be above
   * the spool's last number. The service would then skip the next records, so the spool changes its id.
   */
  acknowledge(spool: string, seq: number): void;
  /**
   * The service did not store records of that spool up to `toSeq`. If one of them is above `sentBefore` and was not
   * sent by an earlier process, the spool changes its id.
   */
  skipped(spool: string, toSeq: number, sentBefore: number): void;
  takeLost(): Lost | undefined;
  readonly stats: { bytes: number; records: number; dropped: number };
  /** Resolves when all appended records survive a power cut, or the disk failed. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Minimum interval of syncs, checkpoint writes and retries after a fault. */
const settleEveryMs = 1000;

/** Queues records and schedules their writes. The disk part is in folder.ts. */
export function openSpool(settings: SpoolSettings): Spool {
  let folder: SpoolFolder | undefined;
  const pending = pendingLines();
  let dropped = 0;
  let lost: Lost | undefined;
  let isDirty = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  /** Set between a failed read and the next one. */
  let rereading: NodeJS.Timeout | undefined;
  let isScheduled = false;
  let isFailing = false;
  /** The id being replaced: acknowledgements of the service for it are ignored. */
  let abandoned: string | undefined;

  const lose: OnLost = (count, reason, why) => {
    if (count <= 0) return;
    dropped += count;
    lost = { dropped: (lost?.dropped ?? 0) + count, reason, why };
  };

  /** Retries 1 s after a fault. */
  const run = serialQueue(settings.after ?? Promise.resolve(), {
    failed(error) {
      isFailing = true;
      isDirty = true;
      settings.onFault?.(messageOf(error), 'writing');
      settleLater();
    },
    slow: () => settings.onFault?.('it does not answer', 'writing'),
  });

  function settleLater(): void {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void run(settle);
    }, settleEveryMs);
  }

  async function load(): Promise<SpoolFolder> {
    if (folder) return folder;
    folder = await openSpoolFolder(settings, lose);
    pending.renumber(folder.lastSeq);
    isDirty = true;
    return folder;
  }

  async function write(): Promise<void> {
    isScheduled = false;
    const disk = await load();
    if (pending.isEmpty()) return;
    while (!pending.isEmpty()) {
      const data = pending.next();
      const written = data.length > 0 ? await disk.write(data, pending.firstSeq) : 0;
      // Only after the write: unwritten lines are retried.
      const { lastSeq, positions } = pending.take(written);
      disk.reached(lastSeq, positions);
      isDirty = true;
      if (written < data.length) {
        settings.onWritten();
        throw new Error(`the disk took ${written} of ${data.length} bytes`);
      }
    }
    settleLater();
    settings.onWritten();
  }

  async function settle(): Promise<void> {
    const disk = await load();
    if (isDirty) await disk.replaceIfGone(pending.firstSeq);
    if (isFailing) await disk.makeRoom();
    await write();
    isFailing = false;
    if (isDirty) {
      isDirty = false;
      await disk.keep();
    }
    settings.onWell?.('writing');
  }

  function changeId(): void {
    const before = folder?.id;
    if (before === undefined) return;
    abandoned = before;
    void run(async () => {
      const disk = await load();
      await disk.changeId().catch((error: unknown) => {
        abandoned = undefined; // retried on the next frame of the service
        throw error;
      });
      settings.onIdChanged(before, disk.id);
    });
  }

  const opened = run(async () => {
    await load();
  });

  return {
    opened,
    append(record, position) {
      // A lost gap counts as all the records that it stood for.
      if (isClosed || !pending.append(record, position))
        return lose(record.dropped ?? 1, 'quota', 'the disk did not take them');
      // After a fault, the timer retries.
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
    positionOf: (source) => folder?.positions[source],
    async read(maxRecords, maxBytes) {
      if (rereading) return undefined;
      try {
        const batch = await folder?.read(maxRecords, maxBytes);
        settings.onWell?.('reading');
        return batch;
      } catch (error) {
        settings.onFault?.(messageOf(error), 'reading');
        if (isClosed) return undefined;
        rereading = setTimeout(() => {
          rereading = undefined;
          settings.onWritten();
        }, settleEveryMs);
        return undefined;
      }
    },
    rewind: () => folder?.rewind(),
    acknowledge(spool, seq) {
      if (spool !== folder?.id || spool === abandoned) return;
      if (seq > folder.lastSeq) return changeId();
      if (!folder.acknowledge(seq)) return;
      isDirty = true;
      // On a full disk, this frees space.
      if (isFailing && folder.acked >= folder.lastSeq) void run(settle);
      settleLater();
    },
    skipped(spool, toSeq, sentBefore) {
      if (spool !== folder?.id || spool === abandoned) return;
      if (toSeq > Math.max(sentBefore, folder.openedSeq)) changeId();
    },
    takeLost() {
      // The record that reports the loss could not be kept either.
      if (isFailing) return undefined;
      const taken = lost;
      lost = undefined;
      return taken;
    },
    get stats() {
      return { bytes: folder?.bytes ?? 0, records: (folder?.waiting ?? 0) + pending.count, dropped };
    },
    flush: () => run(settle),
    async close() {
      await run(settle);
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(rereading);
      await folder?.close().catch(() => undefined);
    },
  };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
