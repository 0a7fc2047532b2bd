import type { Knex } from 'knex';

/**
 * The first schema. Every key begins with org_id and every foreign key contains it. So not even a bug can store a link
 * from one org to another. Times have milliseconds, as on the wire: a cursor made from a time that a client saw finds
 * its row again.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table orgs (
      id uuid primary key,
      name text not null,
      status text not null check (status in ('pending', 'approved', 'suspended')),
      created_at timestamptz(3) not null default now(),
      approved_at timestamptz(3),
      suspended_at timestamptz(3)
    );
    create index orgs_in_order on orgs (created_at, id);

    create table users (
      org_id uuid not null references orgs,
      id uuid not null,
      email text not null,
      name text,
      role text not null check (role in ('viewer', 'operator', 'admin')),
      created_at timestamptz(3) not null default now(),
      primary key (org_id, id),
      unique (org_id, email)
    );
    create index users_in_order on users (org_id, created_at, id);

    create table sites (
      org_id uuid not null references orgs,
      id uuid not null,
      name text not null,
      created_at timestamptz(3) not null default now(),
      primary key (org_id, id)
    );
    create index sites_in_order on sites (org_id, created_at, id);
    create index sites_by_name on sites (org_id, name);

    create table fleets (
      org_id uuid not null,
      id uuid not null,
      site_id uuid not null,
      name text not null,
      created_at timestamptz(3) not null default now(),
      primary key (org_id, id),
      -- Keys and robots refer to all three, so a fleet and a site that do not belong together cannot be stored.
      unique (org_id, id, site_id),
      foreign key (org_id, site_id) references sites (org_id, id)
    );
    create index fleets_in_order on fleets (org_id, created_at, id);
    create index fleets_by_site on fleets (org_id, site_id, created_at, id);
    create index fleets_by_name on fleets (org_id, name);

    create table enrollment_keys (
      org_id uuid not null,
      id uuid not null,
      site_id uuid not null,
      fleet_id uuid not null,
      label text,
      digest bytea not null unique,
      last_four text not null,
      max_uses integer check (max_uses > 0),
      uses integer not null default 0 check (max_uses is null or uses <= max_uses),
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3),
      revoked_at timestamptz(3),
      last_used_at timestamptz(3),
      -- When a refused use was last written to the audit log: at most one entry a minute and key, however often it is tried.
      refused_at timestamptz(3),
      primary key (org_id, id),
      foreign key (org_id, fleet_id, site_id) references fleets (org_id, id, site_id)
    );
    create index enrollment_keys_in_order on enrollment_keys (org_id, created_at, id);
    create index enrollment_keys_by_fleet on enrollment_keys (org_id, fleet_id, created_at, id);

    create table robots (
      org_id uuid not null,
      id uuid not null,
      name text not null,
      site_id uuid not null,
      fleet_id uuid not null,
      labels jsonb not null default '{}',
      -- Which try of which key made this robot; a retry with the same nonce finds it again.
      enrollment_key_id uuid not null,
      enrollment_nonce text,
      created_at timestamptz(3) not null default now(),
      primary key (org_id, id),
      unique (org_id, enrollment_key_id, enrollment_nonce),
      foreign key (org_id, fleet_id, site_id) references fleets (org_id, id, site_id)
    );
    create index robots_in_order on robots (org_id, created_at, id);
    create index robots_by_fleet on robots (org_id, fleet_id, created_at, id);
    create index robots_by_site on robots (org_id, site_id, created_at, id);
    create index robots_by_name on robots (org_id, name);

    create table tokens (
      org_id uuid not null references orgs,
      id uuid not null,
      kind text not null check (kind in ('org', 'user', 'robot')),
      digest bytea not null unique,
      last_four text not null,
      user_id uuid,
      robot_id uuid,
      label text,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3),
      revoked_at timestamptz(3),
      primary key (org_id, id),
      check ((kind = 'user') = (user_id is not null) and (kind = 'robot') = (robot_id is not null)),
      foreign key (org_id, user_id) references users (org_id, id) on delete cascade,
      foreign key (org_id, robot_id) references robots (org_id, id) on delete cascade
    );
    create index tokens_in_order on tokens (org_id, created_at, id);
    create index tokens_by_user on tokens (org_id, user_id) where user_id is not null;
    create index tokens_by_robot on tokens (org_id, robot_id) where robot_id is not null;

    -- History: no foreign keys, rows outlive what they speak of.
    create table audit (
      org_id uuid not null,
      id uuid not null,
      seq bigint,
      at timestamptz(3) not null default now(),
      actor_kind text not null,
      actor_id text,
      token_id uuid,
      request_id text,
      operation text not null,
      object_kind text not null,
      object_id text not null,
      before jsonb,
      after jsonb,
      primary key (org_id, id),
      unique (org_id, seq)
    );
    create index audit_unsealed on audit (org_id, at, id) where seq is null;
    create index audit_by_object on audit (org_id, object_id, seq);
    create index audit_by_actor on audit (org_id, actor_id, seq);
    create index audit_by_operation on audit (org_id, operation, seq);

    create table idempotency_keys (
      org_id uuid not null,
      operation text not null,
      key text not null,
      fingerprint bytea not null,
      status integer,
      body text,
      created_at timestamptz(3) not null default now(),
      primary key (org_id, operation, key)
    );
    create index idempotency_keys_by_age on idempotency_keys (created_at);
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
