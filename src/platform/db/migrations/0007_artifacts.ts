import type { Knex } from 'knex';

/** The complete and verified artifacts. Their bytes are in the folder of the service, or in an object store. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table artifacts (
      org_id uuid not null references orgs,
      sha256 text not null,
      size bigint not null,
      created_at timestamptz(3) not null default now(),
      primary key (org_id, sha256)
    );
    create index releases_by_artifact on releases (org_id, artifact_sha256);
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
