import type { Knex } from 'knex';

/**
 * Collations that know upper and lower case of all scripts, best first: ICU is in nearly every build of Postgres, the
 * second since 17. With neither, only ASCII letters are compared without case.
 */
const collations = ['und-x-icu', 'pg_c_utf8', 'C'];

/** The tables with unique names. `within`: the columns in which a name is unique. */
const named = [
  { table: 'sites', within: 'org_id', kind: 'site', operation: 'updateSite' },
  { table: 'fleets', within: 'org_id, site_id', kind: 'fleet', operation: 'updateFleet' },
  { table: 'robots', within: 'org_id', kind: 'robot', operation: 'updateRobot' },
];

/**
 * Names of sites, fleets and robots are unique without case, and robots can be retired. The column `name_key` holds what
 * is compared. The unique indexes over it are for writers of any release: a replica of the previous release responds
 * with 500 to a taken name (docs/decisions/0064-unique-names.md). The indexes by `name` stay for its lookups.
 */
export async function up(db: Knex): Promise<void> {
  const { rows } = await db.raw<{ rows: [{ collation: string }] }>(
    `select collname as collation from pg_collation
      where collnamespace = 'pg_catalog'::regnamespace and collname = any(?) and collencoding in (-1, pg_char_to_encoding('UTF8'))
      order by array_position(?::text[], collname::text) limit 1`,
    [collations, collations],
  );
  await db.raw(`
    lock table sites, fleets, robots in access exclusive mode;

    -- Functions, so that all writers and readers compare alike, and no index depends on the version of a collation.
    create function name_key(name text) returns text language sql immutable strict parallel safe as $$
      select lower(normalize(name, nfc) collate pg_catalog."${rows[0].collation}")
    $$;
    -- The name with a number at its end, 1 for none; like any name, at most 128 characters.
    create function numbered_name(name text, number integer) returns text language sql immutable strict parallel safe as $$
      select case when number = 1 then name else left(name, 127 - length(number::text)) || '-' || number end
    $$;
  `);
  for (const { table, within, kind, operation } of named) {
    await db.raw(`
      alter table ${table} add column name_key text collate "C" generated always as (name_key(name)) stored;
      create index names_found on ${table} (${within}, name_key);
      -- Where many have one name, the planner expects to find any name soon, and would read the whole table for a free one.
      set local enable_seqscan = off;
      set local enable_bitmapscan = off;
      create temporary table renamed (org_id uuid, id uuid, before text, after text) on commit drop;

      -- Of several with one name, the oldest keeps it. The numbers of one name are tried once each, in order.
      do $$
      declare
        duplicate record;
        number integer;
        free text;
      begin
        for duplicate in
          select * from (
            select ${within}, id, name, name_key, row_number() over (partition by ${within}, name_key order by created_at, id) as place
              from ${table}
          ) as found where place > 1 order by ${within}, name_key, place
        loop
          if duplicate.place = 2 then number := 1; end if;
          loop
            number := number + 1;
            free := numbered_name(duplicate.name, number);
            exit when not exists (select from ${table} where (${within}, name_key) = (${within.replaceAll(/\w+/g, 'duplicate.$&')}, name_key(free)));
          end loop;
          update ${table} set name = free where org_id = duplicate.org_id and id = duplicate.id;
          insert into renamed values (duplicate.org_id, duplicate.id, duplicate.name, free);
        end loop;
      end $$;

      insert into audit (org_id, id, actor_kind, operation, object_kind, object_id, before, after)
      select org_id, gen_random_uuid(), 'system', '${operation}', '${kind}', id, jsonb_build_object('name', before), jsonb_build_object('name', after)
        from renamed;
      ${
        kind === 'robot'
          ? `insert into timeline_unnumbered (org_id, robot_id, id, kind, details)
             select org_id, id, gen_random_uuid(), 'renamed', jsonb_build_object('before', before, 'after', after) from renamed;`
          : ''
      }
      set local enable_seqscan = on;
      set local enable_bitmapscan = on;
      drop table renamed;
      drop index names_found;
    `);
  }
  await db.raw(`
    create unique index sites_name_taken on sites (org_id, name_key);
    create unique index fleets_name_taken on fleets (org_id, name_key, site_id); -- in this order also for lookups in all sites
    create unique index robots_name_taken on robots (org_id, name_key);

    -- A robot whose machine enrolled again, as another robot. No foreign keys: either may be removed.
    alter table robots add column replaces uuid,
                       add column replaced_by uuid,
                       add column retired_at timestamptz(3),
                       add check ((replaced_by is null) = (retired_at is null));
    create index robots_retired on robots (org_id, created_at, id) where retired_at is not null;

    drop view robots_now; -- its columns are those that the table had
    create view robots_now as
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
