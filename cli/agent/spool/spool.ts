import { openSpoolFolder, type Batch, type FolderSettings, type OnLost, type SpoolFolder } from './folder.ts';
import { pendingLines } from './pending.ts';
import type { LogRecord, Position } from './record.ts';
import { stepsOf } from './steps.ts';

export interface SpoolSettings extends FolderSettings {
  /** Nothing is touched before; default: at once. */
  after?: Promise<void> | undefined;
  /** Called when there is something to read. */
  onWritten(): void;
  /** Called when the spool goes on under another id, and what is not acknowledged is to be read again. */
  onIdChanged(before: string, id: string): void;
  /** Called when the disk does not take or give something, or does not answer for 5 s, and again while that lasts. Default: not told. */
  onFault?(reason: string): void;
  /** Called when the disk has everything. */
  onWell?(): void;
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
  /**
   * The service has everything of that spool up to `seq`. Where that is more than the spool ever had, as after an old state was restored, the service
   * would skip what comes next: the spool goes on under another id.
   */
  acknowledge(spool: string, seq: number): void;
  /** The service did not store records of that spool up to `toSeq`. Where one of them is above `sentBefore`, and was not sent before this process either, the spool goes on under another id. */
  skipped(spool: string, toSeq: number, sentBefore: number): void;
  takeLost(): Lost | undefined;
  readonly stats: { bytes: number; records: number; dropped: number };
  /** Resolves when all that was appended is safe from a power cut, or the disk refused it. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Syncing, the checkpoint and another try after a fault come at most so often. */
const settleEveryMs = 1000;

/** Takes what comes, and brings it to disk in time; the disk's part is in folder.ts. */
export function openSpool(settings: SpoolSettings): Spool {
  let folder: SpoolFolder | undefined;
  const pending = pendingLines();
  let dropped = 0;
  let lost: Lost | undefined;
  let isDirty = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let isScheduled = false;
  let isFailing = false;
  /** The id that is being given up: what the service says of it counts no more. */
  let abandoned: string | undefined;

  const lose: OnLost = (count, reason, why) => {
    if (count <= 0) return;
    dropped += count;
    lost = { dropped: (lost?.dropped ?? 0) + count, reason, why };
  };

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
      // Not before: what was not written is tried again.
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
    settings.onWell?.();
  }

  function changeId(): void {
    const before = folder?.id;
    if (before === undefined) return;
    abandoned = before;
    void run(async () => {
      const disk = await load();
      await disk.changeId().catch((error: unknown) => {
        abandoned = undefined; // the next frame of the service brings another try
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
    positionOf: (source) => folder?.positions[source],
    read: async (maxRecords, maxBytes) => folder?.read(maxRecords, maxBytes).catch(() => undefined),
    rewind: () => folder?.rewind(),
    acknowledge(spool, seq) {
      if (spool !== folder?.id || spool === abandoned) return;
      if (seq > folder.lastSeq) return changeId();
      if (!folder.acknowledge(seq)) return;
      isDirty = true;
      // On a full disk this is what makes room.
      if (isFailing && folder.acked >= folder.lastSeq) void run(settle);
      settleLater();
    },
    skipped(spool, toSeq, sentBefore) {
      if (spool !== folder?.id || spool === abandoned) return;
      if (toSeq > Math.max(sentBefore, folder.openedSeq)) changeId();
    },
    takeLost() {
      // What tells of it could not be kept either.
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
      await folder?.close().catch(() => undefined);
    },
  };
}
