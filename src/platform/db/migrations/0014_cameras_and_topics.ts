import type { Knex } from 'knex';

/** Which agents have cameras and topics, and how their robots show it. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- As the agent said it in its hello; a link of a server before this one has none.
    alter table robot_links add column cameras jsonb not null default '[]', -- names, the first is the default
                            add column has_topics boolean not null default false;

    create or replace view robots_now as
      select robots.*, coalesce(r.lease_until > now(), false) as online, l.last_seen_at,
             case when l.duplicate_at > now() - interval '1 day' then l.duplicate_at end as duplicate_agent_at,
             jsonb_build_object('releases', coalesce(p.releases, '{}'), 'configs', coalesce(p.configs, '{}')) as reported,
             l.cameras, l.has_topics as topics
        from robots left join robot_links l on l.org_id = robots.org_id and l.robot_id = robots.id
                    left join replicas r on r.id = l.replica_id
                    left join robot_reports p on p.org_id = robots.org_id and p.robot_id = robots.id;
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
