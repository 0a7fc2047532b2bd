import type { Knex } from 'knex';

/**
 * Waves that people skip. Until the sweeper ends a waiting target of such a wave, the target has the reason
 * `wave_skipped`, the deadline `infinity` and no row in `open_targets`. A replica of the previous release may begin the
 * wave, or admit its robots: the trigger leaves these targets as they are, so it sends them nothing.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table waves add column skipped_at timestamptz(3); -- its robots that wait do not receive the deployment
    create index waves_skipped on waves (org_id, deployment_id) where skipped_at is not null;

    create function keep_skipped() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger keep_skipped before update of deadline_at on targets
      for each row when (old.reason = 'wave_skipped' and old.status = 'waiting' and new.status = 'waiting')
      execute function keep_skipped();
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
