import type { Knex } from 'knex';
import { spanEnd, spanMs } from '../model.ts';
import { groupSql } from './rows.ts';

/** Segments of an org that are merged together, by ascending number. */
export interface WindowRow {
  id: number;
  received_at: Date;
  records: number;
  bytes: number;
}

interface GroupRow {
  id: number; // of its segment
  received_at: Date;
  head: Buffer;
  body: Buffer;
}

/** A share of the streams of a window: those whose number has the remainder `part` when it is divided by `parts`. */
interface Part {
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

/** The next segments to merge, all of one span; none if nothing is due. */
export async function findWindow(trx: Knex, orgId: string, isAllDue: boolean): Promise<WindowRow[]> {
  const { rows } = await trx.raw<{ rows: (WindowRow & { now: Date; is_due: boolean })[] }>(
    `select id, received_at, records, bytes, clock_timestamp() as now, ${isDueSql} as is_due from (
       select *, sum(bytes) over (order by id) - bytes as bytes_before from log_segments
        where org_id = :orgId and id > coalesce((select merged_id from log_orgs where org_id = :orgId), 0)
     ) s where bytes_before < :maxWindowBytes order by id`,
    { orgId, maxWindowBytes },
  );
  const [first] = rows;
  if (!first) return [];
  const nowMs = first.now.getTime();
  const firstMs = first.received_at.getTime();
  const end = spanEnd(firstMs);
  const isLater = ({ received_at: at }: WindowRow) =>
    spanEnd(at.getTime()) !== end || (!isAllDue && at.getTime() > nowMs - settleMs);
  const next = rows.findIndex(isLater);
  return isAllDue || first.is_due ? rows.slice(0, next < 0 ? undefined : next) : [];
}

/** The groups of a part, by ascending number of their segments. A group may have streams of other parts too. */
export async function readPart(
  trx: Knex,
  orgId: string,
  window: readonly WindowRow[],
  { part, parts }: Part,
): Promise<GroupRow[]> {
  const { rows } = await trx.raw<{ rows: GroupRow[] }>(
    `select s.id, s.received_at, ${groupSql('head')}, ${groupSql('body')}
       from log_segments s cross join lateral generate_series(0, octet_length(s.levels) - 1) n
      where s.org_id = :orgId and s.id between :first and :last and get_byte(s.levels, n) > 0
        and case when octet_length(s.levels) >= :parts then n & (:parts - 1) = :part
                 else n = (:part & (octet_length(s.levels) - 1)) end
      order by s.id, n`,
    { orgId, first: window[0]?.id ?? 0, last: window.at(-1)?.id ?? 0, part, parts },
  );
  return rows;
}
