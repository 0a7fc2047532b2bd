import type { Knex } from 'knex';

/**
 * Pins of robots, and rollouts that wait for the end of maintenance. A replica of the previous release knows neither, so
 * a trigger leaves out its orders for held robots, as if another replica had been first. A deployment that such a replica
 * creates does not wait for maintenance.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table robot_pins (
      org_id uuid not null,
      robot_id uuid not null,
      release_id uuid not null,
      until timestamptz(3) not null,
      reason text not null,
      pinned_by text not null, -- for people
      created_at timestamptz(3) not null default clock_timestamp(),
      primary key (org_id, robot_id),
      foreign key (org_id, robot_id) references robots (org_id, id) on delete cascade
    );
    create index robot_pins_until on robot_pins (until);

    -- Robots that a pin or maintenance held until a moment ago: they get their orders, and time for them. One may have
    -- several rows: as nothing in it is unique, transactions that free the same robots never wait for one another.
    create table freed_robots (
      id bigint primary key generated always as identity,
      org_id uuid not null,
      robot_id uuid not null,
      freed_at timestamptz(3) not null default clock_timestamp(),
      is_announced boolean not null default false
    );
    create index freed_robots_by_robot on freed_robots (org_id, robot_id);
    create index freed_robots_by_time on freed_robots (freed_at);
    create index freed_robots_new on freed_robots (freed_at) where not is_announced;

    create function note_freed_robot() returns trigger language plpgsql as $$
    begin
      insert into freed_robots (org_id, robot_id) values (old.org_id, old.robot_id);
      return null;
    end $$;
    create trigger note_freed_robot after update of maintenance on robot_status
      for each row when (old.maintenance is not null and new.maintenance is null) execute function note_freed_robot();
    create trigger note_freed_robot after delete or update of release_id on robot_pins
      for each row execute function note_freed_robot();
    create index robot_status_maintenance on robot_status (org_id, robot_id) where maintenance is not null;

    -- What holds a machine holds its new robot when it enrolls again. By its name, the trigger runs after
    -- robots_status_added. The maintenance of its fleet or site may be that of another one: it is reviewed at once.
    create function robots_take_over() returns trigger language plpgsql as $$
    begin
      update robot_pins p set robot_id = a.id from added a where p.org_id = a.org_id and p.robot_id = a.replaces;
      update maintenance_windows w set robot_id = a.id, target_id = a.id from added a
       where w.org_id = a.org_id and w.robot_id = a.replaces and w.ended_at is null;
      update robot_status s set maintenance = held.maintenance from added a join robot_status held on held.org_id = a.org_id and held.robot_id = a.replaces
       where s.org_id = a.org_id and s.robot_id = a.id and held.maintenance is not null;
      insert into condition_reviews (org_id, robot_id)
        select a.org_id, r.robot_id from added a join robot_status held on held.org_id = a.org_id and held.robot_id = a.replaces
         cross join lateral (values (a.id), (a.replaces)) r (robot_id) where held.maintenance is not null;
      return null;
    end $$;
    create trigger robots_take_over after insert on robots referencing new table as added
      for each statement execute function robots_take_over();

    alter table deployments add column waits_for_maintenance boolean not null default false; -- its robots do
    alter table deployment_plans add column waits_for_maintenance boolean not null default false;

    create function refuse_order_for_held_robot() returns trigger language plpgsql as $$
    begin
      if exists (
        select from deployments d where d.org_id = new.org_id and d.id = any(new.deployment_ids)
           and (d.release_id is not null and exists (
                  select from robot_pins p where p.org_id = new.org_id and p.robot_id = new.robot_id
                     and p.release_id <> d.release_id and p.until > clock_timestamp())
                or d.waits_for_maintenance and exists (
                  select from robot_status m where m.org_id = new.org_id and m.robot_id = new.robot_id and m.maintenance is not null)))
      then
        return null;
      end if;
      return new;
    end $$;
    create trigger refuse_order_for_held_robot before insert on orders for each row execute function refuse_order_for_held_robot();

    create or replace view robots_now as
      select robots.*, coalesce(r.lease_until > now(), false) as online, l.last_seen_at,
             case when l.duplicate_at > now() - interval '1 day' then l.duplicate_at end as duplicate_agent_at,
             jsonb_build_object('releases', coalesce(p.releases, '{}'), 'configs', coalesce(p.configs, '{}')) as reported,
             l.cameras, l.has_topics as topics,
             case s.severity when 2 then 'unhealthy' when 1 then 'degraded'
               else case when r.lease_until > now() and s.is_known then 'healthy' else 'unknown' end end as health_status,
             s.since as health_since, coalesce(s.conditions, '[]') as conditions, s.maintenance,
             case when n.robot_id is not null then jsonb_build_object(
               'release_id', n.release_id, 'tag', (select tag from releases where org_id = n.org_id and id = n.release_id),
               'until', to_char(n.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'reason', n.reason, 'pinned_by', n.pinned_by,
               'pinned_at', to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as pin
        from robots left join robot_links l on l.org_id = robots.org_id and l.robot_id = robots.id
                    left join replicas r on r.id = l.replica_id
                    left join robot_reports p on p.org_id = robots.org_id and p.robot_id = robots.id
                    left join robot_status s on s.org_id = robots.org_id and s.robot_id = robots.id
                    left join robot_pins n on n.org_id = robots.org_id and n.robot_id = robots.id and n.until > now();
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
