import type { Knex } from 'knex';

/**
 * The trace context of the request that created a deployment; null if it was not traced. Replicas of the previous release
 * neither write nor read it.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table deployments add column traceparent text');
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
