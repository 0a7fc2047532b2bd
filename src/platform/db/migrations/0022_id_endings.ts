import type { Knex } from 'knex';

const tables = [
  'robots',
  'sites',
  'fleets',
  'releases',
  'configs',
  'users',
  'enrollment_keys',
  'tokens',
  'shell_sessions',
  'deployments',
];

/**
 * Look-ups by the last digits of an id, which people type: an index on the reversed id finds them like a beginning. An id
 * never changes, so updates of a row stay within its page.
 */
export async function up(db: Knex): Promise<void> {
  for (const table of tables)
    await db.raw(`create index ${table}_by_id_end on ${table} (org_id, (reverse(id::text) collate "C"))`);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
