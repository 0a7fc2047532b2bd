import type { Knex } from 'knex';

/** Rollouts with a name. A deployment keeps a copy of the one that it was created with, so nothing refers to these rows. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table rollout_policies (
      org_id uuid not null references orgs,
      id uuid not null,
      name text not null,
      rollout jsonb not null, -- with all defaults, in wire format
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (org_id, id)
    );
    create unique index rollout_policies_by_name on rollout_policies (org_id, name_key(name));
    create index rollout_policies_in_order on rollout_policies (org_id, created_at, id);
    -- Look-ups by the last digits of an ID, as of all other lists: see 0022.
    create index rollout_policies_by_id_end on rollout_policies (org_id, (reverse(id::text) collate "C"));
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
