import type { Knex } from 'knex';

/** Up to which entry the audit log of an org was exported to a file and deleted. What is left follows from `hash`. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table audit_trims (
      org_id uuid not null,
      seq bigint not null, -- of the last entry in the file
      hash bytea not null, -- of that entry
      first_seq bigint not null,
      exported_at timestamptz(3) not null,
      file_sha256 bytea not null,
      created_at timestamptz(3) not null default now(),
      created_by text not null, -- account and host
      effective_at timestamptz(3), -- from then on the log begins after seq, and its entries up to there may be deleted
      finished_at timestamptz(3), -- they are deleted
      primary key (org_id, seq)
    );

    -- The log itself says where it was trimmed: in a sealed entry, before the first entry is deleted. The age is also that of the
    -- command: a statement of the service's own account hides or deletes no younger entry.
    create function audit_trims_refuse() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        if new.effective_at is null and new.finished_at is null and exists (
          select from audit a where a.org_id = new.org_id and a.seq = new.seq and a.hash = new.hash
             and a.at < now() - interval '30 days') then
          return new;
        end if;
      elsif tg_op = 'DELETE' then
        if exists (select from erasures e where e.org_id = old.org_id and e.robot_id is null and e.finished_at is null) then
          return old;
        end if;
      elsif tg_op = 'UPDATE' and (old.org_id, old.seq, old.hash, old.first_seq, old.exported_at, old.file_sha256, old.created_at, old.created_by)
          is not distinct from
            (new.org_id, new.seq, new.hash, new.first_seq, new.exported_at, new.file_sha256, new.created_at, new.created_by)
        and (old.effective_at = new.effective_at or (old.effective_at is null and exists (
          select from audit a where a.org_id = new.org_id and a.operation = 'trimAudit' and a.seq > new.seq and a.hash is not null
             and a.after ->> 'seq' = new.seq::text and a.after ->> 'hash' = encode(new.hash, 'hex')
             and a.after ->> 'exported_at' = to_char(new.exported_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
             and a.after ->> 'file_sha256' = encode(new.file_sha256, 'hex')))) then
        return new;
      end if;
      raise exception 'audit: the log is trimmed only after a sealed entry says so' using errcode = 'restrict_violation';
    end $$;
    create trigger audit_trims_kept before insert or update or delete on audit_trims for each row execute function audit_trims_refuse();
    create trigger audit_trims_whole before truncate on audit_trims for each statement execute function audit_trims_refuse();

    -- As before, but old entries that were exported may be deleted.
    create or replace function audit_refuse() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        if exists (select from erasures e where e.org_id = old.org_id and e.robot_id is null and e.finished_at is null)
          or (old.at < now() - interval '30 days' and exists (
            select from audit_trims t where t.org_id = old.org_id and t.seq >= old.seq and t.effective_at is not null)) then
          return old;
        end if;
      end if;
      raise exception 'audit: an entry is neither changed nor removed' using errcode = 'restrict_violation';
    end $$;
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
