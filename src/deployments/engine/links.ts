import type { Knex } from 'knex';
import { plainArray } from '../../platform/db/arrays.ts';
import type { LinkKey, OrderReport } from './order-port.ts';

/** One report of one link. */
export interface ReportOfLink {
  link: LinkKey;
  report: OrderReport;
}

/** IDs of the live replicas, as SQL. */
export const alive = 'any(array(select id from replicas where lease_until > now()))';

/**
 * Whether a robot has a link that satisfies `such`, as SQL; `of`: a row with its org_id and robot_id. `offset 0` forces a
 * look-up per row; otherwise Postgres reads all links.
 */
export const isOnline = (of: string, such = 'true'): string => `exists (
  select from robot_links l where l.org_id = ${of}.org_id and l.robot_id = ${of}.robot_id and l.replica_id = ${alive} and ${such} offset 0)`;

/** Indexes of the items whose link is the current one. A replaced link changes nothing. */
export async function findCurrent(trx: Knex, items: readonly { link: LinkKey }[]): Promise<Set<number>> {
  const { rows } = await trx.raw<{ rows: { n: number }[] }>(
    `select t.n::int - 1 as n from unnest(?::uuid[], ?::uuid[], ?::bigint[]) with ordinality as t (org_id, robot_id, epoch, n)
       join robot_links l using (org_id, robot_id, epoch)`,
    [
      plainArray(items.map(({ link }) => link.orgId)),
      plainArray(items.map(({ link }) => link.robotId)),
      plainArray(items.map(({ link }) => link.epoch)),
    ],
  );
  return new Set(rows.map(({ n }) => n));
}
