import type { Knex } from 'knex';

/**
 * Deployments to the robots that a selector matches when they start. A replica of the previous release looks for robots
 * whose fleet has the ID of the selector, and would fail the deployment with `no_targets`. The check lets it neither
 * fail nor begin one, since it does not fill in `matched_at`; a replica of this release starts it.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table selectors (
      org_id uuid not null references orgs,
      id uuid not null,
      text text not null, -- in its normal form
      created_at timestamptz(3) not null default now(),
      primary key (org_id, id),
      unique (org_id, text)
    );

    alter table deployments
      drop constraint deployments_target_kind_check,
      add constraint deployments_target_kind_check check (target_kind in ('robot', 'fleet', 'selector')),
      add column matched_at timestamptz(3), -- when the robots of its selector were fixed; null for other targets
      add constraint deployments_matched check (
        target_kind <> 'selector' or matched_at is not null or started_at is null and status <> 'failed');
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
