import type { Knex } from 'knex';

/** Active deployments in the order of lists: the overview of the portal reads them each second, and most have ended. */
export async function up(db: Knex): Promise<void> {
  await db.raw('create index deployments_active on deployments (org_id, created_at, id) where ended_at is null');
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
