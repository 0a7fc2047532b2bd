import type { Knex } from 'knex';

/** When robots left their fleets, so that their old log streams can be deleted, see logs/segments/left-streams.ts. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table log_streams add column left_at timestamptz(3); -- when the robot left the fleet; null: it is in it
    update log_streams s set left_at = now()
     where not exists (select from robots r where r.org_id = s.org_id and r.id = s.robot_id and r.fleet_id = s.fleet_id);
    create index log_streams_left on log_streams (left_at) where left_at is not null;

    create function log_streams_noted() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        update log_streams set left_at = now() where org_id = old.org_id and robot_id = old.id and left_at is null;
      else
        update log_streams set left_at = case when fleet_id is distinct from new.fleet_id then now() end
         where org_id = new.org_id and robot_id = new.id and (left_at is null) = (fleet_id is distinct from new.fleet_id);
      end if;
      return null;
    end $$;
    create trigger robots_moved_streams after update of fleet_id on robots
      for each row when (old.fleet_id is distinct from new.fleet_id) execute function log_streams_noted();
    create trigger robots_removed_streams after delete on robots for each row execute function log_streams_noted();
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
