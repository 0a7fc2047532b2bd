import type { Knex } from 'knex';

/** Limits of timelines: their age, and the number of recent link entries of a robot. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create index timeline_by_age on timeline (at);
    -- Entries of links on the robot's timeline since told_since, for an hour; what came beyond the limit is only counted.
    alter table robot_links
      add column told_since timestamptz(3),
      add column told integer not null default 0,
      add column left_out integer not null default 0;
    create index robot_links_left_out on robot_links (told_since) where left_out > 0;
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
