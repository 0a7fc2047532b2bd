import type { Knex } from 'knex';

/** The numbers of robots by health of the last 24 hours: `src/conditions/history-store.ts` writes and reads them. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- 288 rows per org: an interval of five minutes replaces the one of the day before, so nothing has to be deleted.
    create table health_history (
      org_id uuid not null,
      slot smallint not null check (slot between 0 and 287),
      at timestamptz(3) not null,
      total integer not null,
      online integer not null,
      healthy integer not null,
      degraded integer not null,
      unhealthy integer not null,
      primary key (org_id, slot)
    ) with (fillfactor = 80);

    -- One row, made on first use: the interval that was counted last. Its lock selects the replica that counts.
    create table health_history_progress (at timestamptz(3) not null) with (fillfactor = 50);
    create unique index health_history_progress_one on health_history_progress ((true));
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
