import type { Knex } from 'knex';

/**
 * Quotas of orgs. An org without a row has none, and no trigger counts what it uses. Of an org with one, triggers count that in the
 * transaction that changes it, so no request does.
 *
 * The transaction that adds the row locks the org and counts what exists: no robot or artifact can be added meanwhile. The
 * triggers take the weak lock of the org that a foreign key takes, before they look for the row.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table org_quotas (
      org_id uuid primary key references orgs,
      robots bigint check (robots >= 0), -- limits; null: none
      artifact_bytes bigint check (artifact_bytes >= 0),
      live_streams bigint check (live_streams >= 0),
      used_robots bigint not null default 0, -- robots that are not retired
      used_artifact_bytes bigint not null default 0
    ) with (fillfactor = 50);

    -- Live streams by replica. Those of a replica whose lease has ended do not count.
    create table org_streams (
      org_id uuid not null,
      replica_id uuid not null,
      streams integer not null,
      primary key (org_id, replica_id)
    );
    create index org_streams_by_replica on org_streams (replica_id);

    create function count_robots_of_org() returns trigger language plpgsql as $$
    declare
      org uuid := case when tg_op = 'DELETE' then old.org_id else new.org_id end;
      change integer := case when tg_op <> 'DELETE' and new.retired_at is null then 1 else 0 end
                      - case when tg_op <> 'INSERT' and old.retired_at is null then 1 else 0 end;
    begin
      if change <> 0 then
        perform from orgs where id = org for key share;
        update org_quotas set used_robots = used_robots + change where org_id = org;
      end if;
      return null;
    end $$;
    create trigger robots_count_of_org after insert or delete or update of retired_at on robots
      for each row execute function count_robots_of_org();

    create function count_artifact_bytes_of_org() returns trigger language plpgsql as $$
    begin
      perform from orgs where id = new.org_id for key share;
      update org_quotas set used_artifact_bytes = used_artifact_bytes + new.size where org_id = new.org_id;
      return null;
    end $$;
    create trigger artifacts_count_of_org after insert on artifacts
      for each row execute function count_artifact_bytes_of_org();
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
