import type { Knex } from 'knex';

/** A freeze that the suspension of its org began, see deployments/engine/controls/suspension.ts. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table deployment_freezes add column thaws_at timestamptz(3); -- of a suspension: infinity until the org is resumed; null: of people
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
