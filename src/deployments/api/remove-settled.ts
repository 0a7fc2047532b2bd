import type { Knex } from 'knex';
import { countRemoved } from './count-removed.ts';

const rowsAtATime = 5_000;

/**
 * Deletes what only decisions about a deployment need, once none is due: the failures that its abort rules count, and the
 * signatures of what its robots return to, which the deployments that return them have too. The abort rules of a dynamic
 * deployment also count the failures of those that it caused, so these stay until it ends. The deployment is locked meanwhile,
 * as a rollback may be requested for it; if another has locked it, nothing is deleted. Returns whether that is all.
 */
export async function removeSettled(trx: Knex, key: { orgId: string; id: string }): Promise<boolean> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `select from deployments d where org_id = :orgId and id = :id and ended_at is not null and decide_at is null
        and not exists (select from deployments o where o.org_id = d.org_id and o.cause_id = d.id and o.ended_at is null)
        and not exists (select from deployments o where o.org_id = d.org_id and o.rollback_of = d.id and o.ended_at is null)
        and not exists (select from deployments c where c.org_id = d.org_id and c.id = d.cause_id and c.match_at is not null)
      for no key update skip locked`,
    key,
  );
  if (rowCount === 0) return true;
  const removed = [await removeOf(trx, 'rollout_failures', key), await removeOf(trx, 'rollback_signatures', key)];
  return removed.every((rows) => rows < rowsAtATime);
}

async function removeOf(
  trx: Knex,
  table: 'rollout_failures' | 'rollback_signatures',
  key: { orgId: string; id: string },
): Promise<number> {
  const { rows } = await trx.raw<{ rows: [{ removed: number }] }>(
    `with gone as (
       delete from ${table} where ctid = any(array(
         select ctid from ${table} where org_id = :orgId and deployment_id = :id limit ${rowsAtATime}
       )) returning 1
     ), ${countRemoved}
     select count(*) as removed from gone`,
    { ...key, table },
  );
  return rows[0].removed;
}
