import type { Knex } from 'knex';

/**
 * Artifacts whose file may be stored without a row in `artifacts`: until an upload is recorded, or what a crash left of it is
 * removed. Without a foreign key, as the file may outlive its org.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table artifact_uploads (
      org_id uuid not null,
      sha256 text not null,
      stored_at timestamptz(3) not null,
      primary key (org_id, sha256)
    );
    create index artifact_uploads_by_age on artifact_uploads (stored_at);
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
