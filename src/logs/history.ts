import type { Knex } from 'knex';
import { unpackText } from './body.ts';
import { logPartitions } from './partitions.ts';

/** Whose records: those of one robot, or those that robots sent as part of one fleet. */
export type LogScope = { orgId: string } & ({ robotId: string } | { fleetId: string });

export interface Chunk {
  robotId: string;
  receivedAtMs: number; // of the last record
  firstSeq: number;
  lastSeq: number;
  bytes: number; // of the text
  text: string;
}

/** Selects chunks by the columns beside their bodies. All bounds are optional. */
interface ChunkFilter {
  sinceMs?: number | undefined; // received_at at or after
  untilMs?: number | undefined; // received_at before
  startsByMs?: number | undefined; // with a record received at or before
  endsAfterSeq?: number | undefined; // with a record of a higher number
  minRank?: number | undefined; // with a record of this level or above
}

export interface ReadSize {
  records: number; // approximate number wanted
  bytes: number; // of text, approximate maximum
}

interface Row {
  robot_id: string;
  received_at: Date;
  first_seq: number;
  last_seq: number;
  records: number;
  bytes: number;
  body: Buffer;
}

/** Rows that one statement reads. */
const maxRows = 1_000;
const dayMs = 86_400_000;
/**
 * Days that one statement spans: it opens and locks every day it may need. The first span is enough for most readers.
 * The others keep the number of statements small if logs are kept for years.
 */
const spanDays = [2, 7, 30] as const;

/**
 * The chunks of one scope, span by span. `db` must be a transaction with one snapshot, as merging moves records between
 * rows.
 */
export function logHistory(db: Knex, scope: LogScope) {
  const [scopeColumn, scopeId] = 'robotId' in scope ? ['robot_id', scope.robotId] : ['fleet_id', scope.fleetId];

  function chunks({ sinceMs, untilMs, startsByMs, endsAfterSeq, minRank = 1 }: ChunkFilter): Knex.QueryBuilder {
    const query = db('log_chunks').where({ org_id: scope.orgId, [scopeColumn]: scopeId });
    if (sinceMs !== undefined) void query.where('received_at', '>=', new Date(sinceMs));
    if (untilMs !== undefined) void query.where('received_at', '<', new Date(untilMs));
    if (startsByMs !== undefined) void query.where('first_at', '<=', new Date(startsByMs));
    if (endsAfterSeq !== undefined) void query.where('last_seq', '>', endsAfterSeq);
    // Not a parameter: the planner uses the index of warnings only if it sees the number.
    if (minRank > 1) void query.whereRaw(`max_level >= ${Math.trunc(minRank)}`);
    return query;
  }

  /** As many chunks, in order, as `size` allows; and whether these are all. */
  async function take(query: Knex.QueryBuilder, order: 'asc' | 'desc', size: ReadSize) {
    const by = `received_at ${order}, robot_id ${order}, first_seq ${order}`;
    const soFar = `over (order by ${by} rows unbounded preceding)`;
    const rowLimit = Math.min(size.records, maxRows); // a chunk has at least one record
    const candidates = query
      .select('robot_id', 'received_at', 'first_seq', 'last_seq', 'records', 'bytes', 'body')
      .select(db.raw(`sum(records) ${soFar} as all_records, sum(bytes) ${soFar} as all_bytes`))
      .orderByRaw(by)
      .limit(rowLimit);
    const rows = await db
      .select<Row[]>('robot_id', 'received_at', 'first_seq', 'last_seq', 'records', 'bytes', 'body')
      .from(candidates.as('candidates'))
      .whereRaw('all_records - records < ? and all_bytes - bytes < ?', [size.records, size.bytes])
      .orderByRaw(by);
    const sum = (figure: (row: Row) => number) => rows.reduce((total, row) => total + figure(row), 0);
    const isAll =
      rows.length < rowLimit && sum(({ records }) => records) < size.records && sum(({ bytes }) => bytes) < size.bytes;
    return { chunks: rows.map(fromRow), isAll };
  }

  /** The first instant of the oldest stored day; undefined if there is none. */
  const oldestMs = async (): Promise<number | undefined> => (await logPartitions(db).list())[0];

  /** Latest first. `size` is called before each statement. */
  async function* back(filter: ChunkFilter, size: () => ReadSize): AsyncGenerator<Chunk[]> {
    for await (const { sinceMs, untilMs } of spansBack(filter, oldestMs)) {
      let last: Chunk | undefined;
      for (let isAll = false; !isAll;) {
        const query = chunks({ ...filter, sinceMs, untilMs });
        if (last)
          void query
            // The first condition is for the index of a robot, which has no robot_id after it.
            .where('received_at', '<=', new Date(last.receivedAtMs))
            .whereRaw('(received_at, robot_id, first_seq) < (?, ?, ?)', [
              new Date(last.receivedAtMs),
              last.robotId,
              last.firstSeq,
            ]);
        const read = await take(query, 'desc', size());
        isAll = read.isAll;
        last = read.chunks.at(-1) ?? last;
        if (read.chunks.length > 0) yield read.chunks;
      }
    }
  }

  /** In the order of their numbers: chunks of one robot with a record after `endsAfterSeq`. */
  async function* onward(
    filter: ChunkFilter & { endsAfterSeq: number },
    size: () => ReadSize,
  ): AsyncGenerator<Chunk[]> {
    const startMs = Math.max(filter.sinceMs ?? 0, await locate(filter.endsAfterSeq), (await oldestMs()) ?? Infinity);
    if (startMs === Infinity) return;
    for (const { sinceMs, untilMs } of spansOnward(startMs, filter.untilMs)) {
      let after = filter.endsAfterSeq;
      for (let isAll = false; !isAll;) {
        const read = await take(chunks({ ...filter, sinceMs, untilMs, endsAfterSeq: after }), 'asc', size());
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
    for await (const { sinceMs, untilMs } of seq > 0 ? spansBack({}, oldestMs) : []) {
      const row = (await chunks({ sinceMs, untilMs })
        .where('first_seq', '<=', seq)
        .select('received_at')
        .orderBy('received_at', 'desc')
        .first()) as { received_at: Date } | undefined;
      if (row) return row.received_at.getTime();
    }
    return 0;
  }

  return { back, onward };
}

interface Span {
  sinceMs: number;
  untilMs: number | undefined;
}

/** Spans of whole days, backwards from the latest to the bound of the filter or the oldest day. */
async function* spansBack(
  { sinceMs = 0, untilMs }: ChunkFilter,
  oldestMs: () => Promise<number | undefined>,
): AsyncGenerator<Span> {
  let endMs = untilMs;
  let floorMs = sinceMs;
  for (let step = 0; ; step += 1) {
    // By our own clock, which may differ from the database's. So the first span has no end, and the others follow from
    // its start.
    const latestMs = Math.min(endMs ?? Infinity, Date.now());
    const days = (spanDays[Math.min(step, spanDays.length - 1)] ?? 1) * dayMs;
    const startMs = Math.max(floorMs, Math.ceil(latestMs / dayMs) * dayMs - days);
    yield { sinceMs: startMs, untilMs: endMs };
    if (step === 0) floorMs = Math.max(floorMs, (await oldestMs()) ?? Infinity);
    if (startMs <= floorMs) return;
    endMs = startMs;
  }
}

/** Forwards from an instant; the last span has no end unless the reader set one. */
function* spansOnward(startMs: number, untilMs: number | undefined): Generator<Span> {
  let sinceMs = startMs;
  for (let step = 0; ; step += 1) {
    const days = (spanDays[Math.min(step, spanDays.length - 1)] ?? 1) * dayMs;
    const endMs = Math.floor(sinceMs / dayMs) * dayMs + days;
    const isLast = endMs >= Math.min(untilMs ?? Infinity, Date.now());
    yield { sinceMs, untilMs: isLast ? untilMs : endMs };
    if (isLast) return;
    sinceMs = endMs;
  }
}

const fromRow = (row: Row): Chunk => ({
  robotId: row.robot_id,
  receivedAtMs: row.received_at.getTime(),
  firstSeq: row.first_seq,
  lastSeq: row.last_seq,
  bytes: row.bytes,
  text: unpackText(row.body),
});
