import type { Knex } from 'knex';

/**
 * A replica of the previous release would send a whole wave of a paced rollout at once. It neither begins one, since it
 * does not fill in `is_gradual`, nor begins a further wave of one, since it does not fill in `approved_wave`. A check of
 * the latter would refuse rollouts that such a replica began and that became gradual later.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table deployments add constraint deployments_paced check (
      started_at is null or is_gradual or (rollout -> 'pace' is null or is_urgent) and rollout -> 'windows' -> 'download' is null);

    create function refuse_whole_wave() returns trigger language plpgsql as $$
    begin
      raise check_violation using constraint = 'deployments_paced_wave',
        message = format('deployments_paced_wave: wave %s of deployment %s is admitted step by step', new.open_wave, new.id);
    end $$;
    create trigger refuse_whole_wave before update of open_wave on deployments
      for each row when (old.is_gradual and new.open_wave > old.open_wave and coalesce(new.approved_wave, 0) < new.open_wave)
      execute function refuse_whole_wave();
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
