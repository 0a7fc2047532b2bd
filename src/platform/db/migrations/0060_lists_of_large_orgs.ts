import type { Knex } from 'knex';

/**
 * Filters of lists that read whole tables in an org with a million robots: tokens of people among those of robots, keys of
 * a site, deployments by status, cause and config, and robots that have a label with any value. Until it commits, these four
 * tables cannot be written: about 5 s with a million robots and 100,000 deployments, 4.4 s of it for the keys of labels.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create index tokens_not_of_robots on tokens (org_id, kind, created_at, id) where kind <> 'robot';
    create index enrollment_keys_by_site on enrollment_keys (org_id, site_id, created_at, id);
    create index deployments_by_status on deployments (org_id, status, created_at, id);
    create index deployments_by_config on deployments (org_id, config_id, created_at, id) where config_id is not null;
    create index deployments_by_cause on deployments (org_id, cause_kind, created_at, id) where cause_kind is not null;

    create function label_keys(labels jsonb) returns text[] language sql immutable strict parallel safe as
      'select array(select jsonb_object_keys(labels))';
    create index robots_by_label_key on robots using gin (label_keys(labels));
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
