import type { Knex } from 'knex';
import { slices } from '../kernel/slices.ts';
import { plainArray } from '../platform/db/arrays.ts';
import { unpackText } from './body.ts';
import { dayMs, comparePositions, type Position } from './model.ts';
import type { LogScope } from './segments/streams.ts';
import { textFilterBits } from './text-filter.ts';

export interface Chunk {
  robotId: string;
  receivedAtMs: number; // of the last record
  firstSeq: number;
  lastSeq: number;
  bytes: number; // of the text
  text: string; // empty if it cannot match and was not read
}

/** Selects chunks by the columns beside their bodies. All bounds are optional. */
export interface ChunkFilter {
  sinceMs?: number | undefined; // received_at at or after
  untilMs?: number | undefined; // received_at before
  startsByMs?: number | undefined; // with a record received at or before
  endsAfterSeq?: number | undefined; // with a record of a higher number
  minRank?: number | undefined; // with a record of this level or above
  text?: string | undefined; // whose message may contain it, ignoring case; for `take`
  beyond?: { place: Position; order: ChunkOrder } | undefined; // after the chunk with this last time and first number
}

/** Of the time of the last record, then the robot, then the first number. */
export type ChunkOrder = 'asc' | 'desc';

export interface ChunksRead {
  chunks: Chunk[]; // in order
  isAll: boolean; // there are no more
}

/** The place of a chunk in the order of reading. */
export const placeOf = ({
  receivedAtMs,
  robotId,
  firstSeq,
}: Pick<Chunk, 'receivedAtMs' | 'robotId' | 'firstSeq'>): Position => ({
  receivedAtMs,
  robotId,
  seq: firstSeq,
});

/** Whether a chunk comes after this place. */
export const isBeyond = (
  chunk: Pick<Chunk, 'receivedAtMs' | 'robotId' | 'firstSeq'>,
  { place, order }: NonNullable<ChunkFilter['beyond']>,
): boolean => comparePositions(placeOf(chunk), place) * (order === 'asc' ? 1 : -1) > 0;

/** For sorting chunks. */
export const inOrder =
  (order: ChunkOrder) =>
  (a: Chunk, b: Chunk): number =>
    comparePositions(placeOf(a), placeOf(b)) * (order === 'asc' ? 1 : -1);

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

interface TakenRow extends Omit<Row, 'body'> {
  body: Buffer | null; // null: ruled out
  n: number; // from 1 among the rows that the statement looked at
}

/** Rows that one statement reads. */
const maxRows = 1_000;
/** Rows whose text filters one statement looks at: about 10 ms. */
const maxFilteredRows = 4_000;
/** Fleets whose indexes one statement merges: with 20, planning takes about 5 ms. */
const maxMergedFleets = 20;
const columns = ['robot_id', 'received_at', 'first_seq', 'last_seq', 'records', 'bytes', 'body'] as const;
const filteredColumns = [...columns, 'text_filter'] as const;
/** One parameter, however long the text is. A loop stops at the first bit that is not set. */
const mayMatch = `text_filter is null or not exists (
  select from (select unnest(?::int[]) as bit) bits
   where get_bit(text_filter, bit % (octet_length(text_filter) * 8)) = 0)`;

export function chunkStore(db: Knex, { orgId, robotId, fleetIds }: LogScope) {
  /** The fleets to read: one query for each, or for a robot none. */
  const fleetsOf = async (filter: ChunkFilter): Promise<readonly string[]> =>
    robotId === undefined ? (fleetIds ?? (await fleetsWithin(filter))) : [];

  /** All chunks of the scope within the filter, or at least the first `limit` of them. */
  function sourceOf(filter: ChunkFilter, ids: readonly string[], by: string, limit: number): Knex.QueryBuilder {
    if (robotId !== undefined) return ofRobot(robotId, filter).select(filteredColumns);
    // Each fleet has an index in the order of reading. Postgres merges few of them row by row, and plans many too long.
    if (!areSorted(ids))
      return db.queryBuilder().unionAll(
        ids.map((id) => narrowed(filter).select(filteredColumns).where('fleet_id', id)),
        true,
      );
    const ofFleet = narrowed(filter)
      .select(filteredColumns)
      .whereRaw('fleet_id = fleets.id')
      .orderByRaw(by)
      .limit(limit)
      .as('chunks');
    return db
      .select('chunks.*')
      .from(db.raw('unnest(?::uuid[]) as fleets (id) cross join lateral ?', [plainArray(ids), ofFleet]));
  }

  function ofRobot(id: string, filter: ChunkFilter): Knex.QueryBuilder {
    const query = narrowed(filter).where('robot_id', id);
    return fleetIds ? query.whereRaw('fleet_id = any(?::uuid[])', [plainArray(fleetIds)]) : query;
  }

  function narrowed({ sinceMs, untilMs, startsByMs, endsAfterSeq, minRank = 1, beyond }: ChunkFilter) {
    const query = db('log_chunks').where('org_id', orgId);
    if (sinceMs !== undefined) void query.where('received_at', '>=', new Date(sinceMs));
    if (untilMs !== undefined) void query.where('received_at', '<', new Date(untilMs));
    if (startsByMs !== undefined) void query.where('first_at', '<=', new Date(startsByMs));
    if (endsAfterSeq !== undefined) void query.where('last_seq', '>', endsAfterSeq);
    // Not a parameter: the planner uses the index of warnings only if it sees the number.
    if (minRank > 1) void query.whereRaw(`max_level >= ${Math.trunc(minRank)}`);
    if (beyond) {
      const { place, order } = beyond;
      const at = new Date(place.receivedAtMs);
      const than = order === 'asc' ? '>' : '<';
      void query
        // The first condition is for the index of a robot, which has no robot_id after it.
        .where('received_at', `${than}=`, at)
        .whereRaw(`(received_at, robot_id, first_seq) ${than} (?, ?, ?)`, [at, place.robotId, place.seq]);
    }
    return query;
  }

  /**
   * The fleets of the org with chunks of these days, deleted ones too: one look into an index per fleet. By whole days,
   * as the index would have to be read for the rest.
   */
  async function fleetsWithin({ sinceMs = 0, untilMs }: ChunkFilter): Promise<string[]> {
    const since = new Date(Math.floor(sinceMs / dayMs) * dayMs);
    const until = untilMs === undefined ? 'infinity' : new Date(Math.ceil(untilMs / dayMs) * dayMs);
    const { rows } = await db.raw<{ rows: { fleet_id: string }[] }>(
      `with recursive known as (
         (select fleet_id from log_chunks
           where org_id = :orgId and received_at >= :since and received_at < :until order by fleet_id limit 1)
         union all
         select (select fleet_id from log_chunks c where org_id = :orgId and c.fleet_id > known.fleet_id
                    and received_at >= :since and received_at < :until order by fleet_id limit 1)
           from known where fleet_id is not null
       )
       select fleet_id from known where fleet_id is not null`,
      { orgId, since, until },
    );
    return rows.map(({ fleet_id: id }) => id);
  }

  return {
    /**
     * As many chunks, in order, as `size` allows; and whether these are all. Chunks without the text of the filter are
     * left out. If they are the last ones that the statement looked at, the very last of them is there without its text: the
     * caller continues after it.
     */
    async take(filter: ChunkFilter, order: ChunkOrder, size: ReadSize): Promise<ChunksRead> {
      const by = `received_at ${order}, robot_id ${order}, first_seq ${order}`;
      const bits = textFilterBits(filter.text ?? '');
      const ids = await fleetsOf(filter);
      if (robotId === undefined && ids.length === 0) return { chunks: [], isAll: true };
      const rowLimit = Math.min(size.records, bits.length > 0 && !areSorted(ids) ? maxFilteredRows : maxRows);
      const { rows } = await db.raw<{ rows: TakenRow[] }>(
        // Each level sees the rows of the one below as they are, so a filter is looked at once per row.
        `select robot_id, received_at, first_seq, last_seq, records, bytes, n, case when may_match then body end as body
           from (
             select *, row_number() over before as n,
                    coalesce(sum(records) filter (where may_match) over before, 0) as records_before,
                    coalesce(sum(bytes) filter (where may_match) over before, 0) as bytes_before
               from (select *, ${bits.length > 0 ? mayMatch : 'true'} as may_match from (?) page offset 0) judged
             window before as (order by ${by} rows between unbounded preceding and 1 preceding)
           ) candidates
          where (may_match or n = ?) and records_before < ? and bytes_before < ?
          order by ${by}`,
        [
          ...(bits.length > 0 ? [plainArray(bits)] : []),
          db
            .select('*')
            .from(sourceOf(filter, ids, by, rowLimit).as('chunks'))
            .orderByRaw(by)
            .limit(rowLimit),
          ...[rowLimit, size.records, size.bytes],
        ],
      );
      const sum = (figure: (row: TakenRow) => number) => rows.reduce((total, row) => total + figure(row), 0);
      const isAll =
        rows.at(-1)?.n !== rowLimit &&
        sum(({ records }) => records) < size.records &&
        sum(({ bytes }) => bytes) < size.bytes;
      return { chunks: await fromRows(rows), isAll };
    },

    /** When the last chunk of the robot that begins at or before this number was received, in ms. */
    async lastBeginningBy(seq: number, filter: ChunkFilter): Promise<number | undefined> {
      if (robotId === undefined) throw new Error('only the records of one robot are numbered');
      const row = await ofRobot(robotId, filter)
        .where('first_seq', '<=', seq)
        .orderBy('received_at', 'desc')
        .first<Pick<Row, 'received_at'> | undefined>('received_at');
      return row?.received_at.getTime();
    },

    /** Chunks by their robots and first numbers. */
    async pick(filter: ChunkFilter, chunks: readonly Pick<Chunk, 'robotId' | 'firstSeq'>[]): Promise<Chunk[]> {
      if (chunks.length === 0) return [];
      const [robots, seqs] = [chunks.map((chunk) => chunk.robotId), chunks.map(({ firstSeq }) => firstSeq)];
      const query = narrowed(filter)
        .select(columns)
        .whereRaw('(robot_id, first_seq) in (select * from unnest(?::uuid[], ?::bigint[]))', [
          plainArray(robots),
          plainArray(seqs),
        ]);
      // For the index of a robot.
      void query.whereRaw('robot_id = any(?::uuid[])', [plainArray(robots)]);
      return fromRows((await query) as Row[]);
    },
  };
}

/** Whether the chunks of these fleets are sorted by a statement, as there are too many indexes to merge. */
const areSorted = (ids: readonly string[]): boolean => ids.length > maxMergedFleets;

async function fromRows(rows: readonly Omit<TakenRow, 'n'>[]): Promise<Chunk[]> {
  const slice = slices();
  const chunks: Chunk[] = [];
  for (const row of rows) {
    chunks.push(fromRow(row));
    await slice();
  }
  return chunks;
}

const fromRow = (row: Omit<TakenRow, 'n'>): Chunk => ({
  robotId: row.robot_id,
  receivedAtMs: row.received_at.getTime(),
  firstSeq: row.first_seq,
  lastSeq: row.last_seq,
  bytes: row.body ? row.bytes : 0,
  text: row.body ? unpackText(row.body, row.bytes) : '',
});
