import type { Knex } from 'knex';

/**
 * Links, and the history of each robot. Columns that change with every heartbeat have free space on their pages and no
 * index. So Postgres rewrites a row in place (HOT) instead of updating all its indexes.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- A running server. Its links count while its lease holds, so a server that died takes them along.
    create table replicas (
      id uuid primary key,
      url text,
      started_at timestamptz(3) not null default now(),
      lease_until timestamptz(3) not null
    );

    create table robot_links (
      org_id uuid not null,
      robot_id uuid not null,
      epoch bigint not null,
      replica_id uuid, -- null: no link
      connected_at timestamptz(3) not null,
      last_seen_at timestamptz(3) not null,
      disconnected_at timestamptz(3),
      agent_version text not null,
      boot_id text not null,
      instance text not null, -- of the agent program: one that replaces its own dead link takes nothing over
      address text,
      -- Links that took the place of a live one: when the newest did; and how many of another instance did since.
      taken_over_at timestamptz(3),
      takeovers integer not null default 0,
      takeovers_since timestamptz(3),
      duplicate_at timestamptz(3),
      primary key (org_id, robot_id),
      foreign key (org_id, robot_id) references robots (org_id, id) on delete cascade
    ) with (fillfactor = 50);
    create index robot_links_by_replica on robot_links (replica_id) where replica_id is not null;

    create table robot_health (
      org_id uuid not null,
      robot_id uuid not null,
      received_at timestamptz(3) not null,
      snapshot text not null,
      primary key (org_id, robot_id),
      foreign key (org_id, robot_id) references robots (org_id, id) on delete cascade
    ) with (fillfactor = 50);

    create view robots_now as
      select robots.*, coalesce(r.lease_until > now(), false) as online, l.last_seen_at,
             case when l.duplicate_at > now() - interval '1 day' then l.duplicate_at end as duplicate_agent_at
        from robots left join robot_links l on l.org_id = robots.org_id and l.robot_id = robots.id
                    left join replicas r on r.id = l.replica_id;

    -- History: no foreign keys, rows outlive what they speak of. Numbered after the commit, as the audit log is.
    create table timeline (
      org_id uuid not null,
      robot_id uuid not null,
      id uuid not null,
      seq bigint,
      at timestamptz(3) not null default now(),
      kind text not null,
      details jsonb,
      primary key (org_id, robot_id, id),
      unique (org_id, robot_id, seq)
    );
    create index timeline_unsealed on timeline (org_id, robot_id, at, id) where seq is null;
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
