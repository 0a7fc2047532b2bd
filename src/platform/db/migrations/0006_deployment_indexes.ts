import type { Knex } from 'knex';

/**
 * Indexes for lists, supersession and large fleets. Robots of a deployment are found by status without a scan of all:
 * for 100,000 that took 30 ms. Waiting robots have their own index, which also finds them by robot. So creating 100,000
 * targets writes to no more indexes than before.
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

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
