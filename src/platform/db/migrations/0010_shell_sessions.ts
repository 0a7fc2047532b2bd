import type { Knex } from 'knex';

/** Shell sessions, and their recordings if the org enables them. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table orgs add column record_shells boolean not null default false;

    -- History: it outlives the robot, the user and the token.
    create table shell_sessions (
      org_id uuid not null,
      id uuid not null,
      robot_id uuid not null,
      user_id uuid, -- none for a token of the org
      token_id uuid not null,
      replica_id uuid not null, -- where its viewer is
      created_at timestamptz(3) not null default now(), -- both ends were joined
      ended_at timestamptz(3),
      bytes_from_viewer bigint,
      bytes_to_viewer bigint,
      close_code int, -- of the viewer's end; none where the server died
      recorded boolean not null,
      primary key (org_id, id)
    );
    create index shell_sessions_in_order on shell_sessions (org_id, created_at, id);
    create index shell_sessions_of_robot on shell_sessions (org_id, robot_id, created_at, id);
    create index shell_sessions_open on shell_sessions (replica_id) where ended_at is null;

    -- Of each recording whole lines of asciicast; all chunks in order are the file.
    create table shell_recordings (
      org_id uuid not null,
      session_id uuid not null,
      seq int not null, -- from 0, without gaps
      data bytea not null,
      primary key (org_id, session_id, seq)
    );
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
