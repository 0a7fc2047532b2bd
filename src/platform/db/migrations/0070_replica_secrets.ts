import type { Knex } from 'knex';

/** By which replicas see whether they share a secret; null: a replica of the previous release, or one without a secret. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table replicas add column secret_marks text[]');
}

/** There is no way back but a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
