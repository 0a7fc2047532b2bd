import type { Knex } from 'knex';
import { targetStatuses } from './model.ts';

/** Deployments that one statement counts. */
const batch = 100;

interface Mismatch {
  orgId: string;
  deploymentId: string;
}

/**
 * Counts the targets of every deployment that is under way and gives those whose counts say otherwise: none, unless there is a bug. Each
 * statement sees targets and counts as of one moment.
 */
export async function recount(db: Knex): Promise<Mismatch[]> {
  const open = await db<{ org_id: string; id: string }>('deployments')
    .select('org_id', 'id')
    .whereNull('ended_at')
    .whereNotNull('rank');
  const wrong: Mismatch[] = [];
  for (let start = 0; start < open.length; start += batch) {
    const ids = open.slice(start, start + batch);
    const { rows } = await db.raw<{ rows: { org_id: string; deployment_id: string }[] }>(
      `select c.org_id, c.deployment_id
         from unnest(?::uuid[], ?::uuid[]) as k (org_id, deployment_id)
         join deployment_counts c using (org_id, deployment_id)
         cross join lateral (
           select count(*) as total, ${targetStatuses.map((status) => `count(*) filter (where status = '${status}') as ${status}`).join(', ')}
             from targets t where t.org_id = c.org_id and t.deployment_id = c.deployment_id
         ) as found
        where (c.total, ${targetStatuses.map((status) => `c.${status}`).join(', ')})
              is distinct from (found.total, ${targetStatuses.map((status) => `found.${status}`).join(', ')})`,
      [ids.map((row) => row.org_id), ids.map((row) => row.id)],
    );
    wrong.push(...rows.map((row) => ({ orgId: row.org_id, deploymentId: row.deployment_id })));
  }
  return wrong;
}
