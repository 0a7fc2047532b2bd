import type { Knex } from 'knex';

/** The HTTP cache of a site, from which its robots download artifacts first. Replicas of previous releases ignore it. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table sites add column artifact_base_url text');
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
