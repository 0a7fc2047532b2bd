import type { Knex } from 'knex';

/**
 * Gates and windows of robots. A replica of the previous release neither stores what a robot waits for nor sends the
 * terms of an order. So a wait counts only while `gate_at` is the time of the newest progress, which such a replica
 * renews alone. And it dispatches no deployment with terms: the order is not inserted, as if another replica had been
 * first.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table targets
      add column gate jsonb, -- {holder, reason}, as the robot reported it
      add column gate_at timestamptz(3), -- of that report
      add column gate_since timestamptz(3), -- of the first one
      add column gate_due_at timestamptz(3); -- when it has waited for too long; null once that is an event
    -- Most targets never wait, and their updates stay HOT.
    create index targets_gates on targets (gate_due_at) where gate_due_at is not null;

    alter table deployments
      add column order_terms jsonb, -- what its orders carry: ignore_gates, window
      add column required_capabilities text[] not null default '{}'; -- gates, windows; robots without them wait
    alter table orders add column terms jsonb; -- the same
    alter table robot_links
      add column asks_gates boolean not null default false,
      add column keeps_windows boolean not null default false,
      add column timezone text; -- IANA

    create function terms_of_cause() returns trigger language plpgsql as $$
    begin
      select order_terms, required_capabilities into new.order_terms, new.required_capabilities from deployments where org_id = new.org_id and id = new.cause_id;
      return new;
    end $$;
    create trigger terms_of_cause before insert on deployments
      for each row when (new.cause_id is not null) execute function terms_of_cause();

    create function refuse_order_without_terms() returns trigger language plpgsql as $$
    begin
      if exists (select from deployments d where d.org_id = new.org_id and d.id = any(new.deployment_ids) and d.order_terms is not null) then
        return null;
      end if;
      return new;
    end $$;
    create trigger refuse_order_without_terms before insert on orders
      for each row when (new.terms is null) execute function refuse_order_without_terms();
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
