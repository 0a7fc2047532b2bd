import type { Knex } from 'knex';

/**
 * The history of six measurements of each robot. Partitions are days, created while the service runs and dropped whole
 * when they are old. The history has no foreign keys. `src/robot-metrics/packing.ts` describes the packed columns.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- The newest snapshot, measured. Null from a replica of the previous release, and where the robot has no such value.
    alter table robot_health
      add column measured_at timestamptz(3),
      add column battery real,
      add column cpu real,
      add column memory real,
      add column disk real,
      add column temperature real,
      add column delay real,
      -- The samples of the ten minutes that are not in robot_metric_blocks yet.
      add column open_block_at timestamptz(3),
      add column open_block bytea;

    -- Up to 20 samples, one per 30 s. A robot that changed its replica may have several rows for the same ten minutes.
    create table robot_metric_blocks (
      org_id uuid not null,
      robot_id uuid not null,
      started_at timestamptz(3) not null,
      samples bytea not null
    ) partition by range (started_at);
    alter table robot_metric_blocks alter column samples set storage plain;
    create index robot_metric_blocks_by_robot on robot_metric_blocks (org_id, robot_id, started_at);

    -- Lowest, mean and highest values of 48 times five minutes.
    create table robot_metric_rollups (
      org_id uuid not null,
      robot_id uuid not null,
      started_at timestamptz(3) not null,
      buckets bytea not null,
      primary key (org_id, robot_id, started_at)
    ) partition by range (started_at);
    alter table robot_metric_rollups alter column buckets set storage main;

    -- One row: the next four hours to roll up, and the last robot of them that is done. Its lock selects the replica that works.
    create table robot_metric_progress (
      span_at timestamptz(3) not null,
      done_org_id uuid,
      done_robot_id uuid
    ) with (fillfactor = 50);
    create unique index robot_metric_progress_one on robot_metric_progress ((true));

    create view robot_metrics_now as
      select r.org_id, r.id, r.name, r.site_id, r.fleet_id, r.created_at, coalesce(p.lease_until > now(), false) as online,
             h.measured_at, h.battery, h.cpu, h.memory, h.disk, h.temperature, h.delay
        from robots r left join robot_links l on l.org_id = r.org_id and l.robot_id = r.id
                      left join replicas p on p.id = l.replica_id
                      left join robot_health h on h.org_id = r.org_id and h.robot_id = r.id
       where r.retired_at is null;
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
