import type { Knex } from 'knex';

/** Look-ups by the last digits of an ID, as of all other lists: see 0022. */
export async function up(db: Knex): Promise<void> {
  for (const table of ['condition_rules', 'maintenance_windows'])
    await db.raw(`create index ${table}_by_id_end on ${table} (org_id, (reverse(id::text) collate "C"))`);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
