import { logHistory, backEdge, type LogScope } from './history.ts';
import { slices } from '../kernel/slices.ts';
import { firstFound } from './first-found.ts';
import type { LogRows } from './rows.ts';
import { fittingIn, rankOf, readBudget, toRecord, type Found } from './reading.ts';
import {
  comparePositions,
  encodePosition,
  encodeSeq,
  spanEnd,
  type LogMark,
  type LogPage,
  type LogQuery,
  type LogRecord,
  type Position,
} from './model.ts';

/** Reads one page. */
export function logReader(rows: LogRows, scope: LogScope, query: LogQuery) {
  const history = logHistory(rows, scope);
  const fitting = fittingIn(query);
  const budget = readBudget(query.limit);
  const minRank = rankOf(query);
  const sinceMs = query.since?.getTime();
  const untilMs = query.until?.getTime();
  const { text } = query;

  return {
    /**
     * The latest records, or those before a position. Chunks are read by the time of their last record, and a merged
     * one reaches back over others. The place of a record is certain once every chunk that could hold a later one was
     * read.
     */
    async latest(before: Position | undefined): Promise<LogPage> {
      const lastMs = Math.min(before?.receivedAtMs ?? Infinity, (untilMs ?? Infinity) - 1);
      const bounds = lastMs === Infinity ? {} : { untilMs: spanEnd(lastMs), startsByMs: lastMs };
      const first = firstFound(query.limit, (a, b) => comparePositions(b, a));
      const slice = slices();
      for await (const chunks of history.back({ ...bounds, sinceMs, minRank, text }, budget.next)) {
        for (const chunk of chunks) {
          for (const each of fitting(chunk, { fromMs: first.lastMs, toMs: before?.receivedAtMs }))
            if (!before || comparePositions(each, before) < 0) first.add(each);
          await slice();
        }
        const found = first.sorted();
        const edge = backEdge(chunks);
        const sure = found.findLastIndex((each) => comparePositions(each, edge) >= 0) + 1;
        if (sure > query.limit) break;
        const isSpent = budget.isSpent(chunks);
        // All chunks that reach over the first wanted time are read by one call: the next one would begin with them again.
        if (edge.receivedAtMs > lastMs || (before && comparePositions(edge, before) >= 0)) continue;
        if (isSpent) return { records: oldestFirst(found.slice(0, sure)), next: encodePosition(edge) };
      }
      const found = first.sorted();
      const shown = found.slice(0, query.limit);
      const last = shown.at(-1);
      const isMore = found.length > query.limit || history.isCut(found);
      return { records: oldestFirst(shown), next: isMore && last ? encodePosition(last) : undefined };
    },

    /** The records of one robot after the mark. */
    async following(mark: LogMark): Promise<LogPage> {
      const { seq: after } = mark;
      const found: Found[] = [];
      const bounds = { untilMs: untilMs === undefined ? undefined : spanEnd(untilMs - 1), startsByMs: untilMs };
      const filter = { ...bounds, sinceMs, minRank, text };
      const slice = slices();
      for await (const chunks of history.following(filter, mark, budget.next)) {
        for (const chunk of chunks) {
          for (const each of fitting(chunk)) if (each.seq > after) found.push(each);
          await slice();
        }
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

const oldestFirst = (found: readonly Found[]): LogRecord[] => found.map(toRecord).reverse();
