import type { Knex } from 'knex';

/** A row of an hour has counts of each ten minutes, and one of a day those of the day in slot 0. Null: none. */
const counts = [0, 1, 2, 3, 4, 5]
  .flatMap((slot) => ['lines', 'bytes', 'debug', 'warn', 'error', 'fatal'].map((name) => `${name}_${slot} bigint`))
  .join(', ');

/**
 * Counts of log records. Each is in two rows, that of its hour and that of its day, so that long ranges are read from
 * few rows. Partitions are days, created and dropped with those of the logs (`logs/upkeep.ts`). No foreign keys: the
 * counts of removed robots and fleets stay.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table log_stats (
      org_id uuid not null,
      robot_id uuid not null,
      fleet_id uuid not null, -- of the robot when it sent the records
      at timestamptz(3) not null, -- start of the hour or day
      span_minutes smallint not null, -- 60 or 1440
      source text not null, -- empty: those beyond the number of sources that are counted by name on a day
      ${counts},
      primary key (org_id, span_minutes, fleet_id, at, robot_id, source)
    ) partition by range (at);
    create index log_stats_by_robot on log_stats (org_id, robot_id, span_minutes, at);

    -- The same, summed over the robots of a fleet.
    create table log_stats_by_fleet (
      org_id uuid not null,
      fleet_id uuid not null,
      at timestamptz(3) not null,
      span_minutes smallint not null,
      source text not null,
      ${counts},
      primary key (org_id, span_minutes, fleet_id, at, source)
    ) partition by range (at);

    -- Records received before counted_to are counted.
    create table log_stats_progress (
      org_id uuid primary key,
      counted_to timestamptz(3) not null
    );
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
