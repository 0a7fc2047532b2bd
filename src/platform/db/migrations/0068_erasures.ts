import type { Knex } from 'knex';

/** Requests to erase all data of a robot or an org, and what was erased. They stay, as proof. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table erasures (
      id uuid primary key,
      org_id uuid not null, -- the org itself may be erased
      robot_id uuid, -- null: the whole org
      created_at timestamptz(3) not null default now(),
      settles_at timestamptz(3) not null, -- from then on no replica writes anything that it received before
      claimed_until timestamptz(3), -- a replica works on it
      waits_for text[] not null default '{}', -- why it is not finished
      removed jsonb not null default '{}', -- the number of rows and objects, by table
      finished_at timestamptz(3)
    );
    create unique index erasures_open on erasures (org_id, robot_id) nulls not distinct where finished_at is null;

    -- As before, but the log of an org goes with the org.
    create or replace function audit_refuse() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        if exists (select from erasures e where e.org_id = old.org_id and e.robot_id is null and e.finished_at is null) then
          return old;
        end if;
      end if;
      raise exception 'audit: an entry is neither changed nor removed' using errcode = 'restrict_violation';
    end $$;
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
