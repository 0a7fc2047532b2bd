import type { Knex } from 'knex';

/**
 * Gradual deployments: robots of a wave that has begun are admitted step by step, as pace and disruption budgets allow. A
 * target that is not admitted has the deadline `infinity` and no row in `open_targets`, like one whose wave has not
 * begun, so no replica dispatches it, also none of the previous release.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table deployments
      add column is_urgent boolean not null default false, -- it ignores its pace
      add column is_gradual boolean not null default false, -- its robots are admitted step by step
      add column pace_tokens double precision, -- robots that may be sent it at once, as of paced_at
      add column paced_at timestamptz(3),
      add column admit_at timestamptz(3), -- not before: a large org is looked at less often
      add column held_by text, -- what keeps online robots from being admitted: pace, budget or window
      add column held_since timestamptz(3),
      add column held_detail text;

    create table disruption_budgets (
      org_id uuid not null references orgs,
      id uuid not null,
      name text not null,
      selector text, -- null: all robots of the org
      group_by jsonb not null,
      max_unavailable jsonb, -- {count} or {percent}
      min_available jsonb,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (org_id, id),
      check (num_nonnulls(max_unavailable, min_available) = 1)
    );
    create unique index disruption_budgets_by_name on disruption_budgets (org_id, name_key(name));
    create index disruption_budgets_in_order on disruption_budgets (org_id, created_at, id);
    -- Look-ups by the last digits of an ID, as of all other lists: see 0022.
    create index disruption_budgets_by_id_end on disruption_budgets (org_id, (reverse(id::text) collate "C"));
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
