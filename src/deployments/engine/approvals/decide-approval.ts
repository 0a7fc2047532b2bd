import type { Knex } from 'knex';
import { hasAtLeastRole, type Role } from '../../../kernel/caller.ts';
import type { Hint } from '../../../platform/bus/bus.ts';
import type { Rollout } from '../../../rollout-policies/service.ts';
import { requestCancel } from '../controls/cancel.ts';
import { requestResume } from '../controls/pause.ts';
import { insertDeploymentEvent } from '../events.ts';
import { beginning, lapseApprovals, secondsOf } from './request-approval.ts';

/** A person, or the org for all of its tokens. */
export interface Decider {
  kind: 'user' | 'org';
  id: string;
}

interface ApprovalDecision {
  orgId: string;
  deploymentId: string;
  by: Decider & { role: Role };
  decision: 'approve' | 'reject';
  planHash: string;
  wave: number | undefined; // undefined: the beginning, as what the deployment waits for
  reason: string | undefined; // for people
}

type ApprovalOutcome =
  | { kind: 'changed'; announce: Hint[] }
  | { kind: 'unchanged' } // this person decided so before
  | { kind: 'author' | 'not_waiting' | 'other_plan' | 'wave_missing' }
  | { kind: 'other_wave'; wave: number } // that it waits for
  | { kind: 'role'; least: Role };

interface Row {
  author_id: string | null;
  approval_hash: string | null;
  approval_wave: number | null;
  approval_expires_at: Date | null;
  is_expired: boolean;
  rollout: Rollout | null;
}

/**
 * Records that a person approves or rejects what a deployment waits for. With the last approval that it needs, it begins, or
 * its next wave does. All of it happens under the lock of the deployment. Undefined if the org has no such deployment.
 */
export async function decideApproval(trx: Knex, wish: ApprovalDecision): Promise<ApprovalOutcome | undefined> {
  const key = { orgId: wish.orgId, deploymentId: wish.deploymentId };
  const { rows } = await trx.raw<{ rows: Row[] }>(
    // It keeps what it waited for if it was cancelled meanwhile.
    `select author_id, approval_hash, case when status = 'paused' then approval_wave end as approval_wave, approval_expires_at, rollout,
            coalesce(approval_expires_at <= clock_timestamp(), false) as is_expired
       from deployments where org_id = :orgId and id = :deploymentId for no key update`,
    key,
  );
  const [row] = rows;
  if (!row) return undefined;
  const { rollout, approval_wave: wave } = row;
  if (!rollout?.approval) return { kind: 'not_waiting' };
  if (row.author_id === wish.by.id) return { kind: 'author' };
  if (!hasAtLeastRole(wish.by.role, rollout.approval.role)) return { kind: 'role', least: rollout.approval.role };
  if (row.approval_hash !== wish.planHash) return { kind: 'other_plan' };
  if (await hasDecided(trx, wish, wave)) return { kind: 'unchanged' };
  if (wave === null || row.is_expired) return { kind: 'not_waiting' };
  // All waves have one plan hash, so it does not say which of them was read.
  if (wish.wave === undefined && wave > beginning) return { kind: 'wave_missing' };
  if (wish.wave !== undefined && wish.wave !== wave) return { kind: 'other_wave', wave };
  await insertDecision(trx, wish, wave);
  if (wish.decision === 'reject') return { kind: 'changed', announce: await reject(trx, wish, wave) };
  await insertDeploymentEvent(trx, { ...key, status: 'paused', reason: 'approved', message: wish.reason });
  const given = await countApprovals(trx, key, wave);
  if (given >= rollout.approval.people) return { kind: 'changed', announce: await goAhead(trx, key, wave) };
  if (row.approval_expires_at === null) await restartTime(trx, key, rollout);
  return { kind: 'changed', announce: [] };
}

/** The same decision on what the deployment waits for, or, if it waits no longer, on what it waited for. */
async function hasDecided(trx: Knex, wish: ApprovalDecision, wave: number | null): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `select from deployment_approvals
      where org_id = :orgId and deployment_id = :deploymentId and by_id = :by and decision = :decision and lapsed_at is null
        and wave = coalesce(:wave::smallint, wave) and wave = coalesce(:awaited::smallint, (
          select l.wave from deployment_approvals l where l.org_id = :orgId and l.deployment_id = :deploymentId order by l.seq desc limit 1))
      limit 1`,
    {
      orgId: wish.orgId,
      deploymentId: wish.deploymentId,
      by: wish.by.id,
      decision: wish.decision,
      wave: wish.wave ?? null,
      awaited: wave,
    },
  );
  return rows.length > 0;
}

const insertDecision = (
  trx: Knex,
  { orgId, deploymentId, by, decision, planHash, reason }: ApprovalDecision,
  wave: number,
) =>
  trx.raw(
    `insert into deployment_approvals (org_id, deployment_id, wave, decision, plan_hash, by_kind, by_id, reason)
     values (:orgId, :deploymentId, :wave, :decision, :planHash, :kind, :by, :reason)`,
    { orgId, deploymentId, wave, decision, planHash, kind: by.kind, by: by.id, reason: reason ?? null },
  );

async function countApprovals(trx: Knex, key: { orgId: string; deploymentId: string }, wave: number): Promise<number> {
  const { rows } = await trx.raw<{ rows: [{ count: number }] }>(
    `select count(*) as count from deployment_approvals
      where org_id = :orgId and deployment_id = :deploymentId and wave = :wave and decision = 'approve' and lapsed_at is null`,
    { ...key, wave },
  );
  return rows[0].count;
}

/** One that was paused meanwhile stays paused until a resume. */
async function goAhead(trx: Knex, key: { orgId: string; deploymentId: string }, wave: number): Promise<Hint[]> {
  const { rows } = await trx.raw<{ rows: [{ only_waited: boolean }] }>(
    `update deployments set approval_wave = null, approval_expires_at = null, approved_wave = greatest(:wave::smallint, 1)
      where org_id = :orgId and id = :deploymentId returning pause_code = 'approval' as only_waited`,
    { ...key, wave },
  );
  if (!rows[0].only_waited) return [];
  // People approve a wave by its plan, not what failed meanwhile: an abort rule may still end it.
  const outcome = await requestResume(trx, { ...key, reason: undefined }, { acceptsFailures: false });
  return outcome?.kind === 'changed' ? outcome.announce : [];
}

/** What has not begun is cancelled. Before a further wave it stays paused: its robots keep what they have. */
async function reject(trx: Knex, { orgId, deploymentId, reason }: ApprovalDecision, wave: number): Promise<Hint[]> {
  const key = { orgId, deploymentId };
  await lapseApprovals(trx, key);
  await trx.raw(
    `update deployments set approval_wave = null, approval_expires_at = null, pause_code = 'rejected', pause_reason = :reason
      where org_id = :orgId and id = :deploymentId`,
    { ...key, reason: reason ?? null },
  );
  if (wave > beginning) {
    await insertDeploymentEvent(trx, { ...key, status: 'paused', reason: 'rejected', message: reason });
    return [];
  }
  const outcome = await requestCancel(trx, orgId, deploymentId, { reason: 'rejected', message: reason });
  return outcome?.kind === 'changed' ? outcome.announce : [];
}

/** The time of a wave whose approvals lapsed begins with the next one. */
const restartTime = (trx: Knex, key: { orgId: string; deploymentId: string }, rollout: Rollout) =>
  trx.raw(
    `update deployments set approval_expires_at = clock_timestamp() + make_interval(secs => :seconds)
      where org_id = :orgId and id = :deploymentId`,
    { ...key, seconds: secondsOf(rollout) },
  );
