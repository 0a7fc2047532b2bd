import { readLines } from './body.ts';
import type { Chunk, ReadSize } from './history.ts';
import { levelRank, logFilter, type KeptRecord, type LogQuery, type LogRecord, type Position } from './model.ts';

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
export interface Found extends Position {
  line: string;
  chunkSeq: number; // the first number of its chunk
}

/** What the statements of a call may read, and when it ends. */
export type ReadBudget = ReturnType<typeof readBudget>;

export function readBudget(limit: number) {
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

/** Times of records, both inclusive. */
interface Times {
  fromMs?: number | undefined;
  toMs?: number | undefined;
}

/** The records of a chunk that match the query, and are of these times. */
export function fittingIn(query: LogQuery): (chunk: Chunk, times?: Times) => Generator<Found> {
  const fits = matcher(query);
  const sinceMs = query.since?.getTime() ?? -Infinity;
  const untilMs = query.until?.getTime() ?? Infinity;
  return function* fitting(chunk, { fromMs = -Infinity, toMs = Infinity } = {}) {
    const firstMs = Math.max(sinceMs, fromMs);
    const isWanted = (ms: number) => ms >= firstMs && ms < untilMs && ms <= toMs;
    for (const { receivedAtMs, index, line } of readLines(chunk, isWanted))
      if (fits(line))
        yield { receivedAtMs, robotId: chunk.robotId, seq: chunk.firstSeq + index, line, chunkSeq: chunk.firstSeq };
  };
}

function matcher(query: LogQuery): (line: string) => boolean {
  const { level, source, text } = query;
  if ((level ?? 'debug') === 'debug' && source === undefined && text === undefined) return () => true;
  const fits = logFilter(query);
  return (line) => fits(JSON.parse(line) as KeptRecord);
}

export const rankOf = ({ level }: LogQuery): number | undefined => level && levelRank(level);

export const toRecord = ({ receivedAtMs, robotId, seq, line }: Found): LogRecord => ({
  receivedAtMs,
  robotId,
  seq,
  kept: JSON.parse(line) as KeptRecord,
});
