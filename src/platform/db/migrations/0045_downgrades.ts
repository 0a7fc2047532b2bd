import type { Knex } from 'knex';

/**
 * Plans that may be downgrades. A replica of the previous release does not know the column: the hash of such a plan is
 * another one for it, so it refuses to execute it.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table deployment_plans add column allows_downgrade boolean not null default false');
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
