import type { Knex } from 'knex';

/**
 * Rollbacks: deployments that return the robots of another one to what each applied before. They always have a rollout,
 * so no replica from before rollouts begins them: it would send them to all robots of the target.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table deployments
      add column rollback_of uuid, -- the deployment whose robots it returns
      add column rollback_at timestamptz(3), -- when its own rollback was requested
      add column rollback_code text,
      add column rollback_reason text, -- for people
      add constraint deployments_rollback_waves check (rollback_of is null or rollout is not null);
    create index deployments_rollbacks on deployments (org_id, rollback_of) where rollback_of is not null;
    -- Also those that have ended: their robots return too.
    drop index deployments_caused;
    create index deployments_caused on deployments (org_id, cause_id) where cause_id is not null;

    -- The robots that had applied a deployment when it was rolled back.
    create table rollback_robots (
      org_id uuid not null,
      deployment_id uuid not null, -- that is rolled back
      robot_id uuid not null,
      wave smallint not null, -- in which it received it
      source_id uuid, -- the deployment whose release or value it returns to; null: it had none
      code text, -- why it keeps the deployment; null: it returns
      rollback_id uuid, -- the deployment that returns it
      primary key (org_id, deployment_id, robot_id)
    );
    create index rollback_robots_by_rollback on rollback_robots (org_id, rollback_id, robot_id) where rollback_id is not null;

    -- Of what robots of a deployment return to.
    create table rollback_signatures (
      org_id uuid not null,
      deployment_id uuid not null, -- that is rolled back
      payload_digest text not null,
      signature text not null, -- base64
      key_id text not null,
      primary key (org_id, deployment_id, payload_digest)
    );

    alter table robot_links add column signed_only boolean not null default false; -- it refuses orders without a signature
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
