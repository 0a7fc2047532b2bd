import type { Knex } from 'knex';

/**
 * Log records as segments: one row for all records that a replica stores at a time for an org. A merger moves them into
 * `log_chunks`, `log_heads` and `log_counters`, which until then are behind. Replicas of the previous release know none
 * of this. While one of them is alive, all replicas store as before, and triggers keep it from storing anything while
 * segments exist that are not merged.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(tables);
  await db.raw(changes);
  await db.raw(storing);
  await db.raw(switching);
}

const tables = `
  alter table replicas add stores_segments boolean not null default false;

  -- One row, or none where records were never stored but as segments.
  create table log_format (
    id boolean primary key default true check (id),
    segments boolean not null, -- false: records are stored as chunks
    since timestamptz(3) not null -- older chunks may be small ones, to be merged; infinity: all
  );
  insert into log_format (segments, since)
  select not there.are_replicas, case when there.are_replicas then 'infinity' else now() end
    from (select exists (select from replicas) as are_replicas) there where are_replicas or exists (select from log_chunks);
  create function log_segments_are_used() returns boolean language sql stable as $$
    select coalesce((select segments from log_format), true)
  $$;

  create table log_orgs (
    org_id uuid primary key,
    streams integer not null default 0, -- the highest number of one
    merged_id bigint not null default 0, -- segments up to this one are merged
    merged_to timestamptz(3) -- the latest received_at of those; null: none
  ) with (fillfactor = 50);

  -- A robot as a member of a fleet. The number is that of a bit in log_segments.streams.
  create table log_streams (
    org_id uuid not null,
    number integer not null,
    robot_id uuid not null,
    fleet_id uuid not null,
    primary key (org_id, number),
    unique (org_id, robot_id, fleet_id)
  );
  create index log_streams_by_fleet on log_streams (org_id, fleet_id);

  -- See docs/reference/log-segments.md. Partitions are ten minutes, dropped once everything in them is merged.
  create sequence log_segment_ids;
  create table log_segments (
    org_id uuid not null,
    id bigint not null default nextval('log_segment_ids'), -- ascends in the order of commits, but for those that are stored at the same time
    received_at timestamptz(3) not null, -- of all records
    format smallint not null,
    records integer not null,
    bytes integer not null, -- of the records as text
    max_level smallint not null,
    first_stream integer not null, -- that of the first bit
    streams bytea not null, -- a bit for each that has records here
    levels bytea not null, -- the highest of each group
    places integer[] not null, -- where the heads of the groups begin in head, then their records in body; each list with its end
    head bytea not null,
    body bytea not null,
    primary key (org_id, id, received_at)
  ) partition by range (received_at);
  alter table log_segments alter column head set storage external, alter column body set storage external;
`;

/** What replicas remember of a robot, its place in the logs included, is no longer right after these changes. */
const changes = `
  create table log_robot_changes (
    org_id uuid not null,
    xact xid8 not null default pg_current_xact_id(),
    robot_id uuid not null,
    changed_at timestamptz(3) not null default now()
  );
  create index log_robot_changes_in_order on log_robot_changes (org_id, xact);
  create index log_robot_changes_by_time on log_robot_changes (org_id, changed_at);

  create function log_robot_changed() returns trigger language plpgsql as $$
  begin
    if tg_table_name = 'robots' then
      insert into log_robot_changes (org_id, robot_id) values (new.org_id, new.id);
    elsif tg_op = 'DELETE' then
      insert into log_robot_changes (org_id, robot_id) values (old.org_id, old.robot_id);
    else
      insert into log_robot_changes (org_id, robot_id) values (new.org_id, new.robot_id);
    end if;
    return null;
  end $$;
  -- After a crash, Postgres may give numbers again that it gave to transactions which then failed, and which \`seen\` calls
  -- finished. So times count too; they are rounded.
  create function log_robots_changed_since(org uuid, seen pg_snapshot, seen_at timestamptz) returns uuid[] language sql stable as $$
    select array(
      select c.robot_id from log_robot_changes c
       where c.org_id = org and c.xact >= pg_snapshot_xmin(seen) and not pg_visible_in_snapshot(c.xact, seen)
       union
      select c.robot_id from log_robot_changes c where c.org_id = org and c.changed_at > seen_at + interval '1 ms'
    )
  $$;

  create trigger robot_links_change_logs after insert or delete or update of epoch on robot_links
    for each row execute function log_robot_changed();
  create trigger robots_change_logs after update of fleet_id on robots
    for each row when (old.fleet_id is distinct from new.fleet_id) execute function log_robot_changed();
`;

const storing = `
  create function log_org_lock(org uuid) returns bigint language sql immutable as $$ select hashtextextended(org::text, 7201934555) $$;

  -- Stores a segment, unless a robot of it has changed since the snapshot \`seen\`. Each statement in here has a snapshot
  -- of its own, so what is read after the lock is as of after the lock. outcome:
  --   stored    the segment is there
  --   changed   a robot of it is in \`changed\`
  --   outdated  segments are not used, or what the caller knows is too old
  create function store_log_segment(
    org uuid, seen pg_snapshot, seen_at timestamptz, not_before timestamptz, format smallint, records integer, bytes integer,
    max_level smallint, first_stream integer, streams bytea, levels bytea, places integer[], head bytea, body bytea,
    out outcome text, out received timestamptz, out now_seen text, out now_seen_at timestamptz, out changed uuid[]
  ) language plpgsql as $$
  declare
    clock timestamptz(3);
  begin
    perform pg_advisory_xact_lock_shared(7201934554);
    perform pg_advisory_xact_lock_shared(log_org_lock(org));
    clock := clock_timestamp();
    if seen_at < clock - interval '1 hour' or not log_segments_are_used() then
      outcome := 'outdated';
      return;
    end if;
    select pg_current_snapshot()::text, clock, log_robots_changed_since(org, seen, seen_at) into now_seen, now_seen_at, changed;
    if changed <> '{}' and exists (
      select from unnest(changed) r (robot_id) join log_streams s on s.org_id = org and s.robot_id = r.robot_id
       where case when s.number - first_stream between 0 and octet_length(streams) * 8 - 1
                  then get_bit(streams, s.number - first_stream) = 1 end
    ) then
      outcome := 'changed';
      return;
    end if;
    received := case when not_before > clock + interval '1 hour' then clock else greatest(clock, not_before) end;
    insert into log_segments as s (org_id, received_at, format, records, bytes, max_level, first_stream, streams, levels, places, head, body)
    values (org, received, format, records, bytes, max_level, first_stream, streams, levels, places, head, body);
    outcome := 'stored';
  end $$;

  -- Before the caller reads how far these robots are stored: waits for what is being stored of them, and has everything refused
  -- that was sent before, also what this very caller sent and the network delivers late. Numbers them as members of their fleets.
  create function take_log_robots(org uuid, members uuid[]) returns void language plpgsql as $$
  declare
    last integer;
  begin
    perform pg_advisory_xact_lock(log_org_lock(org));
    insert into log_robot_changes (org_id, robot_id) select org, unnest(members);
    insert into log_orgs (org_id) values (org) on conflict do nothing;
    select o.streams into last from log_orgs o where o.org_id = org for update;
    with added as (
      insert into log_streams (org_id, number, robot_id, fleet_id)
      select org, last + row_number() over (order by r.id), r.id, r.fleet_id from robots r
       where r.org_id = org and r.id = any (members)
         and not exists (select from log_streams s where s.org_id = org and s.robot_id = r.id and s.fleet_id = r.fleet_id)
      returning number
    )
    update log_orgs o set streams = (select max(number) from added) where o.org_id = org and exists (select from added);
  end $$;
`;

const switching = `
  create function log_segments_are_left() returns boolean language sql stable as $$
    select exists (select from log_orgs o where exists (select from log_segments s where s.org_id = o.org_id and s.id > o.merged_id))
  $$;

  -- Chooses the format by the replicas that are alive. Waits for everything that is being stored. Returns whether segments are used.
  create function choose_log_format() returns boolean language plpgsql as $$
  declare
    wanted boolean := not exists (select from replicas where lease_until > now() and not stores_segments);
  begin
    if log_segments_are_used() = wanted then return wanted; end if;
    perform pg_advisory_xact_lock(7201934554);
    insert into log_format as f (segments, since) values (wanted, case when wanted then clock_timestamp() else 'infinity' end)
    on conflict (id) do update set segments = excluded.segments, since = excluded.since where f.segments <> excluded.segments;
    return wanted;
  end $$;

  -- Only merging writes these tables while there are segments. The previous release tries again after this error.
  create function log_rows_guard() returns trigger language plpgsql as $$
  begin
    if current_setting('logs.merging', true) = 'on' then return null; end if;
    perform pg_advisory_xact_lock_shared(7201934554);
    if log_segments_are_used() or log_segments_are_left() then
      raise exception 'log records are stored as segments now' using errcode = 'object_in_use';
    end if;
    return null;
  end $$;
  create trigger log_heads_guard before insert or update on log_heads for each statement execute function log_rows_guard();
`;

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
