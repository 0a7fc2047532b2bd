import type { Knex } from 'knex';

/**
 * What robots get that join a deployment later, or before it begins. A replica of the previous release leaves it null:
 * these robots get what they got before.
 */
export async function up(db: Knex): Promise<void> {
  // Null: nothing is checked, as of deployments without a rollout, of configs, and of rollbacks.
  await db.raw('alter table deployments add column allow_downgrade boolean');
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
