import type { Knex } from 'knex';

/** How far the details of old deployments are deleted, see deployments/api/retention.ts. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table deployment_retention (
      id boolean primary key default true check (id),
      resume_at timestamptz(3) not null default now(), -- when the next deployments are looked at
      ended_at timestamptz(3), -- the last deployment that is done, in this run; null: none
      deployment_id uuid,
      robot_id uuid, -- the last robot that is done of the one after it; null: none
      removed jsonb not null default '{}' -- the number of rows so far, by table
    );
    create index deployments_by_end on deployments (ended_at, id) where ended_at is not null;
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
