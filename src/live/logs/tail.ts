import { setTimeout as sleep } from 'node:timers/promises';
import { logFilter, type LogMark, type LogQuery, type LogRecord, type Position } from '../../logs/model.ts';

/**
 * One reader of a robot's live logs. States: reading (stored records, at its own pace) → live (fed with all others of
 * the robot) → slow (it does not receive what was sent) → reading …, until it ends. The store is its buffer: a slow
 * reader costs no memory, and a gap states what it missed.
 */
export interface Tail {
  /** The last record that was sent to it, or that did not match its request. */
  readonly mark: LogMark;
  /** Records in order; those that it already has are skipped. Called while it is live. */
  take(records: readonly SerializedRecord[]): void;
}

/** A record with its wire text, created on first use, once for all readers. */
export interface SerializedRecord {
  readonly record: LogRecord;
  readonly text: string;
}

/** A reader that has this record, and all before it. */
export const markOf = ({ seq, receivedAtMs }: LogRecord): LogMark => ({ seq, atMs: receivedAtMs });

/** Receives the records. */
export interface Sink {
  readonly bufferedBytes: number; // sent and not yet received
  send(text: string): void;
  /** Records `fromSeq` to `toSeq` are skipped. */
  skip(fromSeq: number, toSeq: number): void;
  /** The stream cannot continue. */
  fail(error: unknown): void;
}

export interface TailRequest extends Pick<LogQuery, 'level' | 'source' | 'text'> {
  /**
   * Starts after this record. Undefined: starts with the last `tail` records, or, without `tail`, with all since
   * `since`.
   */
  afterSeq: number | undefined;
  tail: number | undefined;
  since: Date | undefined;
}

/** The stored records of one robot, as of one moment. */
export interface StoredLogs {
  /**
   * The latest records, or those before a position. One call stops early if it has to read much, and returns `before`
   * to continue.
   */
  latest(
    query: LogQuery,
    before?: Position,
  ): Promise<{ records: readonly SerializedRecord[]; head: LogMark; before?: Position | undefined }>;
  /** `reached`: everything up to it was read. `head`: the newest record. */
  following(
    query: LogQuery,
    after: LogMark,
  ): Promise<{ records: readonly SerializedRecord[]; reached: LogMark; head: LogMark }>;
}

/** The live readers of the robot. A tail joins once it has received as much as they have. */
export interface Group {
  /** Returns whether it could join: false if the others are further. */
  join(tail: Tail): boolean;
  leave(tail: Tail): void;
}

/** Unreceived bytes at which a reader is paused, and at which it resumes. */
const pauseBytes = 524_288;
const resumeBytes = 131_072;
const lookEveryMs = 50;
const pageRecords = 200;
/** How long matching records are searched for if there are few. The tail then starts with those found. */
const lookBackMs = 5_000;
/** A slow reader that is further behind resumes close to the end. */
const maxBehind = 10_000;
const keptBehind = 1_000;

/** Starts at once; the returned function ends it. */
export function openTail(stored: StoredLogs, group: Group, request: TailRequest, sink: Sink): () => void {
  const { level, source, text, since, tail: wanted } = request;
  const query = { limit: pageRecords, level, source, text, since };
  const fits = logFilter(request);
  let mark: LogMark = { seq: request.afterSeq ?? 0 };
  let isOver = false;

  const tail: Tail = {
    get mark() {
      return mark;
    },
    take(records) {
      for (const { record, text: line } of unknown(records)) {
        if (sink.bufferedBytes > pauseBytes) {
          group.leave(tail);
          return void attempt(() => catchUp(true));
        }
        if (fits(record.kept)) sink.send(line);
        mark = markOf(record);
      }
    },
  };

  function* unknown(records: readonly SerializedRecord[]): Generator<SerializedRecord> {
    for (const shown of records) if (shown.record.seq > mark.seq) yield shown;
  }

  async function begin(): Promise<void> {
    if (request.afterSeq === undefined && (wanted !== undefined || !since)) mark = await showLatest(wanted ?? 0);
    await catchUp(false);
  }

  /**
   * Returns where to continue. It sends what fits in one page. Of more it only finds the first, and
   * they are read again by pages: a slow viewer would otherwise have all of them in memory.
   */
  async function showLatest(count: number): Promise<LogMark> {
    const lookUntil = performance.now() + lookBackMs;
    let left = Math.max(1, count);
    let page = await stored.latest({ ...query, limit: left });
    const { head } = page;
    if (count === 0) return head;
    if (count <= pageRecords && (page.before === undefined || page.records.length === left)) {
      await show(page.records);
      return head;
    }
    let goOnBehind = head;
    for (;;) {
      const [first] = page.records;
      if (first) goOnBehind = { seq: first.record.seq - 1, atMs: first.record.receivedAtMs };
      left -= page.records.length;
      if (left <= 0 || page.before === undefined || isOver || performance.now() > lookUntil) return goOnBehind;
      page = await stored.latest({ ...query, limit: left }, page.before);
    }
  }

  /** Returns false once the tail has ended. */
  async function show(records: readonly SerializedRecord[]): Promise<boolean> {
    for (const { text: line } of records) {
      if (sink.bufferedBytes > pauseBytes) await drained();
      if (isOver) return false;
      sink.send(line);
    }
    return !isOver;
  }

  async function catchUp(wasSlow: boolean): Promise<void> {
    let maySkip = wasSlow;
    for (;;) {
      if (wasSlow) await drained();
      if (isOver) return;
      const { records, reached, head } = await stored.following(query, mark);
      // A request for records after one that does not exist yet gets all new records, like any other.
      if (mark.seq > head.seq) mark = head;
      if (maySkip && head.seq - mark.seq > maxBehind) {
        const seq = head.seq - keptBehind;
        sink.skip(mark.seq + 1, seq);
        mark = { ...mark, seq };
        continue;
      }
      maySkip = false;
      if (!(await show(records))) return;
      if (reached.seq >= mark.seq) mark = reached;
      if (reached.seq >= head.seq && group.join(tail)) return;
    }
  }

  async function drained(): Promise<void> {
    while (!isOver && sink.bufferedBytes > resumeBytes) await sleep(lookEveryMs);
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isOver) sink.fail(error);
    }
  }

  void attempt(begin);
  return () => {
    isOver = true;
    group.leave(tail);
  };
}
