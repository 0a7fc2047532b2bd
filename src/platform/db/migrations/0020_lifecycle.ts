import type { Knex } from 'knex';

/**
 * Deleted config entries and archived releases. A deleted entry keeps its row, so its revisions and deployments stay
 * readable and its revision numbers continue.
 *
 *   deleted  → `deleted_revision = revision`: setting the key again, also by a replica of the previous release, restores it
 *   intents  → `deleted_rank`: deployments with a lower rank are no longer given to new robots, also after a restore
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table configs
      add column deleted_at timestamptz(3),
      add column deleted_revision bigint,
      add column deleted_rank bigint;

    alter table releases add column archived_at timestamptz(3);

    -- Active deployments of a config entry, scheduled ones included.
    create index deployments_active_of_configs on deployments (org_id, config_id) where config_id is not null and ended_at is null;
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
