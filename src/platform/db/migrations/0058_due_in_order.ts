import type { Knex } from 'knex';

/**
 * Deployments that are due at the same moment start in the order of their IDs. Without the ID in the index, each look for
 * the next ones sorts all that are due.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create index deployments_due_in_order on deployments (due_at, id) where status = 'scheduled';
    drop index deployments_due;
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
