import type { Knex } from 'knex';

/**
 * Log records, many to a row. Partitions are days, created while the service runs (`logs/partitions.ts`) and dropped
 * whole when they are old. The history has no foreign keys; the counters of a robot's numbers are deleted with the
 * robot.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- How far each spool of a robot is stored. Moved in the statement that stores, so that nothing is stored twice.
    create table log_heads (
      org_id uuid not null,
      robot_id uuid not null,
      spool text not null,
      stored_seq bigint not null,
      moved_at timestamptz(3) not null default now(),
      primary key (org_id, robot_id, spool),
      foreign key (org_id, robot_id) references robots (org_id, id) on delete cascade
    ) with (fillfactor = 50);

    -- The last number that a record of the robot was given, and when. Its lock gives numbers in the order of commits.
    create table log_counters (
      org_id uuid not null,
      robot_id uuid not null,
      seq bigint not null,
      received_at timestamptz(3) not null,
      merged_until timestamptz(3) not null default now(), -- chunks received before are merged
      primary key (org_id, robot_id),
      foreign key (org_id, robot_id) references robots (org_id, id) on delete cascade
    ) with (fillfactor = 50);

    create table log_chunks (
      org_id uuid not null,
      robot_id uuid not null,
      fleet_id uuid not null, -- of the robot when it sent them
      first_at timestamptz(3) not null, -- received_at of the first record
      received_at timestamptz(3) not null, -- of the last one
      first_seq bigint not null, -- numbers within a chunk have no gaps
      last_seq bigint not null,
      records integer not null,
      bytes integer not null, -- of the body as text
      max_level smallint not null,
      body bytea not null, -- see logs/body.ts
      primary key (org_id, robot_id, received_at, first_seq)
    ) partition by range (received_at);
    -- Bodies are deflated already.
    alter table log_chunks alter column body set storage external;
    create index log_chunks_by_fleet on log_chunks (org_id, fleet_id, received_at, robot_id, first_seq);
    -- Warnings and above. The level within the index finds a rare error without reading the rows of all warnings.
    create index log_chunks_loud_by_robot on log_chunks (org_id, robot_id, received_at, first_seq, max_level) where max_level >= 3;
    create index log_chunks_loud_by_fleet on log_chunks (org_id, fleet_id, received_at, robot_id, first_seq, max_level) where max_level >= 3;
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
