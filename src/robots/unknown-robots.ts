import type { Knex } from 'knex';
import type { Page } from '../kernel/page.ts';
import { jsonRows } from '../platform/db/json-rows.ts';
import { rowsOf, type Listing } from '../platform/db/page.ts';
import type { Condition } from './release-condition.ts';

/** So many robots are looked at to decide how a page of unknown ones is read: it takes about 15 ms. */
const lookedAt = 2_000;

/** What a page of robots is read from, and its filters but for health. */
interface Unfiltered {
  listing: Listing<string, never>;
  filter: Readonly<Record<string, unknown>> & { org_id: string };
  isRetired: boolean | undefined;
}

/**
 * The SQL condition of robots whose health is unknown. Their number cannot be read from an index, and the planner does not
 * know it. So few of them are looked up, and many are found on the way through the list: if half a page of them is among the
 * next robots of the list, or if the other filters leave only these.
 */
export async function unknownCondition(db: Knex, unfiltered: Unfiltered, page: Page): Promise<Condition> {
  const { listing, filter, isRetired } = unfiltered;
  const bindings: unknown[] = [];
  const place = (value: unknown) => `$${bindings.push(value)}`;
  const { where, by } = rowsOf(listing, filter, page, place);
  const sql = `select case when (select count(*) from (${unknownRobots(place(filter.org_id), isRetired)} limit ${lookedAt}) found) < ${lookedAt}
    then false else (
      select count(*) < ${lookedAt} or count(*) filter (where health_status = 'unknown') >= ${place(page.limit)}::integer / 2.0
        from (select health_status from "${listing.table}" where ${where} order by ${by} limit ${lookedAt}) next) end as are_many`;
  const { value } = await jsonRows(db, { sql, bindings });
  // The planner takes a comparison with one value for a rare match, and reads the whole table first.
  if (value(0, 'are_many') === true) return () => `health_status <> all('{healthy,degraded,unhealthy}')`;
  // It reads an array by the index of IDs. A join with the set compared each robot with each of them: 1 s for 4,000.
  return (bind) => `id = any(array(${unknownRobots(bind(filter.org_id), isRetired)}))`;
}

/**
 * SQL of robots without a condition, and without a live link or known values. Links are looked up by replica: others are
 * not read. The severity of each is a subquery, as a join would read that of all unhealthy robots.
 */
const unknownRobots = (org: string, isRetired: boolean | undefined): string => {
  const link = 'select l.robot_id from robot_links l';
  const isWell = `(select severity from robot_status where org_id = ${org} and robot_id = l.robot_id) = 0`;
  const retired = `exists (select from robots where org_id = ${org} and id = found.robot_id and retired_at is not null)`;
  return `select robot_id from (
    select robot_id from robot_status where org_id = ${org} and not is_known and severity = 0
    union all ${link} where l.org_id = ${org} and l.replica_id is null and ${isWell}
    union all select l.robot_id from replicas p cross join lateral (
      ${link} where l.replica_id = p.id and l.org_id = ${org} and ${isWell} offset 0) l where p.lease_until <= now()
  ) found where ${isRetired === undefined ? 'true' : isRetired ? retired : `not ${retired}`}`;
};
