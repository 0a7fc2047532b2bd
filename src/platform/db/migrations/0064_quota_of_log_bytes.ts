import type { Knex } from 'knex';

/**
 * The quota of log bytes per day. Of an org without it, nothing is counted. Segments of the others are counted in the
 * statement that stores them. The row of the org is locked until then, so replicas exceed the limit by one segment at most.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table org_quotas add log_bytes_per_day bigint check (log_bytes_per_day >= 0);

    create table org_logs_today (
      org_id uuid primary key,
      day date not null, -- of UTC; all that follows is of this day
      bytes bigint not null default 0, -- stored, as text
      refused_records bigint not null default 0,
      refused_bytes bigint not null default 0,
      is_reported boolean not null default false -- the audit log says that records are refused
    ) with (fillfactor = 50);

    create function utc_today() returns date language sql volatile as $$ select (clock_timestamp() at time zone 'UTC')::date $$;

    -- As store_log_segment, with one more outcome:
    --   full  the org has stored as much today as it may; nothing is stored
    create function store_log_segment_in_quota(
      org uuid, seen pg_snapshot, seen_at timestamptz, not_before timestamptz, format smallint, records integer, bytes integer,
      max_level smallint, first_stream integer, streams bytea, levels bytea, places integer[], head bytea, body bytea, text_bytes bigint,
      out outcome text, out received timestamptz, out now_seen text, out now_seen_at timestamptz, out changed uuid[]
    ) language plpgsql as $$
    declare
      most bigint := (select q.log_bytes_per_day from org_quotas q where q.org_id = org);
      today date := utc_today();
      has_room boolean := most is null;
    begin
      if not has_room then
        update org_logs_today t set bytes = t.bytes + text_bytes where t.org_id = org and t.day >= today and t.bytes < most;
        has_room := found;
      end if;
      -- If another replica begins the day meanwhile, the outcome is full; refuse_log_records then finds room.
      if not has_room and most > 0 then
        insert into org_logs_today as t (org_id, day, bytes) values (org, today, text_bytes)
        on conflict (org_id) do update
          set day = excluded.day, bytes = excluded.bytes, refused_records = 0, refused_bytes = 0, is_reported = false
          where t.day < excluded.day;
        has_room := found;
      end if;
      if not has_room then
        outcome := 'full';
        return;
      end if;
      select s.* into outcome, received, now_seen, now_seen_at, changed
        from store_log_segment(org, seen, seen_at, not_before, format, records, bytes, max_level, first_stream, streams, levels, places, head, body) s;
      if most is not null and outcome <> 'stored' then
        update org_logs_today t set bytes = t.bytes - text_bytes where t.org_id = org;
      end if;
    end $$;

    -- Counts records that are not stored, unless the org has room.
    create function refuse_log_records(
      org uuid, records bigint, text_bytes bigint,
      out is_refused boolean, out is_reported boolean, out quota bigint
    ) language plpgsql as $$
    declare
      today date := utc_today();
    begin
      quota := (select q.log_bytes_per_day from org_quotas q where q.org_id = org);
      if quota = 0 then
        insert into org_logs_today as t (org_id, day) values (org, today)
        on conflict (org_id) do update
          set day = excluded.day, bytes = 0, refused_records = 0, refused_bytes = 0, is_reported = false
          where t.day < excluded.day;
      end if;
      update org_logs_today t
         set refused_records = t.refused_records + records, refused_bytes = t.refused_bytes + text_bytes
       where t.org_id = org and t.day >= today and t.bytes >= quota
      returning t.is_reported into is_reported;
      is_refused := found;
    end $$;
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
