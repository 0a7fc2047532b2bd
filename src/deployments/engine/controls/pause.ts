import type { Knex } from 'knex';
import type { Hint } from '../../../platform/bus/bus.ts';
import { takeBack } from '../admission/release-targets.ts';
import { hintsOf, lockWithCaused } from './caused.ts';
import { insertDeploymentEvent } from '../events.ts';
import { begunStatuses, expiryDays, hasEnded, type DeploymentStatus } from '../model.ts';

type ControlOutcome =
  | { kind: 'changed'; announce: Hint[] }
  | { kind: 'unchanged' } // it is so already
  | { kind: 'needs_approval' }
  | { kind: 'refused'; status: DeploymentStatus }; // it has ended, or is being cancelled

interface Control {
  orgId: string;
  deploymentId: string;
  reason: string | undefined; // for people
}

/** Why a deployment is paused. */
export type PauseCode = 'requested' | 'wave_ended' | 'wave_failed' | 'aborted' | 'approval' | 'superseded';

/**
 * Pauses a deployment, in one transaction whatever its size: dispatch locks the same row, so none of its targets is
 * dispatched after the commit. Undefined if the org has no such deployment.
 */
export async function requestPause(
  trx: Knex,
  control: Control,
  code: PauseCode = 'requested',
): Promise<ControlOutcome | undefined> {
  const before = (await lockWithCaused(trx, control)).own?.status;
  if (before === undefined) return undefined;
  if (hasEnded(before) || before === 'cancelling') return { kind: 'refused', status: before };
  if (before === 'paused') return { kind: 'unchanged' };
  await Promise.all([
    trx.raw(
      `update deployments set status = 'paused', paused_at = clock_timestamp(), pause_reason = :reason, pause_code = :code, decide_at = null
        where org_id = :orgId and id = :deploymentId`,
      { ...bindingsOf(control), code },
    ),
    trx.raw(
      // No soak time passes while nobody decides; the resume begins it again.
      `update waves set soak_started_at = null, disturbed_since = null
        where org_id = :orgId and deployment_id = :deploymentId and ended_at is null and coalesce(soak_started_at, disturbed_since) is not null`,
      bindingsOf(control),
    ),
    insertDeploymentEvent(trx, { ...eventOf(control, 'paused'), ...(code !== 'requested' && { reason: code }) }),
  ]);
  return { kind: 'changed', announce: [] };
}

/**
 * Continues a paused deployment. Its waiting targets, and those of deployments that it caused, get the time back that
 * they were paused. Failures of a rollout until now are accepted, and count no longer.
 */
export async function requestResume(trx: Knex, control: Control): Promise<ControlOutcome | undefined> {
  const { own, caused } = await lockWithCaused(trx, control);
  const before = own?.status;
  if (before === undefined) return undefined;
  if (hasEnded(before) || before === 'cancelling') return { kind: 'refused', status: before };
  if (before !== 'paused') return { kind: 'unchanged' };
  if (own?.needsApproval) return { kind: 'needs_approval' };
  if (own?.isGradual) await takeBack(trx, control); // since then, other robots may have become unavailable
  const { rows } = await trx.raw<{ rows: [{ status: DeploymentStatus }] }>(
    `update deployments d
        set status = case when d.started_at is null then 'scheduled'
                          when exists (select from deployment_counts c where c.org_id = d.org_id and c.deployment_id = d.id and ${begunStatuses.map((each) => `c.${each}`).join(' + ')} > 0)
                          then 'in_progress' else 'pending' end,
            waiting_until = greatest(d.waiting_until, d.started_at + make_interval(days => :expiryDays)) + (clock_timestamp() - d.paused_at),
            due_at = case when d.started_at is null then greatest(d.due_at, date_trunc('milliseconds', now())) else d.due_at end,
            pause_reason = null, pause_code = null,
            decide_at = case when d.open_wave is not null then clock_timestamp() end,
            accepted_at = case when d.open_wave is not null then clock_timestamp() end
      where d.org_id = :orgId and d.id = :deploymentId returning status`,
    { ...bindingsOf(control), expiryDays },
  );
  const [{ status }] = rows;
  await Promise.all([
    trx.raw(
      `update deployments d
          set waiting_until = greatest(d.waiting_until, d.started_at + make_interval(days => :expiryDays)) + (clock_timestamp() - greatest(cause.paused_at, d.started_at))
         from deployments cause
        where cause.org_id = :orgId and cause.id = :deploymentId and d.org_id = :orgId and d.cause_id = cause.id and d.ended_at is null and d.status <> 'paused'`,
      { ...bindingsOf(control), expiryDays },
    ),
    insertDeploymentEvent(trx, eventOf(control, status)),
  ]);
  await trx.raw(
    `update deployment_counts c set next_deadline_at = least(c.next_deadline_at, d.waiting_until) from deployments d
      where d.org_id = :orgId and (d.id = :deploymentId or d.cause_id = :deploymentId and d.ended_at is null)
        and d.waiting_until is not null and c.org_id = d.org_id and c.deployment_id = d.id`,
    bindingsOf(control),
  );
  const { orgId, deploymentId } = control;
  const announce: Hint[] =
    status === 'scheduled'
      ? [{ topic: 'deployment_due', orgId }]
      : hintsOf(
          orgId,
          deploymentId,
          caused.map(({ id }) => id),
        );
  return { kind: 'changed', announce };
}

/** The reason of the author: that of an event is a code. */
const eventOf = ({ orgId, deploymentId, reason }: Control, status: DeploymentStatus) => ({
  ...{ orgId, deploymentId, status },
  message: reason,
});

const bindingsOf = ({ orgId, deploymentId, reason }: Control) => ({ orgId, deploymentId, reason: reason ?? null });
