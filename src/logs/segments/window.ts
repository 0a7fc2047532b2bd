import type { Knex } from 'knex';
import { spanEnd, spanMs } from '../model.ts';
import type { NumberRange } from './damage.ts';
import { groupSql } from './rows.ts';

/** A segment of a window. */
export interface WindowRow {
  id: number;
  received_at: Date;
  records: number;
  bytes: number;
  groups: number;
}

export interface WindowGroup {
  id: number; // of its segment
  received_at: Date;
  head: Buffer;
  body: Buffer;
}

/** A share of the streams of a window: those whose number has the remainder `part` when it is divided by `parts`. */
export interface Part {
  part: number;
  parts: number; // a power of two
}

/** The latest segments are left for the next window. */
const settleMs = 5_000;
/**
 * Whether a window that begins with segment `s` is due, in SQL. Segments wait two minutes for others, so that chunks have
 * as many records, or until their span has ended.
 */
export const isDueSql = `(s.received_at < clock_timestamp() - interval '2 minutes'
  or date_bin('${spanMs} ms', s.received_at, 'epoch') < clock_timestamp() - interval '${spanMs + settleMs} ms')`;
/** Text of a window, approximately. */
const maxWindowBytes = 256 * 1_048_576;

/** What is merged together of an org. */
export interface Window {
  rows: WindowRow[]; // all of one span; none if nothing is due
  unreadable: NumberRange[]; // numbers of segments that are lost
  lastId: number; // everything up to it is in the window
}

/** How a merger reads segments. `trx` is its transaction. */
export interface WindowReader {
  /** `lastId`: the highest number that may be in it. */
  findWindow(trx: Knex, orgId: string, due: { lastId: number; isAllDue: boolean }): Promise<Window>;
  /** The groups of a part in neighboring segments, by ascending number of these. A group may have streams of other parts too. */
  readPart(trx: Knex, orgId: string, rows: readonly WindowRow[], part: Part): Promise<WindowGroup[]>;
}

export const windowReader: WindowReader = {
  async findWindow(trx, orgId, { lastId, isAllDue }) {
    const rows = takeWindow(await readRows(trx, orgId, { first: 1, last: lastId, maxBytes: maxWindowBytes }), {
      isAllDue,
      isDue: false,
    });
    return { rows, unreadable: [], lastId: rows.at(-1)?.id ?? 0 };
  },

  readPart: (trx, orgId, rows, part) => readGroupsOf(trx, orgId, { ...part, ...rangeOf(rows) }),
};

/** The numbers of segments in order. */
export const rangeOf = (rows: readonly WindowRow[]): NumberRange => ({
  first: rows[0]?.id ?? 1,
  last: rows.at(-1)?.id ?? 0,
});

interface FoundRow extends WindowRow {
  now: Date;
  is_due: boolean;
}

/** Segments of a range of numbers that are not merged, by ascending number: of so much text. */
export async function readRows(
  db: Knex,
  orgId: string,
  range: NumberRange & { maxBytes: number },
): Promise<FoundRow[]> {
  const { rows } = await db.raw<{ rows: FoundRow[] }>(
    `select id, received_at, records, bytes, octet_length(levels) as groups, clock_timestamp() as now, ${isDueSql} as is_due from (
       select *, sum(bytes) over (order by id) - bytes as bytes_before from log_segments
        where org_id = :orgId and id > coalesce((select merged_id from log_orgs where org_id = :orgId), 0)
          and id between :first and :last
     ) s where bytes_before < :maxBytes order by id`,
    { orgId, ...range },
  );
  return rows;
}

/** The first of these rows that are merged together. `isDue`: the first row need not be. */
export function takeWindow(
  rows: readonly FoundRow[],
  { isAllDue, isDue }: { isAllDue: boolean; isDue: boolean },
): WindowRow[] {
  const [first] = rows;
  if (!first || !(isAllDue || isDue || first.is_due)) return [];
  const nowMs = first.now.getTime();
  const end = spanEnd(first.received_at.getTime());
  let bytesBefore = 0;
  const next = rows.findIndex(({ received_at: at, bytes }) => {
    if (spanEnd(at.getTime()) !== end || bytesBefore >= maxWindowBytes) return true;
    bytesBefore += bytes;
    return !isAllDue && at.getTime() > nowMs - settleMs;
  });
  return rows.slice(0, next < 0 ? undefined : next);
}

/** Of the segments of a range of numbers. */
interface GroupsFilter extends NumberRange, Part {
  groups?: NumberRange; // default: all
  bodies?: boolean; // default: true; without, they are empty
}

/** By ascending number of their segments. */
export async function readGroupsOf(
  db: Knex,
  orgId: string,
  { first, last, part, parts, groups, bodies = true }: GroupsFilter,
): Promise<WindowGroup[]> {
  const { rows } = await db.raw<{ rows: WindowGroup[] }>(
    `select s.id, s.received_at, ${groupSql('head')}, ${bodies ? groupSql('body') : "''::bytea as body"}
       from log_segments s
      cross join lateral generate_series(:part::integer & (octet_length(s.levels) - 1), octet_length(s.levels) - 1, :parts::integer) n
      where s.org_id = :orgId and s.id between :first and :last and get_byte(s.levels, n) > 0
        ${groups ? 'and n between :firstGroup and :lastGroup' : ''}
      order by s.id, n`,
    { orgId, first, last, part, parts, ...(groups && { firstGroup: groups.first, lastGroup: groups.last }) },
  );
  return rows;
}
