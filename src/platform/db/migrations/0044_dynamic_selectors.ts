import type { Knex } from 'knex';

/**
 * Deployments to a selector that robots receive too which match it later. A replica of the previous release begins them as
 * any other, and makes nothing of `match_at`; a replica of this release finds the robots.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table deployments
      add column dynamic_until timestamptz(3), -- until when robots that match later receive it; null: none does
      add column match_at timestamptz(3); -- when to look for such robots; null: no longer
    create index deployments_to_match on deployments (match_at) where match_at is not null and started_at is not null;
    alter table deployment_plans add column dynamic_until timestamptz(3);
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
