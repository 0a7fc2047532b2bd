import type { Knex } from 'knex';

/**
 * How far the retention is among payloads and config revisions that nothing names any longer, and what it needs to find them,
 * see deployments/api/remove-unused.ts. A replica of the previous release only does its own part, from the beginning.
 *
 * Whoever inserts a payload that is there already relies on it: its row is locked, so it is not deleted before what names it is
 * committed. A trigger, as replicas of the previous release insert them too.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table deployment_retention
      add column walk text, -- the table that is looked through; null: deployments
      add column walk_org uuid, -- the last row that is done of it; null: none
      add column walk_key text;

    create index orders_of_config_payloads on orders (org_id, payload_digest) where lane = 'config';
    create index deployments_by_payload on deployments (org_id, payload_digest);
    create index deployments_by_revision on deployments (org_id, config_id, revision) where config_id is not null;
    create index deployment_plans_by_revision on deployment_plans (org_id, config_id, revision) where config_id is not null;

    create function payload_relied_on() returns trigger language plpgsql as $$
    begin
      perform from payloads where org_id = new.org_id and digest = new.digest for key share;
      return new;
    end $$;
    create trigger payloads_relied_on before insert on payloads for each row execute function payload_relied_on();
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
