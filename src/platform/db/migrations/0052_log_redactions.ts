import type { Knex } from 'knex';

/**
 * Rules for what is removed from log records before they are stored. Each org has the built-in rules, of which the
 * service knows the patterns; a row says whether the org has one enabled. An org that is added gets them by a trigger,
 * so also one that a replica of the previous release adds.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table log_redactions (
      org_id uuid not null references orgs,
      id uuid not null,
      name text not null,
      pattern text not null, -- of a built-in rule: what it finds, in words
      replacement text, -- null: '[redacted: <name>]'
      enabled boolean not null default true,
      builtin boolean not null default false,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (org_id, id)
    );
    create unique index log_redactions_by_name on log_redactions (org_id, name_key(name));
    create index log_redactions_in_order on log_redactions (org_id, created_at, id);
    -- Look-ups by the last digits of an ID, as of all other lists: see 0022.
    create index log_redactions_by_id_end on log_redactions (org_id, (reverse(id::text) collate "C"));

    create function add_builtin_redactions(org uuid) returns void language sql as $$
      insert into log_redactions (org_id, id, name, pattern, builtin)
      select org, gen_random_uuid(), name, pattern, true
        from (values
          ('service-token', 'a token of this service: svc_org_, svc_user_, svc_robot_, svc_enroll_ or svc_ticket_ with 16 or more hex digits'),
          ('aws-key', 'an AWS access key ID, or the value of aws_secret_access_key'),
          ('github-token', 'a GitHub token: ghp_, gho_, ghu_, ghs_, ghr_ or github_pat_ with 20 or more characters'),
          ('gitlab-token', 'a GitLab token: glpat-, glrt-, glcbt-, gldt- or glptt- with 20 or more characters'),
          ('slack-token', 'a Slack token: xoxa-, xoxb-, xoxe-, xoxp-, xoxr-, xoxs- or xapp- with 10 or more characters'),
          ('jwt', 'a JSON Web Token'),
          ('authorization-header', 'the credentials after Authorization: and Bearer, Basic, Token or ApiKey, or after Bearer alone'),
          ('private-key', 'a PEM private key, up to its end line or the end of the text'),
          ('url-password', 'the password in a URL such as scheme://user:password@host')
        ) as rule(name, pattern)
    $$;
    create function orgs_redactions_added() returns trigger language plpgsql as $$
    begin
      perform add_builtin_redactions(new.id);
      return null;
    end $$;
    create trigger orgs_redactions_added after insert on orgs for each row execute function orgs_redactions_added();
    select add_builtin_redactions(id) from orgs;
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
