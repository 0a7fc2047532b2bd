import { setTimeout as sleep } from 'node:timers/promises';
import { fitting, type LogQuery, type LogRecord, type Position } from '../../logs/model.ts';

/**
 * One reader of a robot's logs as they come. States: reading (what is stored, at its own pace) → live (fed with all others of the robot) →
 * slow (it does not take what it was given) → reading …, until it ends. The store is its buffer: a slow reader costs no memory, and what it is
 * spared is told by a gap.
 */
export interface Tail {
  /** The last record that it was shown, or that did not fit what it asked for. */
  readonly seq: number;
  /** Records in their order; those that it knows are left out. Called while it is live. */
  take(records: readonly Shown[]): void;
}

/** A record with its text on the wire, made when it is wanted first and once for all readers. */
export interface Shown {
  readonly record: LogRecord;
  readonly text: string;
}

/** Where the records go. */
export interface Sink {
  readonly bufferedBytes: number; // that were given and not taken
  send(text: string): void;
  /** Records `fromSeq` to `toSeq` are left out. */
  skip(fromSeq: number, toSeq: number): void;
  /** It cannot go on. */
  fail(error: unknown): void;
}

export interface TailRequest extends Pick<LogQuery, 'level' | 'source' | 'text'> {
  /** Begins behind this record; undefined: with the last `tail` ones, or with all since `since` where no number is said. */
  afterSeq: number | undefined;
  tail: number | undefined;
  since: Date | undefined;
}

/** What is stored of one robot, as of one moment. */
export interface StoredLogs {
  /** The latest ones, or those before a position; one call stops early where it has to read much, and says before what to go on. */
  latest(
    query: LogQuery,
    before?: Position,
  ): Promise<{ records: readonly Shown[]; head: number; before?: Position | undefined }>;
  /** `reached`: everything up to it was looked at; `head`: the newest there is. */
  following(query: LogQuery, after: number): Promise<{ records: readonly Shown[]; reached: number; head: number }>;
}

/** The others of the robot: it is fed there once it knows as much as they do. */
export interface Group {
  /** Gives whether it could join: false if the others are further. */
  join(tail: Tail): boolean;
  leave(tail: Tail): void;
}

/** Bytes that a reader may leave untaken, and how few let it go on. */
const pauseBytes = 524_288;
const resumeBytes = 131_072;
const lookEveryMs = 50;
const pageRecords = 200;
/** How long the records that were asked for are looked for, where few fit: then it begins with those that were found. */
const lookBackMs = 5_000;
/** A slow reader that is further behind goes on close to the end. */
const maxBehind = 10_000;
const keptBehind = 1_000;

/** Begins at once; the function that it gives ends it. */
export function openTail(stored: StoredLogs, group: Group, request: TailRequest, sink: Sink): () => void {
  const { level, source, text, since, tail: wanted } = request;
  const query = { limit: pageRecords, level, source, text, since };
  const fits = fitting(request);
  let seq = request.afterSeq ?? 0;
  let isOver = false;

  const tail: Tail = {
    get seq() {
      return seq;
    },
    take(records) {
      for (const { record, text: line } of unknown(records)) {
        if (sink.bufferedBytes > pauseBytes) {
          group.leave(tail);
          return void attempt(() => catchUp(true));
        }
        if (fits(record.kept)) sink.send(line);
        seq = record.seq;
      }
    },
  };

  function* unknown(records: readonly Shown[]): Generator<Shown> {
    for (const shown of records) if (shown.record.seq > seq) yield shown;
  }

  async function begin(): Promise<void> {
    if (request.afterSeq === undefined && (wanted !== undefined || !since)) seq = await showLatest(wanted ?? 0);
    await catchUp(false);
  }

  /**
   * Gives the number to go on behind. It shows what comes in one page; of many it only finds the first: a slow viewer would have all of
   * them in memory, so they are read again by pages.
   */
  async function showLatest(count: number): Promise<number> {
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
      if (first) goOnBehind = first.record.seq - 1;
      left -= page.records.length;
      if (left <= 0 || page.before === undefined || isOver || performance.now() > lookUntil) return goOnBehind;
      page = await stored.latest({ ...query, limit: left }, page.before);
    }
  }

  /** Gives whether it goes on. */
  async function show(records: readonly Shown[]): Promise<boolean> {
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
      const { records, reached, head } = await stored.following(query, seq);
      // Who asks for what follows a record that is not there yet gets what comes, as all others do.
      seq = Math.min(seq, head);
      if (maySkip && head - seq > maxBehind) {
        sink.skip(seq + 1, head - keptBehind);
        seq = head - keptBehind;
        continue;
      }
      maySkip = false;
      if (!(await show(records))) return;
      seq = Math.max(seq, reached);
      if (reached >= head && group.join(tail)) return;
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
