import type { Knex } from 'knex';

/**
 * The index of log records in an object store. See docs/reference/log-objects.md and `logs/objects/`. No foreign keys to
 * robots and fleets: the records of removed ones stay.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table replicas add reads_log_objects boolean not null default false;

    create table log_objects (
      id uuid primary key,
      org_id uuid not null,
      day timestamptz(3) not null, -- the start of the day of its records, in UTC
      -- writing: may be in the store; written: is in the store, and its records in log_chunks too; stored: instead of log_chunks;
      -- removing: may still be in the store
      state text not null check (state in ('writing', 'written', 'stored', 'removing')),
      bytes bigint not null default 0,
      records bigint not null default 0,
      -- The last row of log_chunks in it; the next object of the day begins after it.
      last_fleet_id uuid,
      last_received_at timestamptz(3),
      last_robot_id uuid,
      last_seq bigint,
      changed_at timestamptz(3) not null default now()
    );
    create index log_objects_by_day on log_objects (org_id, day) where state = 'stored';
    create index log_objects_open on log_objects (day) where state <> 'stored';

    -- Chunks of one fleet that are together in an object and in time. Blocks of the same fleet and time have other robots.
    create table log_object_blocks (
      object_id uuid not null,
      place bigint not null, -- of its first byte in the object
      org_id uuid not null,
      fleet_id uuid not null, -- of the robots when they sent the records
      starts_at timestamptz(3) not null, -- received_at of all records is at or after this,
      ends_at timestamptz(3) not null, -- and before this
      max_level smallint not null,
      chunks integer not null,
      robot_ids uuid[] not null, -- in the order of their chunks
      entries bytea not null, -- where each chunk is, see logs/objects/entries.ts
      primary key (object_id, place)
    );
    alter table log_object_blocks alter column entries set storage external;
    create index log_object_blocks_by_end on log_object_blocks (org_id, ends_at);
    create index log_object_blocks_by_start on log_object_blocks (org_id, starts_at);
    create index log_object_blocks_by_robot on log_object_blocks using gin (robot_ids);

    -- The replica that moves days into the object store.
    create table log_mover (
      id smallint primary key default 1 check (id = 1),
      replica_id uuid not null,
      lease_until timestamptz(3) not null
    );
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
