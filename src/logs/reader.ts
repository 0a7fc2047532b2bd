import type { Knex } from 'knex';
import { readLines } from './body.ts';
import { logHistory, type Chunk, type LogScope, type ReadSize } from './history.ts';
import {
  comparePositions,
  encodePosition,
  encodeSeq,
  logFilter,
  levelRank,
  spanEnd,
  type KeptRecord,
  type LogPage,
  type LogQuery,
  type LogRecord,
  type Position,
} from './model.ts';

/** A call stops at these limits, and returns where to continue. */
const maxBytes = 16 * 1_048_576;
const maxMs = 200;
/**
 * What one statement reads. The first reads what a page without filters needs, each later one twice as much as the one
 * before.
 */
const firstReadBytes = 1_048_576;
const maxReadBytes = 4 * 1_048_576;
const maxReadRecords = 50_000;

/** A matching record, still as its line: most are only counted. */
interface Found extends Position {
  line: string;
}

/** Reads one page. `db` must be a transaction with one snapshot. */
export function logReader(db: Knex, scope: LogScope, query: LogQuery) {
  const history = logHistory(db, scope);
  const fits = matcher(query);
  const budget = readBudget(query.limit);
  const minRank = query.level && levelRank(query.level);
  const sinceMs = query.since?.getTime();
  const untilMs = query.until?.getTime();

  const isInTime = ({ receivedAtMs }: Position): boolean =>
    receivedAtMs >= (sinceMs ?? -Infinity) && receivedAtMs < (untilMs ?? Infinity);

  function* fittingIn(chunk: Chunk): Generator<Found> {
    let seq = chunk.firstSeq;
    for (const { receivedAtMs, line } of readLines(chunk)) {
      const found = { receivedAtMs, robotId: chunk.robotId, seq, line };
      seq += 1;
      if (isInTime(found) && fits(line)) yield found;
    }
  }

  return {
    /**
     * The latest records, or those before a position. Chunks are read by the time of their last record, and a merged
     * one reaches back over others. The place of a record is certain once every chunk that could hold a later one was
     * read.
     */
    async latest(before: Position | undefined): Promise<LogPage> {
      const lastMs = Math.min(before?.receivedAtMs ?? Infinity, (untilMs ?? Infinity) - 1);
      const bounds = lastMs === Infinity ? {} : { untilMs: spanEnd(lastMs), startsByMs: lastMs };
      let found: Found[] = [];
      for await (const chunks of history.back({ ...bounds, sinceMs, minRank }, budget.next)) {
        for (const chunk of chunks)
          for (const each of fittingIn(chunk)) if (!before || comparePositions(each, before) < 0) found.push(each);
        found = found.sort((a, b) => comparePositions(b, a)).slice(0, query.limit + 1);
        const edge = edgeOf(chunks);
        const sure = found.findLastIndex((each) => comparePositions(each, edge) >= 0) + 1;
        if (sure > query.limit) break;
        if (before && comparePositions(edge, before) >= 0) continue; // stopping here would make no progress
        if (budget.isSpent(chunks)) return { records: oldestFirst(found.slice(0, sure)), next: encodePosition(edge) };
      }
      const shown = found.slice(0, query.limit);
      const last = shown.at(-1);
      return {
        records: oldestFirst(shown),
        next: found.length > query.limit && last ? encodePosition(last) : undefined,
      };
    },

    /** The records of one robot after a number. */
    async following(after: number): Promise<LogPage> {
      const found: Found[] = [];
      const bounds = { untilMs: untilMs === undefined ? undefined : spanEnd(untilMs - 1), startsByMs: untilMs };
      for await (const chunks of history.onward({ ...bounds, sinceMs, minRank, endsAfterSeq: after }, budget.next)) {
        for (const chunk of chunks) for (const each of fittingIn(chunk)) if (each.seq > after) found.push(each);
        if (found.length > query.limit) break;
        if (budget.isSpent(chunks))
          return { records: found.map(toRecord), next: encodeSeq(chunks.at(-1)?.lastSeq ?? after) };
      }
      const shown = found.slice(0, query.limit);
      const last = shown.at(-1);
      return {
        records: shown.map(toRecord),
        next: found.length > query.limit && last ? encodeSeq(last.seq) : undefined,
      };
    },
  };
}

/** Everything from this position on has been read: no later chunk holds a record at or after it. */
function edgeOf(chunks: readonly Chunk[]): Position {
  const last = chunks.at(-1);
  if (!last) throw new Error('a read without chunks has no edge');
  return { receivedAtMs: last.receivedAtMs, robotId: last.robotId, seq: last.firstSeq };
}

function readBudget(limit: number) {
  const endsAt = performance.now() + maxMs;
  let bytes = 0;
  let size: ReadSize = { records: limit + 1, bytes: firstReadBytes };
  return {
    next(): ReadSize {
      const now = size;
      size = { records: Math.min(size.records * 2, maxReadRecords), bytes: Math.min(size.bytes * 2, maxReadBytes) };
      return now;
    },
    isSpent(chunks: readonly Chunk[]): boolean {
      for (const chunk of chunks) bytes += chunk.bytes;
      return bytes >= maxBytes || performance.now() >= endsAt;
    },
  };
}

function matcher(query: LogQuery): (line: string) => boolean {
  const { level, source, text } = query;
  if ((level ?? 'debug') === 'debug' && source === undefined && text === undefined) return () => true;
  const fits = logFilter(query);
  return (line) => fits(JSON.parse(line) as KeptRecord);
}

const toRecord = ({ line, ...position }: Found): LogRecord => ({ ...position, kept: JSON.parse(line) as KeptRecord });
const oldestFirst = (found: readonly Found[]): LogRecord[] => found.map(toRecord).reverse();
