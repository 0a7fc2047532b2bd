import type { Knex } from 'knex';

/** Tokens valid in several orgs, the last use of a token, and rotation of robot tokens. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- A token of a person is one row in each org that it is good in, all with the same id and the same digest.
    create unique index tokens_by_digest on tokens (digest, org_id);
    alter table tokens drop constraint tokens_digest_key;

    alter table tokens add column last_used_at timestamptz(3); -- to the minute
    alter table tokens
      add column previous_digest bytea, -- of a robot's token that got a new value: the one before is good until the new one is used,
      add column previous_until timestamptz(3), -- and no longer than this
      add column rotation_nonce bytea, -- SHA-256 of what the agent sent, and what the value was made of beside it
      add column rotation_salt bytea,
      add column rotation_wanted_at timestamptz(3), -- null once the new value was used
      add check ((previous_digest is null) = (previous_until is null)),
      add check (kind = 'robot' or (previous_digest is null and rotation_wanted_at is null));
    create unique index tokens_by_previous_digest on tokens (previous_digest) where previous_digest is not null;
    create index tokens_rotation_wanted on tokens (org_id, robot_id) where rotation_wanted_at is not null;
    -- What is written again and again finds room on its page.
    alter table tokens set (fillfactor = 80);
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
