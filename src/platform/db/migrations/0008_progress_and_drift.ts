import type { Knex } from 'knex';

/** The progress of robots, and how often recently a robot was reported to run something other than it had proved. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table targets
      add column progress_percent smallint, -- of what the status says; null where nothing was told since it began
      add column progress_text text,
      add column progress_at timestamptz(3);
    alter table robot_reports
      add column drifts_since timestamptz(3), -- when the hour began in which they are counted
      add column drifts integer not null default 0; -- entries of the timeline in that hour
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
