import type { Knex } from 'knex';

/**
 * The latest backups, for `GET /api/admin/status` and the metric of their age: a backup keeps the newest 20 rows. And the
 * version of each replica.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table backups (
      id uuid primary key,
      taken_at timestamptz(3) not null, -- of the snapshot
      finished_at timestamptz(3) not null default now(),
      bytes bigint not null, -- of all files
      taken_by text not null -- account and host
    );
    alter table replicas add version text; -- null: a replica of an earlier release
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
