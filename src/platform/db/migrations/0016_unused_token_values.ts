import type { Knex } from 'knex';

/** A second, still unused value of a robot's token. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- The value that was handed out before the present one while neither was used: valid until the present one is used first,
    alter table tokens
      add column unused_digest bytea,
      add column unused_until timestamptz(3), -- and no longer than this
      add column unused_nonce bytea, -- as rotation_nonce and rotation_salt of the present value
      add column unused_salt bytea;
    create unique index tokens_by_unused_digest on tokens (unused_digest) where unused_digest is not null;
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
