import type { Knex } from 'knex';
import { chunkStore, type Chunk, type ChunkFilter, type LogScope, type ReadSize } from './chunks.ts';
import { spanEnd, spanMs, type Position } from './model.ts';
import { logPartitions } from './partitions.ts';
import { spansBack, spansOnward } from './spans.ts';

export type { Chunk, LogScope, ReadSize } from './chunks.ts';

/** What one statement of a search reads. */
interface SearchRead extends ReadSize {
  /** Records beyond this time are not wanted. */
  horizonMs?: number | undefined;
}

export type LogOrder = 'oldest' | 'newest';

interface SearchFrom extends Pick<ChunkFilter, 'sinceMs' | 'untilMs' | 'startsByMs' | 'minRank'> {
  /** Chunks up to here are not read again. */
  place?: Position | undefined;
}

/** Chunks in the order of their last records; `edge`: later chunks have only records beyond it. */
interface SearchedChunks {
  chunks: Chunk[];
  edge: Position;
}

/**
 * The chunks of one scope, span by span. `db` must be a transaction with one snapshot, as merging moves records between
 * rows.
 */
export function logHistory(db: Knex, scope: LogScope) {
  const store = chunkStore(db, scope);

  /** The first instant of the oldest stored day; undefined if there is none. */
  const oldestMs = async (): Promise<number | undefined> => (await logPartitions(db).list())[0];

  /** Latest first. `next` is called before each statement. */
  async function* back({ place, ...filter }: SearchFrom, next: () => SearchRead): AsyncGenerator<Chunk[]> {
    for await (const { sinceMs, untilMs } of spansBack(filter, oldestMs)) {
      let last = place;
      for (let isAll = false; !isAll;) {
        const { horizonMs = -Infinity, ...size } = next();
        if (untilMs !== undefined && untilMs <= horizonMs) return;
        const read = await store.take(
          { ...filter, sinceMs: Math.max(sinceMs, horizonMs), untilMs, beyond: last && { place: last, order: 'desc' } },
          'desc',
          size,
        );
        isAll = read.isAll;
        last = placeOf(read.chunks) ?? last;
        if (read.chunks.length > 0) yield read.chunks;
      }
    }
  }

  /** The one that was received first, first. */
  async function* onward({ place, ...filter }: SearchFrom, next: () => SearchRead): AsyncGenerator<Chunk[]> {
    const startMs = Math.max(filter.sinceMs ?? 0, place?.receivedAtMs ?? 0, (await oldestMs()) ?? Infinity);
    if (startMs === Infinity) return;
    for (const { sinceMs, untilMs } of spansOnward(startMs, filter.untilMs)) {
      let last = place;
      for (let isAll = false; !isAll;) {
        const { horizonMs = Infinity, ...size } = next();
        const endMs = spanEnd(horizonMs); // no later chunk reaches back to the horizon
        if (sinceMs >= endMs) return;
        const wanted =
          horizonMs === Infinity
            ? { untilMs }
            : { untilMs: Math.min(untilMs ?? Infinity, endMs), startsByMs: horizonMs };
        const read = await store.take(
          { ...filter, sinceMs, ...wanted, beyond: last && { place: last, order: 'asc' } },
          'asc',
          size,
        );
        isAll = read.isAll;
        last = placeOf(read.chunks) ?? last;
        if (read.chunks.length > 0) yield read.chunks;
      }
    }
  }

  /** In the order of their numbers: chunks of one robot with a record after `endsAfterSeq`. */
  async function* following(
    filter: Omit<ChunkFilter, 'beyond'> & { endsAfterSeq: number },
    size: () => ReadSize,
  ): AsyncGenerator<Chunk[]> {
    const startMs = Math.max(filter.sinceMs ?? 0, await locate(filter.endsAfterSeq), (await oldestMs()) ?? Infinity);
    if (startMs === Infinity) return;
    for (const { sinceMs, untilMs } of spansOnward(startMs, filter.untilMs)) {
      let after = filter.endsAfterSeq;
      for (let isAll = false; !isAll;) {
        const read = await store.take({ ...filter, sinceMs, untilMs, endsAfterSeq: after }, 'asc', size());
        isAll = read.isAll;
        after = read.chunks.at(-1)?.lastSeq ?? after;
        if (read.chunks.length > 0) yield read.chunks;
      }
    }
  }

  /**
   * When the record of this number was received, approximately and not later, in ms; 0 if unknown. Searches backwards
   * from the latest, where most readers are.
   */
  async function locate(seq: number): Promise<number> {
    for await (const span of seq > 0 ? spansBack({}, oldestMs) : []) {
      const atMs = await store.lastBeginningBy(seq, span);
      if (atMs !== undefined) return atMs;
    }
    return 0;
  }

  /** No chunk received since the start of the current span of merging is a merged one. */
  async function unmergedSinceMs(): Promise<number> {
    const { rows } = await db.raw<{ rows: [{ now: Date }] }>('select clock_timestamp() as now');
    return spanEnd(rows[0].now.getTime()) - spanMs;
  }

  return {
    back,
    following,

    /** The chunks of a search, in the order of their last records. `next` is called before each statement. */
    async *search(order: LogOrder, from: SearchFrom, next: () => SearchRead): AsyncGenerator<SearchedChunks> {
      if (order === 'newest') {
        for await (const chunks of back(from, next)) yield { chunks, edge: backEdge(chunks) };
        return;
      }
      const unmergedMs = await unmergedSinceMs();
      for await (const chunks of onward(from, next)) yield { chunks, edge: onwardEdge(chunks, unmergedMs) };
    },

    /**
     * Whether the chunks of the span of this instant stay as they are: the span has ended, and all of it that will be
     * merged is merged.
     */
    async isSettled(ms: number): Promise<boolean> {
      if (ms >= (await unmergedSinceMs())) return false;
      const end = spanEnd(ms);
      const { rows } = await db.raw<{ rows: [{ is_due: boolean }] }>(
        `select exists (
           select from log_counters r
            where org_id = :orgId and merged_until < :end and received_at >= merged_until
              and exists (select from log_chunks c where c.org_id = r.org_id and c.robot_id = r.robot_id
                             and c.received_at >= r.merged_until and c.received_at >= :start and c.received_at < :end)
         ) as is_due`,
        { orgId: scope.orgId, start: new Date(end - spanMs), end: new Date(end) },
      );
      return !rows[0].is_due;
    },

    /** Chunks of the span of this instant, once more. */
    again: (ms: number, chunks: readonly Pick<Chunk, 'robotId' | 'firstSeq'>[]): Promise<Chunk[]> =>
      store.pick({ sinceMs: spanEnd(ms) - spanMs, untilMs: spanEnd(ms) }, chunks),
  };
}

/** Where a reader of chunks is after these. */
export function placeOf(chunks: readonly Chunk[]): Position | undefined {
  const last = chunks.at(-1);
  return last && { receivedAtMs: last.receivedAtMs, robotId: last.robotId, seq: last.firstSeq };
}

/** Everything from this position on has been read: no earlier chunk holds a record at or after it. */
export function backEdge(chunks: readonly Chunk[]): Position {
  const place = placeOf(chunks);
  if (!place) throw new Error('a read without chunks has no edge');
  return place;
}

/**
 * Everything before this position has been read. A later chunk that is merged reaches back to the start of its span at
 * most, and another one has a single time.
 */
function onwardEdge(chunks: readonly Chunk[], unmergedMs: number): Position {
  const last = chunks.at(-1);
  if (!last) throw new Error('a read without chunks has no edge');
  return last.receivedAtMs >= unmergedMs
    ? { receivedAtMs: last.receivedAtMs, robotId: last.robotId, seq: last.lastSeq }
    : { receivedAtMs: spanEnd(last.receivedAtMs) - spanMs, robotId: firstId, seq: 0 };
}

/** Sorts before all IDs. */
const firstId = '00000000-0000-0000-0000-000000000000';
