import type { Knex } from 'knex';

/** What is counted, of each entry. Null: none. */
const figures = ['lines', 'bytes', 'debug', 'warn', 'error', 'fatal'];

/**
 * Counts of log records that are not yet in the rows of their hour and day. One row has the counts of a merged window, as
 * arrays with an item for each entry; a second row has their sums by fleet.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table log_stats_pending (
      org_id uuid not null,
      part smallint not null, -- 0: all robots; else those of one part, which are added to their hours and days together
      added_at timestamptz(3) not null default now(),
      entries integer not null,
      first_slot_at timestamptz(3) not null, -- of the entries
      last_slot_at timestamptz(3) not null,
      robot_ids uuid[], -- null: the sums by fleet
      fleet_ids uuid[] not null,
      sources text[] not null,
      slots timestamptz(3)[] not null,
      ${figures.map((figure) => `${figure} bigint[] not null`).join(', ')}
    );
    create index log_stats_pending_of_part on log_stats_pending (org_id, part);

    create view log_stats_pending_entries as
      select p.org_id, p.part, p.robot_ids is null as is_by_fleet, p.first_slot_at, p.last_slot_at,
             e.robot_id, e.fleet_id, e.source, e.slot_at, ${figures.map((figure) => `e.${figure}`).join(', ')}
        from log_stats_pending p
       cross join lateral unnest(p.robot_ids, p.fleet_ids, p.sources, p.slots, ${figures.map((figure) => `p.${figure}`).join(', ')})
          as e (robot_id, fleet_id, source, slot_at, ${figures.join(', ')});
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
