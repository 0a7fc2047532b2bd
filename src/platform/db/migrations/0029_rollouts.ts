import type { Knex } from 'knex';

/**
 * Rollouts: deployments that reach their robots wave by wave. A target whose wave has not begun has the deadline
 * `infinity` and no row in `open_targets`, so no replica dispatches it, also none of the previous release. The check
 * lets no replica of the previous release begin a rollout: it would send it to all robots at once.
 *
 * Counts per wave and failures are kept for rollouts only.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table deployments
      add column rollout jsonb, -- as on the wire, with all defaults; null: all robots at once
      add column rollout_policy_id uuid,
      add column rollout_policy_name text,
      add column open_wave smallint, -- the latest wave that has begun
      add column last_wave smallint,
      add column decide_at timestamptz(3), -- when to decide what follows in the rollout; null: not before something happens
      add column accepted_at timestamptz(3), -- failures until then no longer count: a person resumed
      add column pause_code text, -- why it is paused; null: from the previous release
      add constraint deployments_waves check (rollout is null or started_at is null or open_wave is not null);
    create index deployments_to_decide on deployments (decide_at) where decide_at is not null;

    -- For rollouts only, as the deployment's own counts: under the lock of its row.
    alter table waves
      add column waiting integer not null default 0,
      add column dispatched integer not null default 0,
      add column downloading integer not null default 0,
      add column installing integer not null default 0,
      add column verifying integer not null default 0,
      add column cancelling integer not null default 0,
      add column rolling_back integer not null default 0,
      add column applied integer not null default 0,
      add column failed integer not null default 0,
      add column rolled_back integer not null default 0,
      add column cancelled integer not null default 0,
      add column soak_started_at timestamptz(3), -- null while it does not pass
      add column disturbed_since timestamptz(3), -- enough applied it, but too many of them are unhealthy or drift
      add column ended_at timestamptz(3), -- when the next one could begin
      set (fillfactor = 50);

    -- Targets of rollouts that ended without applying it.
    create table rollout_failures (
      org_id uuid not null,
      deployment_id uuid not null,
      robot_id uuid not null,
      wave smallint not null,
      at timestamptz(3) not null default clock_timestamp(),
      cause text not null, -- a reason of abort rules, or unreached
      primary key (org_id, deployment_id, robot_id)
    );

    create index robot_reports_drifts on robot_reports (org_id, drifts_since) where drifts_since is not null;

    create or replace function targets_noted() returns trigger language plpgsql set enable_hashjoin = off set enable_mergejoin = off as $$
    begin
      if tg_op = 'INSERT' then
        insert into open_targets select org_id, robot_id, deployment_id from changed where deadline_at < 'infinity' on conflict do nothing;
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
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
