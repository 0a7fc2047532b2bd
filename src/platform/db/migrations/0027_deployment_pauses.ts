import type { Knex } from 'knex';
import { movesGuard } from '../moves-guard.ts';

/**
 * Pauses of deployments. `waiting_until`: targets that wait do not expire before this time, as the deployment was
 * paused; null: after the usual time. Statuses may now become `paused` before a deployment begins, and go back.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table deployments
      add column paused_at timestamptz(3), -- of the last pause
      add column pause_reason text,
      add column waiting_until timestamptz(3);
    create index deployments_caused on deployments (org_id, cause_id) where cause_id is not null and ended_at is null;
  `);
  await db.raw(movesGuard('deployments', 'deployment'));
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
