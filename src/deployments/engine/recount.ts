import type { Knex } from 'knex';
import { advisoryLocks } from '../../platform/db/advisory-locks.ts';
import { targetStatuses } from './model.ts';

/** Deployments whose keys are in memory at a time. */
const pageSize = 10_000;
/** Deployments counted per statement. */
const batch = 100;

interface Mismatch {
  orgId: string;
  deploymentId: string;
}

interface OpenRow {
  org_id: string;
  id: string;
}

/**
 * Counts the targets of all active deployments, and returns those whose stored counts differ: none, unless there is a
 * bug. Each statement sees targets and counts as of one moment. Undefined while another replica recounts: once is
 * enough for all.
 */
export function recount(db: Knex): Promise<Mismatch[] | undefined> {
  return db.transaction(async (trx) => {
    const lock = await trx.raw<{ rows: [{ is_mine: boolean }] }>('select pg_try_advisory_xact_lock(?) as is_mine', [
      advisoryLocks.recount,
    ]);
    if (!lock.rows[0].is_mine) return undefined;
    const wrong: Mismatch[] = [];
    for (let page = await openAfter(trx); page.length > 0; page = await openAfter(trx, page.at(-1)))
      for (let start = 0; start < page.length; start += batch)
        wrong.push(...(await countAgain(trx, page.slice(start, start + batch))));
    return wrong;
  });
}

async function openAfter(trx: Knex, last?: OpenRow): Promise<OpenRow[]> {
  const open = trx<OpenRow>('deployments').select('org_id', 'id').whereNull('ended_at').whereNotNull('rank');
  if (last) void open.whereRaw('(org_id, id) > (?, ?)', [last.org_id, last.id]);
  return open.orderBy(['org_id', 'id']).limit(pageSize);
}

async function countAgain(trx: Knex, deployments: readonly OpenRow[]): Promise<Mismatch[]> {
  const { rows } = await trx.raw<{ rows: { org_id: string; deployment_id: string }[] }>(
    `select c.org_id, c.deployment_id
       from unnest(?::uuid[], ?::uuid[]) as k (org_id, deployment_id)
       join deployment_counts c using (org_id, deployment_id)
       cross join lateral (
         select count(*) as total, ${targetStatuses.map((status) => `count(*) filter (where status = '${status}') as ${status}`).join(', ')}
           from targets t where t.org_id = c.org_id and t.deployment_id = c.deployment_id
       ) as found
      where (c.total, ${targetStatuses.map((status) => `c.${status}`).join(', ')})
            is distinct from (found.total, ${targetStatuses.map((status) => `found.${status}`).join(', ')})`,
    [deployments.map((row) => row.org_id), deployments.map((row) => row.id)],
  );
  return rows.map((row) => ({ orgId: row.org_id, deploymentId: row.deployment_id }));
}
