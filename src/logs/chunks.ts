import type { Knex } from 'knex';
import { plainArray } from '../platform/db/arrays.ts';
import { unpackText } from './body.ts';
import { comparePositions, type Position } from './model.ts';
import type { LogScope } from './segments/streams.ts';

export interface Chunk {
  robotId: string;
  receivedAtMs: number; // of the last record
  firstSeq: number;
  lastSeq: number;
  bytes: number; // of the text
  text: string;
}

/** Selects chunks by the columns beside their bodies. All bounds are optional. */
export interface ChunkFilter {
  sinceMs?: number | undefined; // received_at at or after
  untilMs?: number | undefined; // received_at before
  startsByMs?: number | undefined; // with a record received at or before
  endsAfterSeq?: number | undefined; // with a record of a higher number
  minRank?: number | undefined; // with a record of this level or above
  beyond?: { place: Position; order: ChunkOrder } | undefined; // after the chunk with this last time and first number
}

/** Of the time of the last record, then the robot, then the first number. */
export type ChunkOrder = 'asc' | 'desc';

export interface ChunksRead {
  chunks: Chunk[]; // in order
  isAll: boolean; // there are no more
}

/** The place of a chunk in the order of reading. */
export const placeOf = ({ receivedAtMs, robotId, firstSeq }: Chunk): Position => ({
  receivedAtMs,
  robotId,
  seq: firstSeq,
});

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

/** Rows that one statement reads. */
const maxRows = 1_000;
/** Fleets whose indexes one statement merges: with 20, planning takes about 5 ms. */
const maxMergedFleets = 20;
const dayMs = 86_400_000;
const columns = ['robot_id', 'received_at', 'first_seq', 'last_seq', 'records', 'bytes', 'body'] as const;

export function chunkStore(db: Knex, { orgId, robotId, fleetIds }: LogScope) {
  /** The fleets to read: one query for each, or for a robot none. */
  const fleetsOf = async (filter: ChunkFilter): Promise<readonly string[]> =>
    robotId === undefined ? (fleetIds ?? (await fleetsWithin(filter))) : [];

  /** All chunks of the scope within the filter, or at least the first `limit` of them. */
  function sourceOf(filter: ChunkFilter, ids: readonly string[], by: string, limit: number): Knex.QueryBuilder {
    if (robotId !== undefined) return ofRobot(robotId, filter);
    // Each fleet has an index in the order of reading. Postgres merges few of them row by row, and plans many too long.
    if (ids.length <= maxMergedFleets)
      return db.queryBuilder().unionAll(
        ids.map((id) => narrowed(filter).where('fleet_id', id)),
        true,
      );
    const ofFleet = narrowed(filter).whereRaw('fleet_id = fleets.id').orderByRaw(by).limit(limit).as('chunks');
    return db
      .select('chunks.*')
      .from(db.raw('unnest(?::uuid[]) as fleets (id) cross join lateral ?', [plainArray(ids), ofFleet]));
  }

  function ofRobot(id: string, filter: ChunkFilter): Knex.QueryBuilder {
    const query = narrowed(filter).where('robot_id', id);
    return fleetIds ? query.whereRaw('fleet_id = any(?::uuid[])', [plainArray(fleetIds)]) : query;
  }

  function narrowed({ sinceMs, untilMs, startsByMs, endsAfterSeq, minRank = 1, beyond }: ChunkFilter) {
    const query = db('log_chunks').select(columns).where('org_id', orgId);
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
    /** As many chunks, in order, as `size` allows; and whether these are all. */
    async take(filter: ChunkFilter, order: ChunkOrder, size: ReadSize): Promise<ChunksRead> {
      const by = `received_at ${order}, robot_id ${order}, first_seq ${order}`;
      const soFar = `over (order by ${by} rows unbounded preceding)`;
      const rowLimit = Math.min(size.records, maxRows); // a chunk has at least one record
      const ids = await fleetsOf(filter);
      if (robotId === undefined && ids.length === 0) return { chunks: [], isAll: true };
      const candidates = db
        .select(columns)
        .select(db.raw(`sum(records) ${soFar} as all_records, sum(bytes) ${soFar} as all_bytes`))
        .from(sourceOf(filter, ids, by, rowLimit).as('chunks'))
        .orderByRaw(by)
        .limit(rowLimit);
      const rows = await db
        .select<Row[]>(columns)
        .from(candidates.as('candidates'))
        .whereRaw('all_records - records < ? and all_bytes - bytes < ?', [size.records, size.bytes])
        .orderByRaw(by);
      const sum = (figure: (row: Row) => number) => rows.reduce((total, row) => total + figure(row), 0);
      const isAll =
        rows.length < rowLimit &&
        sum(({ records }) => records) < size.records &&
        sum(({ bytes }) => bytes) < size.bytes;
      return { chunks: rows.map(fromRow), isAll };
    },

    /** When the last chunk of the robot that begins at or before this number was received, in ms. */
    async lastBeginningBy(seq: number, filter: ChunkFilter): Promise<number | undefined> {
      if (robotId === undefined) throw new Error('only the records of one robot are numbered');
      const row = (await ofRobot(robotId, filter)
        .where('first_seq', '<=', seq)
        .orderBy('received_at', 'desc')
        .first()) as Row | undefined;
      return row?.received_at.getTime();
    },

    /** Chunks by their robots and first numbers. */
    async pick(filter: ChunkFilter, chunks: readonly Pick<Chunk, 'robotId' | 'firstSeq'>[]): Promise<Chunk[]> {
      if (chunks.length === 0) return [];
      const [robots, seqs] = [chunks.map((chunk) => chunk.robotId), chunks.map(({ firstSeq }) => firstSeq)];
      const query = narrowed(filter).whereRaw(
        '(robot_id, first_seq) in (select * from unnest(?::uuid[], ?::bigint[]))',
        [plainArray(robots), plainArray(seqs)],
      );
      // For the index of a robot.
      void query.whereRaw('robot_id = any(?::uuid[])', [plainArray(robots)]);
      const rows = (await query) as Row[];
      return rows.map(fromRow);
    },
  };
}

const fromRow = (row: Row): Chunk => ({
  robotId: row.robot_id,
  receivedAtMs: row.received_at.getTime(),
  firstSeq: row.first_seq,
  lastSeq: row.last_seq,
  bytes: row.bytes,
  text: unpackText(row.body),
});
