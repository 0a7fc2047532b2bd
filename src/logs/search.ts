import { slices } from '../kernel/slices.ts';
import { firstFound } from './first-found.ts';
import type { LogRows } from './rows.ts';
import { logHistory, lastPlace, type Chunk, type LogOrder, type LogScope } from './history.ts';
import { comparePositions, spanEnd, type LogQuery, type LogRecord, type Position } from './model.ts';
import { fittingIn, rankOf, readBudget, toRecord, type Found, type ReadBudget } from './reading.ts';
import { encodeSearch, type SearchStart } from './search-cursor.ts';

/** Chunks that a cursor may name: a longer cursor, percent-encoded, could exceed the largest header. */
const maxCarriedChunks = 32;

interface LogSearchRequest {
  scope: LogScope;
  query: LogQuery;
  order: LogOrder;
}

export interface SearchPage {
  records: LogRecord[]; // in the order of the search
  /** Where to continue, and the time up to which all is read; undefined if there is nothing more. */
  next: { cursor: string; readToMs: number } | undefined;
}

/**
 * Searches many robots, one page per call.
 *
 * Chunks are read in the order of their last records, and a merged chunk reaches over others of its span. The place of
 * a match is certain once every chunk that could hold an earlier one was read; `edge` says how far that is. If a span
 * is too large for one call, the cursor has the place among its chunks, and the chunks of the matches so far. So each
 * chunk is read once, and each call makes progress.
 */
export function logSearch(
  rows: LogRows,
  { scope, query, order }: LogSearchRequest,
  budget: ReadBudget = readBudget(query.limit),
) {
  const history = logHistory(rows, scope);
  const fitting = fittingIn(query);
  const compare = order === 'newest' ? (a: Position, b: Position) => comparePositions(b, a) : comparePositions;
  const isAfter = (a: Position, b: Position | undefined) => b === undefined || compare(a, b) > 0;

  /** Where to stop within the span of the last chunk, with matches that are not certain; undefined if it must go on. */
  async function pause(
    start: SearchStart | undefined,
    edge: Position,
    chunks: readonly Chunk[],
    { unsure, isCut }: { unsure: readonly Found[]; isCut: boolean },
  ): Promise<SearchStart | undefined> {
    const isFurther = isAfter(edge, start?.after);
    const place = lastPlace(chunks);
    if (place && (await history.isSettled(place.receivedAtMs))) {
      const kept = fromFewChunks(unsure);
      const floor = isCut || kept.length < unsure.length ? kept.at(-1) : start?.part?.floor;
      const named = new Map(
        kept.map(({ robotId, chunkSeq }) => [`${robotId}.${chunkSeq}`, { robotId, firstSeq: chunkSeq }]),
      );
      return { after: isFurther || !start ? edge : start.after, part: { place, chunks: [...named.values()], floor } };
    }
    return isFurther ? { after: edge } : undefined;
  }

  return {
    async page(start: SearchStart | undefined): Promise<SearchPage> {
      const { place, chunks: carried = [], floor } = start?.part ?? {};
      const isWanted = (each: Found) => isAfter(each, start?.after) && (!floor || !isAfter(each, floor));
      const first = firstFound(query.limit, compare);
      const endMs = () => first.lastMs ?? floor?.receivedAtMs;
      const slice = slices();
      async function look(chunks: readonly Chunk[]): Promise<readonly Found[]> {
        for (const chunk of chunks) {
          const [startMs, lastMs] = [start?.after.receivedAtMs, endMs()];
          const times = order === 'newest' ? { fromMs: lastMs, toMs: startMs } : { fromMs: startMs, toMs: lastMs };
          for (const each of fitting(chunk, times)) if (isWanted(each)) first.add(each);
          await slice();
        }
        return first.sorted();
      }

      let found = place ? await look(await history.again(place.receivedAtMs, carried)) : [];
      const next = () => ({ ...budget.next(), horizonMs: endMs() });
      for await (const { chunks, edge } of history.search(order, boundsOf(query, order, start), next)) {
        found = await look(chunks);
        const isCut = found.length > query.limit; // matches beyond the last one may have been left out
        const sure = found.findLastIndex((each) => !isAfter(each, edge)) + 1;
        if (sure > query.limit || (floor && !isAfter(floor, edge))) break;
        if (!budget.isSpent(chunks)) continue;
        const pausedAt = await pause(start, edge, chunks, { unsure: found.slice(sure), isCut });
        if (pausedAt) return pageOf(found.slice(0, sure), pausedAt);
      }
      const shown = found.slice(0, query.limit);
      const end = found.length > query.limit || history.isCut(found) ? shown.at(-1) : floor;
      return pageOf(shown, end && { after: end });
    },
  };

  function pageOf(found: readonly Found[], next: SearchStart | undefined): SearchPage {
    return {
      records: found.map(toRecord),
      next: next && { cursor: encodeSearch(order, next), readToMs: next.after.receivedAtMs },
    };
  }
}

/** Which chunks can hold records of the search. */
function boundsOf(query: LogQuery, order: LogOrder, start: SearchStart | undefined) {
  const [sinceMs, untilMs] = [query.since?.getTime(), query.until?.getTime()];
  const { text } = query;
  const minRank = rankOf(query);
  const { after, part } = start ?? {};
  if (order === 'oldest') {
    const firstMs = Math.max(sinceMs ?? 0, after?.receivedAtMs ?? 0);
    const end = untilMs === undefined ? {} : { untilMs: spanEnd(untilMs - 1), startsByMs: untilMs };
    return { minRank, text, ...end, sinceMs: firstMs, place: part?.place };
  }
  const lastMs = Math.min(after?.receivedAtMs ?? Infinity, (untilMs ?? Infinity) - 1);
  const end = lastMs === Infinity ? {} : { untilMs: spanEnd(lastMs), startsByMs: lastMs };
  return { minRank, text, ...end, sinceMs, place: part?.place };
}

/** The first of these matches, as many as are in the number of chunks that a cursor may name. */
function fromFewChunks(found: readonly Found[]): readonly Found[] {
  const chunks = new Set<string>();
  const end = found.findIndex(({ robotId, chunkSeq }) => chunks.add(`${robotId}.${chunkSeq}`).size > maxCarriedChunks);
  return end < 0 ? found : found.slice(0, end);
}
