import type { Knex } from 'knex';
import type { DeploymentWorld } from './support.ts';

/** SQL of the robots `r` that `addLargeFleet` added. */
export const isAdded = `r.name like 'large-%'`;

/** Adds so many robots beside the first one. `receive` writes what they received, without the triggers that count it. */
export async function addLargeFleet(
  it: DeploymentWorld,
  robots: number,
  receive: (trx: Knex) => Promise<void>,
): Promise<void> {
  await it.db.transaction(async (trx) => {
    await trx.raw('set local statement_timeout = 0');
    await trx.raw('set local session_replication_role = replica');
    await trx.raw(
      `insert into robots (org_id, id, name, site_id, fleet_id, enrollment_key_id)
       select org_id, gen_random_uuid(), 'large-' || n, site_id, fleet_id, enrollment_key_id
         from generate_series(1, ${robots}) n, (select * from robots limit 1) one`,
    );
    await receive(trx);
  });
  for (const table of ['targets', 'robots', 'deployment_events']) await it.db.raw(`analyze ${table}`);
}
