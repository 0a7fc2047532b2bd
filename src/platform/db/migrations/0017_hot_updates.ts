import type { Knex } from 'knex';

/**
 * Makes updates of targets HOT, and ends updates of the timeline. A HOT update writes the new row to the page of the
 * old one and changes no index. It needs room on that page, and no changed column may be in an index or its condition.
 * So lookups by such columns moved:
 *
 *   open targets of a robot   → `open_targets`: a row is inserted with the target and deleted when the target ends
 *   targets that are due      → `deployment_counts.next_deadline_at`: at or before the earliest deadline of the deployment's targets
 *   targets of an order       → `orders.deployment_ids`: fixed when the order is created; null from the previous release
 *   open targets by status    → `open_targets`, by deployment; others by the primary key: the targets of the deployment are read
 *   entries without a number  → `timeline_unnumbered`: they move to `timeline` when they get their number
 *
 * Replicas of the previous release keep working. Triggers on `targets` maintain the first two for any writer. Another
 * trigger moves entries without a number to `timeline_unnumbered`, where a replica of this release numbers them. The
 * index of entries without a number stays, as the old replicas query it constantly; it is empty and costs nothing. The
 * fill factor applies to new pages.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Nobody writes between the copies below and the triggers that continue them. In the order in which transactions take them.
    lock table deployments, deployment_counts, orders, targets, timeline in access exclusive mode;

    create table open_targets (
      org_id uuid not null,
      robot_id uuid not null,
      deployment_id uuid not null,
      primary key (org_id, robot_id, deployment_id)
    );
    insert into open_targets select org_id, robot_id, deployment_id from targets where deadline_at is not null;
    create index open_targets_by_deployment on open_targets (org_id, deployment_id, robot_id);

    alter table deployment_counts add column next_deadline_at timestamptz(3); -- null where no target is open
    update deployment_counts c set next_deadline_at = t.next
      from (select org_id, deployment_id, min(deadline_at) as next from targets where deadline_at is not null group by 1, 2) t
     where c.org_id = t.org_id and c.deployment_id = t.deployment_id;
    create index deployment_counts_due on deployment_counts (next_deadline_at) where next_deadline_at is not null;

    alter table orders add column deployment_ids uuid[];
    update orders o
       set deployment_ids = array(select t.deployment_id from targets t where t.org_id = o.org_id and t.order_id = o.id)
     where ended_at is null;

    -- Rows are looked up by their keys: the plan is kept, and that of a large statement would read whole tables for a small one.
    create function targets_noted() returns trigger language plpgsql set enable_hashjoin = off set enable_mergejoin = off as $$
    begin
      if tg_op = 'INSERT' then
        insert into open_targets select org_id, robot_id, deployment_id from changed where deadline_at is not null on conflict do nothing;
      else
        delete from open_targets o using changed
         where changed.deadline_at is null
           and o.org_id = changed.org_id and o.robot_id = changed.robot_id and o.deployment_id = changed.deployment_id;
      end if;
      update deployment_counts c set next_deadline_at = t.next
        from (select org_id, deployment_id, min(deadline_at) as next from changed where deadline_at is not null group by 1, 2) t
       where c.org_id = t.org_id and c.deployment_id = t.deployment_id and (t.next < c.next_deadline_at or c.next_deadline_at is null);
      return null;
    end $$;
    create trigger targets_inserted after insert on targets referencing new table as changed
      for each statement execute function targets_noted();
    create trigger targets_updated after update on targets referencing new table as changed
      for each statement execute function targets_noted();

    drop index targets_waiting, targets_by_deadline, targets_by_order, targets_by_status;
    alter table targets set (fillfactor = 50);

    create table timeline_unnumbered (
      org_id uuid not null,
      robot_id uuid not null,
      id uuid not null,
      at timestamptz(3) not null default now(),
      kind text not null,
      details jsonb,
      primary key (org_id, robot_id, id)
    );
    with unnumbered as (delete from timeline where seq is null returning org_id, robot_id, id, at, kind, details)
    insert into timeline_unnumbered select * from unnumbered;
    create function timeline_move_unnumbered() returns trigger language plpgsql as $$
    begin
      insert into timeline_unnumbered values (new.org_id, new.robot_id, new.id, new.at, new.kind, new.details);
      return null;
    end $$;
    create trigger timeline_unnumbered before insert on timeline
      for each row when (new.seq is null) execute function timeline_move_unnumbered();
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
