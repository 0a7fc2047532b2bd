import type { Knex } from 'knex';

/**
 * Rules for the health of robots, maintenance windows, and the resulting status of each robot.
 *
 * `robot_status` has one row per robot, which a trigger creates: replicas of the previous release enroll robots too.
 * An evaluation writes the whole row, and only if its `version` is the one that it read. So a replica that holds an old
 * state changes nothing.
 *
 * Replicas of the previous release move and label robots without a notice, so a trigger requests the review.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table condition_rules (
      org_id uuid not null references orgs,
      id uuid not null,
      name text not null,
      scope_kind text not null check (scope_kind in ('org', 'site', 'fleet', 'label')),
      site_id uuid,
      fleet_id uuid,
      selector text,
      expression text not null,
      for_seconds integer not null default 0 check (for_seconds >= 0),
      clear text,
      severity text not null check (severity in ('degraded', 'unhealthy')),
      enabled boolean not null default true,
      builtin boolean not null default false,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (org_id, id),
      check ((scope_kind = 'site') = (site_id is not null) and (scope_kind = 'fleet') = (fleet_id is not null)
             and (scope_kind = 'label') = (selector is not null)),
      foreign key (org_id, site_id) references sites (org_id, id) on delete cascade,
      foreign key (org_id, fleet_id) references fleets (org_id, id) on delete cascade
    );
    create unique index condition_rules_by_name on condition_rules (org_id, name_key(name));
    create index condition_rules_in_order on condition_rules (org_id, created_at, id);
    create index condition_rules_by_site on condition_rules (org_id, site_id) where site_id is not null;
    create index condition_rules_by_fleet on condition_rules (org_id, fleet_id) where fleet_id is not null;

    create table maintenance_windows (
      org_id uuid not null references orgs,
      id uuid not null,
      target_kind text not null check (target_kind in ('robot', 'fleet', 'site')),
      target_id uuid not null,
      site_id uuid,
      fleet_id uuid,
      robot_id uuid,
      reason text not null,
      created_at timestamptz(3) not null default now(),
      ends_at timestamptz(3) not null,
      ended_at timestamptz(3), -- when its conditions took effect again
      primary key (org_id, id),
      check (target_id is not distinct from case target_kind when 'robot' then robot_id when 'fleet' then fleet_id else site_id end
             and num_nonnulls(site_id, fleet_id, robot_id) = 1),
      foreign key (org_id, site_id) references sites (org_id, id) on delete cascade,
      foreign key (org_id, fleet_id) references fleets (org_id, id) on delete cascade,
      foreign key (org_id, robot_id) references robots (org_id, id) on delete cascade
    );
    create index maintenance_windows_in_order on maintenance_windows (org_id, created_at, id);
    create index maintenance_windows_open on maintenance_windows (ends_at) where ended_at is null;
    create index maintenance_windows_by_target on maintenance_windows (org_id, target_id) where ended_at is null;
    create index maintenance_windows_by_robot on maintenance_windows (org_id, robot_id) where robot_id is not null;
    create index maintenance_windows_by_fleet on maintenance_windows (org_id, fleet_id) where fleet_id is not null;
    create index maintenance_windows_by_site on maintenance_windows (org_id, site_id) where site_id is not null;

    create table robot_status (
      org_id uuid not null,
      robot_id uuid not null,
      version integer not null default 0,
      is_known boolean not null default false, -- whether it has sent a health snapshot
      severity smallint not null default 0, -- 1: degraded, 2: unhealthy; 0 in maintenance
      since timestamptz(3), -- of the severity; null for 0
      firing uuid[] not null default '{}', -- rules whose conditions count; none in maintenance
      conditions jsonb not null default '[]', -- those of the robot, as on the wire; also in maintenance
      state jsonb not null default '{}', -- what else the next evaluation needs
      due_at timestamptz(3), -- when a pending condition begins
      maintenance jsonb, -- the window that silences the conditions, as on the wire
      primary key (org_id, robot_id),
      foreign key (org_id, robot_id) references robots (org_id, id) on delete cascade
    ) with (fillfactor = 70);
    insert into robot_status (org_id, robot_id, is_known)
      select r.org_id, r.id, h.robot_id is not null
        from robots r left join robot_health h on h.org_id = r.org_id and h.robot_id = r.id;
    create index robot_status_ill on robot_status (org_id, severity, robot_id) where severity > 0;
    create index robot_status_unknown on robot_status (org_id, robot_id) where not is_known;
    create index robot_status_firing on robot_status using gin (firing);
    create index robot_status_due on robot_status (due_at) where due_at is not null;
    create index robot_links_offline on robot_links (org_id, disconnected_at) where replica_id is null;

    -- Robots whose conditions are evaluated again: one, those of a fleet or of a site, or all of the org.
    create table condition_reviews (
      id uuid primary key default gen_random_uuid(),
      org_id uuid not null,
      site_id uuid,
      fleet_id uuid,
      robot_id uuid,
      done_until uuid, -- robots up to this ID are done
      created_at timestamptz(3) not null default now()
    );
    create index condition_reviews_in_order on condition_reviews (created_at, id);

    -- Robots that went offline before this instant were looked at, by seconds of an offline rule.
    create table offline_sweeps (seconds integer primary key, swept_until timestamptz(3) not null);

    create function robots_status_added() returns trigger language plpgsql as $$
    begin
      insert into robot_status (org_id, robot_id) select org_id, id from added;
      -- A new robot has no values yet; only the maintenance of its fleet or site concerns it.
      insert into condition_reviews (org_id, robot_id)
        select a.org_id, a.id from added a
         where exists (select from maintenance_windows m
                        where m.org_id = a.org_id and m.target_id in (a.fleet_id, a.site_id) and m.ended_at is null);
      return null;
    end $$;
    create trigger robots_status_added after insert on robots referencing new table as added
      for each statement execute function robots_status_added();
    create function robots_status_noted() returns trigger language plpgsql as $$
    begin
      insert into condition_reviews (org_id, robot_id) values (new.org_id, new.id);
      return null;
    end $$;
    create trigger robots_status_updated after update of fleet_id, site_id, labels, retired_at on robots for each row
      when (old.fleet_id <> new.fleet_id or old.site_id <> new.site_id or old.labels <> new.labels or old.retired_at is distinct from new.retired_at)
      execute function robots_status_noted();

    create index robots_by_label on robots using gin (labels jsonb_path_ops);
    create index robot_reports_by_release on robot_reports using gin (releases jsonb_path_ops);

    create or replace view robots_now as
      select robots.*, coalesce(r.lease_until > now(), false) as online, l.last_seen_at,
             case when l.duplicate_at > now() - interval '1 day' then l.duplicate_at end as duplicate_agent_at,
             jsonb_build_object('releases', coalesce(p.releases, '{}'), 'configs', coalesce(p.configs, '{}')) as reported,
             l.cameras, l.has_topics as topics,
             case s.severity when 2 then 'unhealthy' when 1 then 'degraded'
               else case when r.lease_until > now() and s.is_known then 'healthy' else 'unknown' end end as health_status,
             s.since as health_since, coalesce(s.conditions, '[]') as conditions, s.maintenance
        from robots left join robot_links l on l.org_id = robots.org_id and l.robot_id = robots.id
                    left join replicas r on r.id = l.replica_id
                    left join robot_reports p on p.org_id = robots.org_id and p.robot_id = robots.id
                    left join robot_status s on s.org_id = robots.org_id and s.robot_id = robots.id;

    -- The rules that an org begins with. It can change, disable and delete its own.
    create function add_builtin_rules(org uuid) returns void language sql as $$
      insert into condition_rules (org_id, id, name, scope_kind, expression, for_seconds, clear, severity, builtin)
      select org, gen_random_uuid(), name, 'org', expression, for_seconds, clear, severity, true
        from (values
          ('offline', 'offline > 10m', 0, null, 'unhealthy'),
          ('emergency-stop', 'estop', 0, null, 'unhealthy'),
          ('battery-critical', 'battery < 10 and not charging', 0, 'battery >= 15 or charging', 'unhealthy'),
          ('battery-low', 'battery < 20 and not charging', 60, 'battery >= 25 or charging', 'degraded'),
          ('disk-critical', 'disk > 97', 0, 'disk < 95', 'unhealthy'),
          ('disk-full', 'disk > 90', 60, 'disk < 85', 'degraded'),
          ('memory-full', 'memory > 95', 300, 'memory < 90', 'degraded'),
          ('cpu-busy', 'cpu > 95', 300, 'cpu < 85', 'degraded'),
          ('overheated', 'temperature > 90', 60, 'temperature < 80', 'unhealthy'),
          ('diagnostics-error', 'diagnostics >= error', 30, null, 'unhealthy'),
          ('diagnostics-warning', 'diagnostics = warn', 60, null, 'degraded'),
          ('mission-failed', 'mission = failed', 0, null, 'degraded'),
          ('connection-unstable', 'reconnects > 10', 0, 'reconnects < 4', 'degraded'),
          ('clock-wrong', 'clock_offset > 1m', 0, 'clock_offset < 30s', 'degraded')
        ) as rule(name, expression, for_seconds, clear, severity)
    $$;
    create function orgs_rules_added() returns trigger language plpgsql as $$
    begin
      perform add_builtin_rules(new.id);
      return null;
    end $$;
    create trigger orgs_rules_added after insert on orgs for each row execute function orgs_rules_added();
    select add_builtin_rules(id) from orgs;
    insert into condition_reviews (org_id) select id from orgs;
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
