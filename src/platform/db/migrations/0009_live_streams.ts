import type { Knex } from 'knex';

/** Which agents open shells, and the tickets that open a stream for clients that cannot set headers. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- As the agent said it in its hello; a link of a server before this one opens none.
    alter table robot_links add column opens_shells boolean not null default false;

    create table stream_tickets (
      org_id uuid not null,
      digest bytea not null unique,
      token_id uuid not null, -- who got it
      robot_id uuid not null,
      kind text not null,
      expires_at timestamptz(3) not null,
      primary key (org_id, digest),
      foreign key (org_id, token_id) references tokens (org_id, id) on delete cascade,
      foreign key (org_id, robot_id) references robots (org_id, id) on delete cascade
    );
    create index stream_tickets_of_token on stream_tickets (org_id, token_id);
    create index stream_tickets_of_robot on stream_tickets (org_id, robot_id);
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
