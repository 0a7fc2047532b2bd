import type { Knex } from 'knex';

/** Each audit entry gets a hash over the previous one; sealed entries cannot change. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- SHA-256 over the hash before and the entry, given together with seq (docs/reference/audit-log.md).
    alter table audit add column hash bytea;

    -- What the sealer looks for, in the order in which it takes it: numbered by an earlier release first, then what has no number.
    create index audit_unchained on audit (org_id, seq, at, id) where hash is null;
    drop index audit_unsealed;

    -- Judged without calling the function, so that sealing costs next to nothing more.
    create function audit_refuse() returns trigger language plpgsql as $$
    begin
      raise exception 'audit: an entry is neither changed nor removed' using errcode = 'restrict_violation';
    end $$;
    create trigger audit_unchanged before update on audit for each row
      when (
        old.hash is not null
        or (old.seq is not null and old.seq is distinct from new.seq)
        or (old.org_id, old.id, old.at, old.actor_kind, old.actor_id, old.token_id, old.request_id, old.operation, old.object_kind, old.object_id, old.before, old.after)
          is distinct from
           (new.org_id, new.id, new.at, new.actor_kind, new.actor_id, new.token_id, new.request_id, new.operation, new.object_kind, new.object_id, new.before, new.after)
      )
      execute function audit_refuse();
    create trigger audit_kept before delete on audit for each row execute function audit_refuse();
    create trigger audit_whole before truncate on audit for each statement execute function audit_refuse();
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
