import type { Knex } from 'knex';

/**
 * As before, but of what was exported, entries from the future may be deleted too: they were written while the clock of the
 * database was wrong, and the last entry of the export, which is old, came later.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create or replace function audit_refuse() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        if exists (select from erasures e where e.org_id = old.org_id and e.robot_id is null and e.finished_at is null)
          or (old.at not between now() - interval '30 days' and now() and exists (
            select from audit_trims t where t.org_id = old.org_id and t.seq >= old.seq and t.effective_at is not null)) then
          return old;
        end if;
      end if;
      raise exception 'audit: an entry is neither changed nor removed' using errcode = 'restrict_violation';
    end $$;
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
