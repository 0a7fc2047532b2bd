import type { Knex } from 'knex';

/**
 * The beginning of each wave read all targets of the deployment. The wave of a target stays as it is once it has begun, so
 * updates stay HOT. Deployments without a rollout have one wave, and no rows in this index.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw('create index targets_by_wave on targets (org_id, deployment_id, wave) where wave > 1');
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
