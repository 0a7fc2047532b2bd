import { Unavailable } from '../kernel/errors.ts';
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
import { spanEnd, spanMs, type LogMark, type Position } from './model.ts';
import { logPartitions, segmentPartitions } from './partitions.ts';
import { objectSource } from './objects/source.ts';
import type { LogRows } from './rows.ts';
import { segmentSource } from './segments/source.ts';
import type { LogScope } from './segments/streams.ts';
import { logSettling } from './settling.ts';
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

/** The chunks of one scope, span by span. */
export function logHistory({ db, objects, streams }: LogRows, scope: LogScope) {
  const moved = objects && objectSource(db, scope, objects);
  const stored = chunkStore(db, scope);
  const unmerged = segmentSource(db, scope, streams);
  const settling = logSettling(db, scope.orgId);
  /** Of the object store, after what is in the database was read. */
  let failure: Unavailable | undefined;
  /** From the oldest on: most of one source is older than what is in the next. */
  const sources = [...(moved ? [moved] : []), stored, unmerged];

  /** Of all sources, in order. If the object store is away: backwards first what is in the database, then the error. */
  async function take(filter: ChunkFilter, order: ChunkOrder, size: ReadSize): Promise<ChunksRead> {
    const compare = inOrder(order);
    let bounds = filter;
    let chunks: Chunk[] = [];
    const ends: Chunk[] = []; // nothing is known beyond the last chunk of a source that has more
    const known = () => chunks.filter((chunk) => ends.every((end) => compare(chunk, end) <= 0)).sort(compare);
    for (const source of order === 'asc' ? sources : sources.toReversed()) {
      try {
        const read = await source.take(bounds, order, size);
        chunks = chunks.concat(read.chunks);
        if (read.isAll) continue;
        bounds = upTo(bounds, order, read.chunks.at(-1));
        ends.push(...read.chunks.slice(-1));
      } catch (error) {
        if (!(error instanceof Unavailable) || order === 'asc' || chunks.length === 0) throw error;
        return { chunks: known(), isAll: false };
      }
    }
    return { chunks: known(), isAll: ends.length === 0 };
  }

  /** The first instant of the oldest stored day, or of what is not merged; undefined if there is nothing. */
  async function oldestMs(): Promise<number | undefined> {
    // A day that the database cannot read, or of a clock that was wrong, may be older than those that are moved.
    const days = [await moved?.oldestMs(), (await logPartitions(db).list())[0]].filter((ms) => ms !== undefined);
    return days.length > 0 ? Math.min(...days) : (await segmentPartitions(db).list())[0];
  }

  /** Latest first. `next` is called before each statement. Ends early if the object store is away. */
  async function* back(from: SearchFrom, next: () => SearchRead): AsyncGenerator<Chunk[]> {
    let hasBegun = false;
    try {
      for await (const chunks of allBack(from, next)) {
        hasBegun = true;
        yield chunks;
      }
    } catch (error) {
      if (!hasBegun || !(error instanceof Unavailable)) throw error;
      failure = error;
    }
  }

  async function* allBack({ place, ...filter }: SearchFrom, next: () => SearchRead): AsyncGenerator<Chunk[]> {
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

  /** In the order of their numbers: chunks of one robot with a record after the mark. */
  async function* following(
    filter: Omit<ChunkFilter, 'beyond' | 'endsAfterSeq'>,
    mark: LogMark,
    size: () => ReadSize,
  ): AsyncGenerator<Chunk[]> {
    const markMs = mark.atMs ?? (await locate(mark.seq));
    const startMs = Math.max(filter.sinceMs ?? 0, markMs, (await oldestMs()) ?? Infinity);
    if (startMs === Infinity) return;
    for (const { sinceMs, untilMs } of spansOnward(startMs, filter.untilMs)) {
      let [fromMs, endsAfterSeq] = [sinceMs, mark.seq];
      for (let isAll = false; !isAll;) {
        const read = await take({ ...filter, sinceMs: fromMs, untilMs, endsAfterSeq }, 'asc', size());
        isAll = read.isAll;
        const last = read.chunks.at(-1);
        if (last) [fromMs, endsAfterSeq] = [last.receivedAtMs, last.lastSeq];
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
      const atMs = (await stored.lastBeginningBy(seq, span)) ?? (await moved?.lastBeginningBy(seq, span));
      if (atMs !== undefined) return atMs;
    }
    return 0;
  }

  return {
    back,

    /** Whether reading ended early, as the object store is away. @throws its error if nothing was found before */
    isCut(found: readonly unknown[]): boolean {
      if (failure && found.length === 0) throw failure;
      return failure !== undefined;
    },

    following,

    /** The chunks of a search, in the order of their last records. `next` is called before each statement. */
    async *search(order: LogOrder, from: SearchFrom, next: () => SearchRead): AsyncGenerator<SearchedChunks> {
      if (order === 'newest') {
        for await (const chunks of back(from, next)) yield { chunks, edge: backEdge(chunks) };
        return;
      }
      const unmergedMs = await settling.unmergedSinceMs();
      for await (const chunks of onward(from, next)) yield { chunks, edge: onwardEdge(chunks, unmergedMs) };
    },

    isSettled: settling.isSettled,

    /** Chunks of the span of this instant, once more. */
    async again(ms: number, chunks: readonly Pick<Chunk, 'robotId' | 'firstSeq'>[]): Promise<Chunk[]> {
      const span = { sinceMs: spanEnd(ms) - spanMs, untilMs: spanEnd(ms) };
      return [...(await stored.pick(span, chunks)), ...((await moved?.pick(span, chunks)) ?? [])];
    },
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
