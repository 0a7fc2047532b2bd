import type { Knex } from 'knex';

/**
 * Approvals of rollouts, and what a newer deployment does with older ones for the same robots.
 *
 * A replica of the previous release knows neither. The checks let it create no deployment that needs approval, since it
 * binds none to a plan, and neither resume one that waits for approval nor begin a deployment or a wave that nobody
 * approved. It also begins no deployment that finishes or pauses older ones, as it does not fill in `overlaps_decided_at`.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table deployments
      add column author_kind text check (author_kind in ('user', 'org')), -- null: of the service, or from an earlier release
      add column author_id uuid,
      add column approval_hash text, -- of the plan that people approve; null: it needs no approval
      add column approval_wave smallint, -- that waits for approval, 0: the deployment itself; null: none waits
      add column approval_expires_at timestamptz(3), -- null also after approvals of a wave lapsed, until the next one
      add column approved_wave smallint, -- the latest wave that people approved
      add column blocked_by uuid[], -- deployments that were to end first when it was last due
      add column overlaps_decided_at timestamptz(3), -- when it was decided what becomes of older deployments for its robots
      add constraint deployments_approval_bound check (rollout -> 'approval' is null or approval_hash is not null),
      add constraint deployments_approval_awaited check (approval_wave is null or status not in ('scheduled', 'pending', 'in_progress')),
      add constraint deployments_approved check (
        rollout -> 'approval' is null or started_at is null or coalesce(approved_wave, 0) >=
          case when rollout -> 'advance' ->> 'then' = 'approval' then greatest(open_wave, 1) else 1 end),
      add constraint deployments_overlaps check (
        coalesce(rollout ->> 'supersede', 'replace') = 'replace' or started_at is null or overlaps_decided_at is not null);
    create index deployments_awaiting_approval on deployments (org_id, created_at, id) where approval_wave is not null and ended_at is null;
    create index deployments_approvals_expiring on deployments (approval_expires_at) where approval_wave is not null and ended_at is null;

    create table deployment_approvals (
      org_id uuid not null,
      deployment_id uuid not null,
      seq integer generated always as identity,
      wave smallint not null, -- 0: the deployment itself
      decision text not null check (decision in ('approve', 'reject')),
      plan_hash text not null,
      by_kind text not null check (by_kind in ('user', 'org')),
      by_id uuid not null, -- of the user; of the org for its tokens, which together count as one
      reason text, -- for people
      at timestamptz(3) not null default clock_timestamp(),
      lapsed_at timestamptz(3), -- when it stopped counting
      primary key (org_id, deployment_id, seq)
    );
    create unique index deployment_approvals_once on deployment_approvals (org_id, deployment_id, wave, by_id)
      where decision = 'approve' and lapsed_at is null;
  `);
}

/** Migrations go forward only: undo it with a new migration. */
export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
