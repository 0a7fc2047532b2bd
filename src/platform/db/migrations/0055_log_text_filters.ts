import type { Knex } from 'knex';

/**
 * A filter of the text of a chunk, so that a search need not read its body. Chunks that are not merged have none, nor
 * have those that a replica of the previous release merges.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table log_chunks add column text_filter bytea; -- see logs/text-filter.ts; null: unknown
    -- In the row, also of 2 KiB: a search reads many filters, and from the TOAST table each takes ten times as long.
    alter table log_chunks alter column text_filter set storage main;
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
