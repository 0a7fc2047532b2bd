import type { Knex } from 'knex';

/**
 * The hints of the last minute. The transaction that wrote a row says which readers may have missed it: see
 * `platform/bus/hint-log.ts`. They are ids, gone in a minute: vacuumed early, so that reading them stays cheap.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table hints (
      xid xid8 not null default pg_current_xact_id(),
      hint text not null -- JSON
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
    create index hints_by_xid on hints (xid);

    alter table replicas add records_hints boolean not null default false;
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
