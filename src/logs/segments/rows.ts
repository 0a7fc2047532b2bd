import type { Knex } from 'knex';
import { slices } from '../../kernel/slices.ts';
import { plainArray } from '../../platform/db/arrays.ts';

/** A group of a segment that is not merged. */
export interface SegmentGroup {
  receivedAtMs: number;
  head: Buffer;
  body: Buffer; // empty if bodies are not wanted
}

/** Which segments of an org. All bounds are optional. */
export interface SegmentFilter {
  sinceMs?: number | undefined; // received_at at or after
  untilMs?: number | undefined; // received_at before
  minRank?: number | undefined; // groups with a record of this level or above
}

interface ReadRequest {
  filter: SegmentFilter;
  order: 'asc' | 'desc'; // of received_at
  streams: readonly number[] | undefined; // groups without any of these may be left out; undefined: all are wanted
  bodies: boolean;
  /** Approximate limits of what is read if there are many streams; one time is always read. */
  bytes: number;
  records: number;
  /** Segments to read at most, but for those of the last time. Default 256. */
  segments?: number;
}

interface GroupsRead {
  groups: SegmentGroup[]; // in order
  lastMs: number | undefined; // all segments up to this time were read
  isAll: boolean;
}

/** With at most this many streams, their groups alone are read. */
const fewStreams = 32;
const usualSegments = 256;

interface Row {
  id: number;
  received_at: Date;
  is_all: boolean;
  head: Buffer;
  body: Buffer;
}

interface SegmentRow extends Row {
  levels: Buffer;
  places: number[];
}

/** Where group `n` of segment `s` begins and ends in a column, in SQL. */
const firstPlace = { head: 'n + 1', body: 'octet_length(s.levels) + n + 2' };
const lengthSql = (column: keyof typeof firstPlace) =>
  `s.places[${firstPlace[column]} + 1] - s.places[${firstPlace[column]}]`;

/** The bytes of group `n` of segment `s`, in SQL. */
export const groupSql = (column: keyof typeof firstPlace): string =>
  `substring(s.${column} from s.places[${firstPlace[column]}] + 1 for ${lengthSql(column)}) as ${column}`;

const unmerged = ({ sinceMs, untilMs, minRank }: SegmentFilter): string =>
  [
    's.org_id = :orgId and s.id > coalesce((select o.merged_id from log_orgs o where o.org_id = :orgId), 0)',
    ...(sinceMs === undefined ? [] : ['s.received_at >= :since']),
    ...(untilMs === undefined ? [] : ['s.received_at < :until']),
    ...(minRank === undefined ? [] : ['s.max_level >= :rank']),
  ].join(' and ');

/** The groups of few streams; the size is that of their bodies, as nobody knows how much of it is text of the streams. */
const fewSql = (filter: SegmentFilter): string => `
  select s.id, s.received_at, n, ${lengthSql('body')} as bytes, 0 as records
    from log_segments s
   cross join lateral (
     select distinct w.stream & (octet_length(s.levels) - 1) as n from unnest(:streams::int[]) w (stream)
      where case when w.stream - s.first_stream between 0 and octet_length(s.streams) * 8 - 1
                 then get_bit(s.streams, w.stream - s.first_stream) = 1
                      and get_byte(s.levels, w.stream & (octet_length(s.levels) - 1)) >= :rank end
   ) g
   where ${unmerged(filter)}`;

const manySql = (filter: SegmentFilter): string =>
  `select s.id, s.received_at, 0 as n, s.bytes, s.records from log_segments s where ${unmerged(filter)}`;

/** Reads segments in the order of their times. The next read begins after `lastMs`. */
export async function readGroups(
  db: Knex,
  orgId: string,
  { filter, order, streams, bodies, bytes, records, segments = usualSegments }: ReadRequest,
): Promise<GroupsRead> {
  const isFew = streams !== undefined && streams.length <= fewStreams;
  const columns = isFew
    ? `${groupSql('head')}, ${bodies ? groupSql('body') : `''::bytea as body`}`
    : `s.levels, s.places, s.head, ${bodies ? 's.body' : `''::bytea as body`}`;
  const { rows } = await db.raw<{ rows: Row[] }>(
    `with found as materialized (${isFew ? fewSql(filter) : manySql(filter)}), times as materialized (
       select received_at, row_number() over past as n, sum(sum(bytes)) over past - sum(bytes) as bytes_before,
              sum(sum(records)) over past - sum(records) as records_before
         from found group by received_at window past as (order by received_at ${order})
     ), taken as materialized (
       select received_at from times where n = 1 or n <= :segments and bytes_before < :bytes and records_before < :records
     )
     select s.id, s.received_at, (select count(*) from times) = (select count(*) from taken) as is_all, ${columns}
       from found
      cross join lateral (
        select * from log_segments s where s.org_id = :orgId and s.id = found.id and s.received_at = found.received_at offset 0
      ) s
      where found.received_at in (select received_at from taken)
      order by s.received_at ${order}`,
    {
      orgId,
      segments,
      bytes,
      records,
      rank: filter.minRank ?? 1,
      ...(isFew && { streams: plainArray(streams) }),
      since: filter.sinceMs === undefined ? null : new Date(filter.sinceMs),
      until: filter.untilMs === undefined ? null : new Date(filter.untilMs),
    },
  );
  return {
    groups: isFew ? rows.map(groupOf) : await groupsOfAll(rows as SegmentRow[], filter.minRank ?? 1),
    lastMs: rows.at(-1)?.received_at.getTime(),
    isAll: rows[0]?.is_all ?? true,
  };
}

const groupOf = ({ received_at: at, head, body }: Row): SegmentGroup => ({
  receivedAtMs: at.getTime(),
  head,
  body,
});

async function groupsOfAll(rows: readonly SegmentRow[], minRank: number): Promise<SegmentGroup[]> {
  const groups: SegmentGroup[] = [];
  const slice = slices();
  for (const row of rows) {
    groups.push(...groupsOf(row, minRank));
    await slice();
  }
  return groups;
}

function groupsOf(row: SegmentRow, minRank: number): SegmentGroup[] {
  const { levels, places, head, body } = row;
  const bodyPlaces = places.slice(levels.length + 1);
  return [...levels].flatMap((level, n) =>
    level < minRank
      ? []
      : {
          receivedAtMs: row.received_at.getTime(),
          head: head.subarray(places[n], places[n + 1]),
          body: body.subarray(bodyPlaces[n], bodyPlaces[n + 1]),
        },
  );
}
