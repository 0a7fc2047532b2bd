import type { Knex } from 'knex';

/**
 * As before, but a row that is dated later than tomorrow begins anew: it was written while the clock of the database was wrong,
 * and would count until that day. It may be of tomorrow, as a statement that began before midnight may wait for its row.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create or replace function store_log_segment_in_quota(
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
        update org_logs_today t set bytes = t.bytes + text_bytes where t.org_id = org and t.day between today and today + 1 and t.bytes < most;
        has_room := found;
      end if;
      -- If another replica begins the day meanwhile, the outcome is full; refuse_log_records then finds room.
      if not has_room and most > 0 then
        insert into org_logs_today as t (org_id, day, bytes) values (org, today, text_bytes)
        on conflict (org_id) do update
          set day = excluded.day, bytes = excluded.bytes, refused_records = 0, refused_bytes = 0, is_reported = false
          where t.day not between excluded.day and excluded.day + 1;
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

    create or replace function refuse_log_records(
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
          where t.day not between excluded.day and excluded.day + 1;
      end if;
      update org_logs_today t
         set refused_records = t.refused_records + records, refused_bytes = t.refused_bytes + text_bytes
       where t.org_id = org and t.day between today and today + 1 and t.bytes >= quota
      returning t.is_reported into is_reported;
      is_refused := found;
    end $$;
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
