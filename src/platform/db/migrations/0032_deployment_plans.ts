import type { Knex } from 'knex';

/**
 * Plans of deployments, and deployments for exactly the robots of a plan. A replica of the previous release would send
 * such a deployment to all robots of its target. The check lets it neither fail nor begin one, since it does not fill in
 * `planned_at`; a replica of this release starts it.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table deployment_plans (
      org_id uuid not null references orgs,
      id uuid not null,
      lane text not null,
      payload_key text not null,
      release_id uuid,
      config_id uuid,
      revision bigint, -- of the config
      namespace text,
      key text,
      payload_digest text not null,
      target_kind text not null check (target_kind in ('robot', 'fleet', 'selector')),
      target_id uuid not null,
      rollout jsonb, -- as of a deployment
      rollout_policy_id uuid,
      rollout_policy_name text,
      hash text not null, -- of the payload, the rollout and the wave of each robot
      deployment_id uuid, -- that executes it
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      primary key (org_id, id),
      check ((release_id is null) <> (config_id is null))
    );
    create index deployment_plans_by_expiry on deployment_plans (expires_at);

    create table plan_robots (
      org_id uuid not null,
      plan_id uuid not null,
      robot_id uuid not null,
      place integer not null, -- in the order in which the waves were filled
      wave smallint not null,
      primary key (org_id, plan_id, robot_id)
    );

    alter table deployments
      add column plan_id uuid, -- whose robots it is for
      add column planned_at timestamptz(3), -- when the robots of its plan were fixed; null without a plan
      add constraint deployments_planned check (
        plan_id is null or planned_at is not null or started_at is null and status <> 'failed');
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
