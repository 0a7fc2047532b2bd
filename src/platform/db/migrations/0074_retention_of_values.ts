import type { Knex } from 'knex';

/**
 * How far the retention is among payloads and config revisions that nothing names any longer, and what it needs to find them,
 * see deployments/api/remove-unused.ts. A replica of the previous release only does its own part, from the beginning.
 *
 * A transaction that inserts a payload that is there already relies on it until what names it is committed. The retention skips
 * payloads of the last hour, which is longer than any transaction. Of an older one, a trigger locks the row. It cannot lock one
 * that another transaction has not committed: that one is new. Replicas of the previous release insert in the same way.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table deployment_retention
      add column walk text, -- the table that is looked through; null: deployments
      add column walk_org uuid, -- the last row that is done of it; null: none
      add column walk_key text;

    -- Known rows get the time of the migration, which Postgres stores once.
    alter table payloads add column created_at timestamptz(3) not null default now();

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
