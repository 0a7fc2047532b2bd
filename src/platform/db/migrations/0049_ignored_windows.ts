import type { Knex } from 'knex';

/**
 * Deployments that ignore windows, and the time zones of robots. What ignores windows has none in its rollout, so a replica
 * of the previous release keeps none for it. The hash of such a plan is another one for that replica, so it refuses to
 * execute it.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table deployments add column ignores_windows boolean not null default false;
    alter table deployment_plans add column ignores_windows boolean not null default false;

    create or replace function terms_of_cause() returns trigger language plpgsql as $$
    begin
      select order_terms, required_capabilities, ignores_windows into new.order_terms, new.required_capabilities, new.ignores_windows
        from deployments where org_id = new.org_id and id = new.cause_id;
      return new;
    end $$;

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
               'pinned_at', to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as pin,
             l.timezone
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
