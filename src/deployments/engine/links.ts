import type { Knex } from 'knex';
import { plainArray } from '../../platform/db/arrays.ts';
import type { LinkKey, OrderReport } from './order-port.ts';

/** One report of one link. */
export interface ReportOfLink {
  link: LinkKey;
  report: OrderReport;
}

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
