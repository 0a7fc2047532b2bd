import type { Knex } from 'knex';

/** Every second, replicas ask for deployments that become gradual and for rollbacks: without these, they read all that are open. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create index deployments_to_make_gradual on deployments (org_id) where rank is not null and ended_at is null and not is_gradual;
    create index deployments_to_roll_back on deployments (decide_at) where decide_at is not null and rollback_at is not null;
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
