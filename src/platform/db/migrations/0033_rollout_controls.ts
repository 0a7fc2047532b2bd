import type { Knex } from 'knex';

/**
 * Freezes of all deployments of an org. A replica of the previous release knows no freeze, so each deployment that one
 * holds is also paused, with the code `frozen`.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table deployment_freezes (
      org_id uuid primary key references orgs,
      frozen_at timestamptz(3) not null,
      frozen_by text not null, -- for people
      reason text not null,
      thawed_at timestamptz(3), -- null: it holds
      thaw_reason text
    );
    create index deployments_frozen on deployments (org_id, id) where status = 'paused' and pause_code = 'frozen';
    create index deployments_to_freeze on deployments (org_id, id)
      where ended_at is null and rollback_of is null and status in ('scheduled', 'pending', 'in_progress');
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
