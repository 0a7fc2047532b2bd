import type { Knex } from 'knex';

/**
 * Retries: deployments for the robots on which another one failed. A replica of the previous release would send them to
 * all robots of the target. The check lets it neither begin nor fail one, since it does not fill in `retried_at`.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table deployments
      add column retry_of uuid, -- the deployment that a person retries, also in later attempts
      add column retry jsonb, -- {reasons, attempts, backoff, reason}, as on the wire
      add column retry_attempt smallint, -- from 1
      add column retries_left smallint, -- attempts that may follow once it has ended
      add column retried_at timestamptz(3), -- when its robots were fixed
      add constraint deployments_retried check (retry_of is null or retried_at is not null or started_at is null and status <> 'failed');
    create index deployments_retries on deployments (org_id, retry_of) where retry_of is not null;
    create index deployments_to_retry on deployments (ended_at) where retries_left > 0 and ended_at is not null;

    -- The robots of a retry.
    create table retry_robots (
      org_id uuid not null,
      robot_id uuid not null,
      retry_id uuid not null, -- the deployment that retries it
      rank bigint not null, -- of the target that failed
      primary key (org_id, robot_id, retry_id)
    );
    create index retry_robots_by_retry on retry_robots (org_id, retry_id, robot_id);
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
