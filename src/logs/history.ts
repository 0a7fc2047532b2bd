import type { Knex } from 'knex';
import {
  inOrder,
  placeOf,
  chunkStore,
  type Chunk,
  type ChunkFilter,
  type ChunkOrder,
  type ChunksRead,
  type ReadSize,
} from './chunks.ts';
import { spanEnd, spanMs, type Position } from './model.ts';
import { logPartitions, segmentPartitions } from './partitions.ts';
import { segmentSource } from './segments/source.ts';
import type { LogScope } from './segments/streams.ts';
import { spansBack, spansOnward } from './spans.ts';

export type { Chunk, ReadSize } from './chunks.ts';
export type { LogScope } from './segments/streams.ts';

/** What one statement of a search reads. */
interface SearchRead extends ReadSize {
  /** Records beyond this time are not wanted. */
  horizonMs?: number | undefined;
}

export type LogOrder = 'oldest' | 'newest';

interface SearchFrom extends Pick<ChunkFilter, 'sinceMs' | 'untilMs' | 'startsByMs' | 'minRank' | 'text'> {
  /** Chunks up to here are not read again. */
  place?: Position | undefined;
}

/** Chunks in the order of their last records; `edge`: later chunks have only records beyond it. */
interface SearchedChunks {
  chunks: Chunk[];
  edge: Position;
}

/** Where a reader of chunks is after these. */
export const lastPlace = (chunks: readonly Chunk[]): Position | undefined => chunks.slice(-1).map(placeOf)[0];

/**
 * The chunks of one scope, span by span. `db` must be a transaction with one snapshot, as merging moves records between
 * rows.
 */
export function logHistory(db: Knex, scope: LogScope) {
  const stored = chunkStore(db, scope);
  const unmerged = segmentSource(db, scope);

  /** Of both sources, in order. Most of what is unmerged is later than what is stored as chunks. */
  async function take(filter: ChunkFilter, order: ChunkOrder, size: ReadSize): Promise<ChunksRead> {
    const [first, second] = order === 'asc' ? [stored, unmerged] : [unmerged, stored];
    const one = await first.take(filter, order, size);
    const other = await second.take(one.isAll ? filter : upTo(filter, order, one.chunks.at(-1)), order, size);
    // Nothing is known beyond the last chunk of a source that has more.
    const ends = [one, other].flatMap(({ chunks, isAll }) => (isAll ? [] : chunks.slice(-1)));
    const compare = inOrder(order);
    const known = [...one.chunks, ...other.chunks].filter((chunk) => ends.every((end) => compare(chunk, end) <= 0));
    return { chunks: known.sort(compare), isAll: ends.length === 0 };
  }

  /** The first instant of the oldest stored day, or of what is not merged; undefined if there is nothing. */
  const oldestMs = async (): Promise<number | undefined> =>
    (await logPartitions(db).list())[0] ?? (await segmentPartitions(db).list())[0];

  /** Latest first. `next` is called before each statement. */
  async function* back({ place, ...filter }: SearchFrom, next: () => SearchRead): AsyncGenerator<Chunk[]> {
    for await (const { sinceMs, untilMs } of spansBack(filter, oldestMs)) {
      let last = place;
      for (let isAll = false; !isAll;) {
        const { horizonMs = -Infinity, ...size } = next();
        if (untilMs !== undefined && untilMs <= horizonMs) return;
        const read = await take(
          { ...filter, sinceMs: Math.max(sinceMs, horizonMs), untilMs, beyond: last && { place: last, order: 'desc' } },
          'desc',
          size,
        );
        isAll = read.isAll;
        last = lastPlace(read.chunks) ?? last;
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
        const read = await take(
          { ...filter, sinceMs, ...wanted, beyond: last && { place: last, order: 'asc' } },
          'asc',
          size,
        );
        isAll = read.isAll;
        last = lastPlace(read.chunks) ?? last;
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
        const read = await take({ ...filter, sinceMs, untilMs, endsAfterSeq: after }, 'asc', size());
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
      const atMs = await stored.lastBeginningBy(seq, span);
      if (atMs !== undefined) return atMs;
    }
    return 0;
  }

  /** No chunk received since then has records of several times. */
  async function unmergedSinceMs(): Promise<number> {
    const { rows } = await db.raw<{ rows: [{ now: Date; merged_to: Date | null }] }>(
      'select clock_timestamp() as now, (select merged_to from log_orgs where org_id = ?) as merged_to',
      [scope.orgId],
    );
    const [{ now, merged_to: mergedTo }] = rows;
    return Math.max(spanEnd(now.getTime()) - spanMs, (mergedTo?.getTime() ?? 0) + 1);
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
      const end = spanEnd(ms);
      if (end > (await unmergedSinceMs())) return false;
      const { rows } = await db.raw<{ rows: [{ is_due: boolean }] }>(
        `select exists (
           select from log_segments s
            where org_id = :orgId and received_at < :end
              and id > coalesce((select merged_id from log_orgs o where o.org_id = s.org_id), 0)
         ) or exists (
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
      stored.pick({ sinceMs: spanEnd(ms) - spanMs, untilMs: spanEnd(ms) }, chunks),
  };
}

/** Everything from this position on has been read: no earlier chunk holds a record at or after it. */
export function backEdge(chunks: readonly Chunk[]): Position {
  const last = chunks.at(-1);
  if (!last) throw new Error('a read without chunks has no edge');
  return placeOf(last);
}

/** The filter, but nothing beyond the time of this chunk. */
function upTo(filter: ChunkFilter, order: ChunkOrder, last: Chunk | undefined): ChunkFilter {
  if (!last) return filter;
  if (order === 'asc') return { ...filter, untilMs: Math.min(filter.untilMs ?? Infinity, last.receivedAtMs + 1) };
  return { ...filter, sinceMs: Math.max(filter.sinceMs ?? 0, last.receivedAtMs) };
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
