import type { Knex } from 'knex';
import { slices } from '../../kernel/slices.ts';
import { plainArray } from '../../platform/db/arrays.ts';
import type { ChunkOrder } from '../chunks.ts';
import type { LogScope } from '../segments/streams.ts';
import { decodeEntries, type BlockChunk } from './entries.ts';

/** A block as it is read: where it is, and its chunks, of one robot if the scope is one. */
export interface StoredBlock {
  objectId: string;
  place: number; // of its bodies in the object
  filtersPlace: number;
  startsAtMs: number;
  endsAtMs: number;
  chunks: readonly BlockChunk[];
}

interface Row {
  object_id: string;
  place: number;
  starts_at: Date;
  ends_at: Date;
  robot_ids: string[];
  entries: Buffer;
}

/** Times of records: from, and before. */
export interface Times {
  sinceMs: number;
  untilMs: number;
  startsByMs?: number | undefined; // of blocks that begin at or before this
}

/** What a block must have; default anything. */
interface BlockFilter {
  minRank?: number | undefined; // a record of this level or above
  robotIds?: readonly string[]; // records of one of these
}

/** The index of the records of a scope in the object store. `db` must be a transaction with one snapshot. */
export function blockIndex(db: Knex, { orgId, robotId, fleetIds }: LogScope) {
  let range: Promise<Times | undefined> | undefined;

  async function findRange(): Promise<Times | undefined> {
    const { rows } = await db.raw<{ rows: [{ first: Date | null; last: Date | null }] }>(
      `select min(day) as first, max(day) + interval '1 day' as last from log_objects where org_id = ? and state = 'stored'`,
      [orgId],
    );
    const [{ first, last }] = rows;
    return first && last ? { sinceMs: first.getTime(), untilMs: last.getTime() } : undefined;
  }

  function within(
    { sinceMs, untilMs, startsByMs }: Times,
    { minRank = 1, robotIds }: BlockFilter = {},
  ): Knex.QueryBuilder {
    const query = db('log_object_blocks as b')
      .join('log_objects as o', 'o.id', 'b.object_id')
      .where({ 'b.org_id': orgId, 'o.state': 'stored' })
      .where('b.ends_at', '>', new Date(sinceMs))
      .where('b.starts_at', '<', new Date(untilMs));
    if (startsByMs !== undefined) void query.where('b.starts_at', '<=', new Date(startsByMs));
    if (minRank > 1) void query.where('b.max_level', '>=', minRank);
    if (robotId !== undefined) void query.whereRaw('b.robot_ids @> array[?]::uuid[]', [robotId]);
    if (robotIds) void query.whereRaw('b.robot_ids && ?::uuid[]', [plainArray(robotIds)]);
    if (fleetIds) void query.whereRaw('b.fleet_id = any(?::uuid[])', [plainArray(fleetIds)]);
    return query;
  }

  const blockOf = (row: Row): StoredBlock => {
    const startsAtMs = row.starts_at.getTime();
    const { bodiesLength, chunks } = decodeEntries(row.entries, { startsAtMs, robotIds: row.robot_ids, only: robotId });
    const filtersPlace = row.place + bodiesLength;
    return {
      objectId: row.object_id,
      place: row.place,
      filtersPlace,
      startsAtMs,
      endsAtMs: row.ends_at.getTime(),
      chunks,
    };
  };

  async function readRows(keys: readonly Pick<Row, 'object_id' | 'place'>[]): Promise<Row[]> {
    const { rows } = await db.raw<{ rows: Row[] }>(
      `select b.object_id, b.place, b.starts_at, b.ends_at, b.robot_ids, b.entries
         from unnest(?::uuid[], ?::bigint[]) as k (object_id, place) join log_object_blocks b using (object_id, place)`,
      [plainArray(keys.map((key) => key.object_id)), plainArray(keys.map(({ place }) => place))],
    );
    return rows;
  }

  return {
    /** The days with records of the org in the object store. */
    range: (): Promise<Times | undefined> => (range ??= findRange()),

    /**
     * The first blocks within these times. `known`: those that a call with a lower limit returned, which are not read again.
     * `edgeMs`: nothing is known of chunks beyond it; undefined if these are all.
     */
    async first(
      times: Times,
      order: ChunkOrder,
      limit: number,
      filter: BlockFilter,
      known: readonly StoredBlock[] = [],
    ): Promise<{ blocks: StoredBlock[]; edgeMs: number | undefined }> {
      const keys = (await within(times, filter)
        .select('b.object_id', 'b.place', 'b.starts_at', 'b.ends_at')
        .orderBy(order === 'asc' ? 'b.starts_at' : 'b.ends_at', order)
        .orderBy(['b.object_id', 'b.place'])
        .limit(limit + 1)) as Omit<Row, 'robot_ids' | 'entries'>[];
      const more = keys[limit];
      const edge = order === 'asc' ? more?.starts_at : more?.ends_at;
      const blocks = known.slice();
      const slice = slices();
      for (const row of await readRows(keys.slice(known.length, limit))) {
        blocks.push(blockOf(row));
        await slice();
      }
      return { blocks, edgeMs: edge?.getTime() };
    },

    /** The chunks with the first number at or before this one that a robot has within these times, of its last such block. */
    async lastBeginningBy(seq: number, times: Times): Promise<BlockChunk | undefined> {
      const keys = (await within(times).select('b.object_id', 'b.place').orderBy(['b.starts_at', 'b.ends_at'])) as Pick<
        Row,
        'object_id' | 'place'
      >[];
      let found: BlockChunk | undefined;
      for (let [low, high] = [0, keys.length]; low < high;) {
        const middle = Math.floor((low + high) / 2);
        const [row] = await readRows(keys.slice(middle, middle + 1));
        const chunk = row && blockOf(row).chunks.findLast(({ firstSeq }) => firstSeq <= seq);
        if (chunk) [found, low] = [chunk, middle + 1];
        else high = middle;
      }
      return found;
    },
  };
}
