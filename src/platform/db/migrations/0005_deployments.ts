import type { Knex } from 'knex';
import { movesGuard } from '../moves-guard.ts';

/**
 * Releases, configs, and their orders. A deployment fixes its targets, one per robot, when it is due. An order is an
 * instruction to one robot for one lane; it carries one target, or all pending config targets of the robot. History
 * (targets, orders, events) has no foreign keys: it outlives robots. Code that changes a target holds the lock of its
 * deployment's row; several are locked in order of their ids.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table releases (
      org_id uuid not null references orgs,
      id uuid not null,
      tag text not null,
      kind text not null,
      artifact_sha256 text not null,
      artifact_size bigint not null,
      notes text,
      signature text,
      key_id text,
      created_at timestamptz(3) not null default now(),
      primary key (org_id, id),
      unique (org_id, kind, tag)
    );
    create index releases_in_order on releases (org_id, created_at, id);
    create index releases_by_tag on releases (org_id, tag);

    create table configs (
      org_id uuid not null references orgs,
      id uuid not null,
      namespace text not null,
      key text not null,
      revision bigint not null,
      value text not null, -- JSON as it was set
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (org_id, id),
      unique (org_id, namespace, key)
    );
    create index configs_in_order on configs (org_id, created_at, id);

    create table config_revisions (
      org_id uuid not null,
      config_id uuid not null,
      revision bigint not null,
      id uuid not null,
      value text not null,
      created_at timestamptz(3) not null default now(),
      primary key (org_id, config_id, revision),
      foreign key (org_id, config_id) references configs (org_id, id)
    );

    -- What orders carry, by its SHA-256; never changed.
    create table payloads (
      org_id uuid not null,
      digest text not null,
      body text not null,
      primary key (org_id, digest)
    );

    -- Rises as deployments become due: of two for the same robot, lane and key the higher one is meant.
    create sequence deployment_rank;
    -- Rises with each order of a robot.
    create sequence order_sequence;

    create table deployments (
      org_id uuid not null references orgs,
      id uuid not null,
      lane text not null, -- config, or release:<kind>
      payload_key text not null, -- what of the lane it sets: <namespace>/<key>; the lane itself for a release
      release_id uuid,
      config_id uuid,
      revision bigint, -- of the config
      namespace text,
      key text,
      payload_digest text not null, -- of what it pins: the release, or one config entry
      proof text not null, -- what a robot must prove to run: the hash of the artifact; for config that of the entry
      target_kind text not null check (target_kind in ('robot', 'fleet')),
      target_id uuid not null,
      status text not null default 'scheduled',
      reason text,
      scheduled_at timestamptz(3), -- null: at once
      due_at timestamptz(3) not null default now(),
      active_minutes integer not null,
      signature text,
      key_id text,
      cause_kind text,
      cause_id uuid, -- the deployment that the robot lacked
      created_at timestamptz(3) not null default now(),
      started_at timestamptz(3), -- when its targets were fixed
      ended_at timestamptz(3),
      rank bigint, -- with started_at
      cancelled_at timestamptz(3), -- when it was asked to stop; honoured at once, carried out by the sweeper
      is_superseding boolean not null default false, -- the sweeper has still to end older targets in its favour
      primary key (org_id, id),
      foreign key (org_id, release_id) references releases (org_id, id),
      foreign key (org_id, config_id, revision) references config_revisions (org_id, config_id, revision),
      check ((release_id is null) <> (config_id is null))
    ) with (fillfactor = 70);
    create index deployments_of_releases on deployments (org_id, created_at, id) where release_id is not null;
    create index deployments_of_configs on deployments (org_id, created_at, id) where config_id is not null;
    create index deployments_due on deployments (due_at) where status = 'scheduled';
    create index deployments_to_sweep on deployments (org_id, id)
      where is_superseding or (cancelled_at is not null and ended_at is null);
    -- Those whose robots are fixed and that have not ended, by what they set.
    create index deployments_open on deployments (org_id, lane, payload_key) where ended_at is null and rank is not null;
    -- The newest order for a robot or a fleet, by what it sets: what a newcomer is to have.
    create index deployments_meant on deployments (org_id, target_kind, target_id, lane, payload_key, rank desc)
      where rank is not null and cancelled_at is null and cause_id is null;

    -- Moved in the transaction that moves targets, under the lock of the deployment's row.
    create table deployment_counts (
      org_id uuid not null,
      deployment_id uuid not null,
      total integer not null default 0,
      waiting integer not null default 0,
      dispatched integer not null default 0,
      downloading integer not null default 0,
      installing integer not null default 0,
      verifying integer not null default 0,
      cancelling integer not null default 0,
      rolling_back integer not null default 0,
      applied integer not null default 0,
      failed integer not null default 0,
      rolled_back integer not null default 0,
      cancelled integer not null default 0,
      event_seq bigint not null default 0, -- of the last event
      primary key (org_id, deployment_id)
    ) with (fillfactor = 50);

    create table waves (
      org_id uuid not null,
      deployment_id uuid not null,
      wave smallint not null,
      total integer not null,
      started_at timestamptz(3),
      primary key (org_id, deployment_id, wave)
    );

    create table targets (
      org_id uuid not null,
      deployment_id uuid not null,
      robot_id uuid not null,
      wave smallint not null default 1,
      lane text not null,
      payload_key text not null,
      rank bigint not null,
      status text not null default 'waiting',
      reason text,
      message text,
      order_id uuid, -- by which it was last dispatched
      deadline_at timestamptz(3), -- null once it has ended
      dispatched_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (org_id, deployment_id, robot_id)
    ) with (fillfactor = 70);
    create index targets_by_robot on targets (org_id, robot_id, lane, payload_key, rank);
    create index targets_waiting on targets (org_id, robot_id) where status = 'waiting';
    create index targets_by_deadline on targets (deadline_at) where deadline_at is not null;
    create index targets_by_order on targets (org_id, order_id) where order_id is not null;
    alter table targets add check ((deadline_at is null) = (status in ('applied', 'failed', 'rolled_back', 'cancelled')));

    create table orders (
      org_id uuid not null,
      id uuid not null,
      robot_id uuid not null,
      lane text not null,
      sequence bigint not null default nextval('order_sequence'),
      payload_digest text not null,
      proof text not null,
      signature text,
      key_id text,
      is_cancelled boolean not null default false, -- the robot is asked to stop
      created_at timestamptz(3) not null default now(),
      sent_at timestamptz(3) not null default now(), -- when it last went out
      touched_at timestamptz(3) not null default now(), -- when it was last reported of
      ended_at timestamptz(3),
      primary key (org_id, id)
    ) with (fillfactor = 70);
    -- One at a time a robot and lane.
    create unique index orders_open on orders (org_id, robot_id, lane) where ended_at is null;

    create table deployment_events (
      org_id uuid not null,
      deployment_id uuid not null,
      seq bigint not null,
      id uuid not null default gen_random_uuid(),
      at timestamptz(3) not null default now(),
      status text not null, -- of the deployment, after it
      robot_id uuid,
      target_status text,
      reason text,
      message text,
      primary key (org_id, deployment_id, seq)
    );

    -- What each robot has proved to run.
    create table robot_reports (
      org_id uuid not null,
      robot_id uuid not null,
      releases jsonb not null default '{}', -- by kind
      configs jsonb not null default '{}', -- by <namespace>/<key>
      primary key (org_id, robot_id),
      foreign key (org_id, robot_id) references robots (org_id, id) on delete cascade
    ) with (fillfactor = 50);

    alter table robot_links add column takes_orders boolean not null default false;

    create or replace view robots_now as
      select robots.*, coalesce(r.lease_until > now(), false) as online, l.last_seen_at,
             case when l.duplicate_at > now() - interval '1 day' then l.duplicate_at end as duplicate_agent_at,
             jsonb_build_object('releases', coalesce(p.releases, '{}'), 'configs', coalesce(p.configs, '{}')) as reported
        from robots left join robot_links l on l.org_id = robots.org_id and l.robot_id = robots.id
                    left join replicas r on r.id = l.replica_id
                    left join robot_reports p on p.org_id = robots.org_id and p.robot_id = robots.id;
  `);
  await db.raw(movesGuard('deployments', 'deployment'));
  await db.raw(movesGuard('targets', 'target'));
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
