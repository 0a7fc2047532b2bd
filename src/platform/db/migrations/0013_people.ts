import type { Knex } from 'knex';

/** People who sign in, their users, and their browser sessions. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- A person as an identity provider knows it. No email is unique: the subject is who it is.
    create table people (
      id uuid primary key,
      issuer text not null,
      subject text not null,
      email text not null, -- lower case, as the provider told it last
      name text,
      created_at timestamptz(3) not null default now(),
      signed_in_at timestamptz(3) not null default now(),
      unique (issuer, subject)
    );

    -- None for a user who was invited and has not signed in yet.
    alter table users add column person_id uuid references people;
    create unique index users_of_person on users (person_id, org_id) where person_id is not null;
    create index users_invited on users (email) where person_id is null;

    alter table orgs add column requested_by uuid references people; -- none for one that the service's operator made
    create index orgs_requested on orgs (requested_by) where requested_by is not null;

    create table portal_sessions (
      digest bytea primary key, -- of the cookie's value
      previous_digest bytea unique, -- good for a minute after the last change
      person_id uuid not null references people on delete cascade,
      org_id uuid, -- the one that was chosen
      csrf text not null,
      created_at timestamptz(3) not null default now(),
      seen_at timestamptz(3) not null default now(),
      rotated_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null
    );
    create index portal_sessions_of_person on portal_sessions (person_id);
    create index portal_sessions_by_end on portal_sessions (expires_at);

    -- A browser on its way to the provider and back.
    create table sign_ins (
      digest bytea primary key, -- of the cookie's value
      state text not null,
      nonce text not null,
      verifier text not null,
      return_to text not null,
      expires_at timestamptz(3) not null
    );
    create index sign_ins_by_end on sign_ins (expires_at);

    -- What a client exchanges for a token. A used one stays until it expires, so that a second use is noticed.
    create table sign_in_codes (
      digest bytea primary key,
      person_id uuid not null references people on delete cascade,
      org_ids uuid[] not null,
      challenge text not null, -- S256, base64url
      redirect_uri text not null,
      label text,
      token_hours integer not null, -- how long the token lives that it is exchanged for
      expires_at timestamptz(3) not null,
      used_at timestamptz(3),
      token_id uuid
    );
    create index sign_in_codes_of_person on sign_in_codes (person_id);
    create index sign_in_codes_by_end on sign_in_codes (expires_at);
  `);
}

/** Migrations go forward only. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
