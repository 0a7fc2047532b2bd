import type { Knex } from 'knex';

/** Facts that replicas share beside their lease, so that each can check compatibility and balance the load. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table replicas
      add column artifacts_folder uuid, -- which folder keeps its artifacts; null: an S3 store, or a replica of an earlier release
      add column links integer; -- agent links that it held when it renewed its lease; null: a replica of an earlier release
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
