import type { Knex } from 'knex';
import type { Hint } from '../../../platform/bus/bus.ts';
import { takeBack } from '../admission/release-targets.ts';
import { plainArray } from '../../../platform/db/arrays.ts';
import { hintsOf, lockWithCaused } from './caused.ts';
import { insertStatusEvents } from '../events.ts';
import { begunStatuses, expiryDays, hasEnded, type DeploymentStatus, type PauseCode } from '../model.ts';

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

/** Deployments of an org that are locked, and why they change, for people. */
interface LockedDeployments {
  orgId: string;
  ids: readonly string[];
  reason: string | undefined;
}

/**
 * Pauses a deployment, in one transaction whatever its size: dispatch locks the same row, so none of its targets is
 * dispatched after the commit. Undefined if the org has no such deployment.
 */
export async function requestPause(
  trx: Knex,
  { orgId, deploymentId, reason }: Control,
  code: PauseCode = 'requested',
): Promise<ControlOutcome | undefined> {
  const { own } = await lockWithCaused(trx, { orgId, deploymentId });
  if (!own) return undefined;
  const { status: before } = own;
  if (hasEnded(before) || before === 'cancelling') return { kind: 'refused', status: before };
  if (before === 'paused' && !(endsItself(own.pauseCode) && staysPaused(code))) return { kind: 'unchanged' };
  await pauseLocked(trx, { orgId, ids: [deploymentId], reason }, code);
  return { kind: 'changed', announce: [] };
}

/** Such a pause ends with a thaw or the last approval. It gives way to one that stays, and only a resume ends that. */
const endsItself = (code: PauseCode | undefined): boolean => code === 'frozen' || code === 'approval';
const staysPaused = (code: PauseCode): boolean => code === 'requested' || code === 'superseded';

/** Pauses deployments that have not ended and are not being cancelled. */
export async function pauseLocked(
  trx: Knex,
  { orgId, ids, reason }: LockedDeployments,
  code: PauseCode,
): Promise<void> {
  const bindings = { orgId, ids: plainArray(ids), reason: reason ?? null, code };
  await Promise.all([
    trx.raw(
      `update deployments set status = 'paused', paused_at = case when status = 'paused' then paused_at else clock_timestamp() end,
              pause_reason = :reason, pause_code = :code, decide_at = null
        where org_id = :orgId and id = any(:ids::uuid[])`,
      bindings,
    ),
    trx.raw(
      // No soak time passes while nobody decides; the resume begins it again.
      `update waves set soak_started_at = null, disturbed_since = null
        where org_id = :orgId and deployment_id = any(:ids::uuid[]) and ended_at is null and coalesce(soak_started_at, disturbed_since) is not null`,
      bindings,
    ),
    insertStatusEvents(trx, { orgId, ids, message: reason, reason: code === 'requested' ? undefined : code }),
  ]);
}

/**
 * Continues a paused deployment. Its waiting targets, and those of deployments that it caused, get the time back that
 * they were paused. One that was paused while it waited for approval waits for that alone. `acceptsFailures`: those of a rollout until now count no longer.
 */
export async function requestResume(
  trx: Knex,
  { orgId, deploymentId, reason }: Control,
  { acceptsFailures } = { acceptsFailures: true },
): Promise<ControlOutcome | undefined> {
  const { own, caused } = await lockWithCaused(trx, { orgId, deploymentId });
  const before = own?.status;
  if (before === undefined) return undefined;
  if (hasEnded(before) || before === 'cancelling') return { kind: 'refused', status: before };
  if (before !== 'paused') return { kind: 'unchanged' };
  if (own?.needsApproval) {
    if (own.pauseCode === 'approval') return { kind: 'needs_approval' };
    await pauseLocked(trx, { orgId, ids: [deploymentId], reason }, 'approval');
    return { kind: 'changed', announce: [] };
  }
  await resumeLocked(trx, { orgId, ids: [deploymentId], reason }, { acceptsFailures });
  const causedIds = caused.map(({ id }) => id);
  if (causedIds.length > 0) await giveTimeBack(trx, { orgId, deploymentId, causedIds });
  return {
    kind: 'changed',
    announce: own?.hasBegun ? hintsOf(orgId, deploymentId, causedIds) : [{ topic: 'deployment_due', orgId }],
  };
}

/** Continues deployments that are paused. `code`: of their events. */
export async function resumeLocked(
  trx: Knex,
  { orgId, ids, reason }: LockedDeployments,
  { acceptsFailures, code }: { acceptsFailures: boolean; code?: string },
): Promise<void> {
  await takeBack(trx, orgId, ids); // since then, other robots may have become unavailable
  const bindings = { orgId, ids: plainArray(ids), expiryDays };
  await trx.raw(
    `update deployments d
        set status = case when d.started_at is null then 'scheduled'
                          when exists (select from deployment_counts c where c.org_id = d.org_id and c.deployment_id = d.id and ${begunStatuses.map((each) => `c.${each}`).join(' + ')} > 0)
                          then 'in_progress' else 'pending' end,
            waiting_until = greatest(d.waiting_until, d.started_at + make_interval(days => :expiryDays)) + (clock_timestamp() - d.paused_at),
            due_at = case when d.started_at is null then greatest(d.due_at, date_trunc('milliseconds', now())) else d.due_at end,
            pause_reason = null, pause_code = null,
            decide_at = case when d.open_wave is not null then clock_timestamp() end,
            accepted_at = case when :acceptsFailures::boolean and d.open_wave is not null then clock_timestamp() else d.accepted_at end
      where d.org_id = :orgId and d.id = any(:ids::uuid[])`,
    { ...bindings, acceptsFailures },
  );
  await Promise.all([
    insertStatusEvents(trx, { orgId, ids, reason: code, message: reason }),
    checkDeadlines(trx, orgId, ids),
  ]);
}

/** The targets of deployments that a paused one caused were held with its own. */
async function giveTimeBack(
  trx: Knex,
  { orgId, deploymentId, causedIds }: { orgId: string; deploymentId: string; causedIds: readonly string[] },
): Promise<void> {
  await trx.raw(
    `update deployments d
        set waiting_until = greatest(d.waiting_until, d.started_at + make_interval(days => :expiryDays)) + (clock_timestamp() - greatest(cause.paused_at, d.started_at))
       from deployments cause
      where cause.org_id = :orgId and cause.id = :deploymentId and d.org_id = :orgId and d.id = any(:causedIds::uuid[]) and d.status <> 'paused'`,
    { orgId, deploymentId, causedIds: plainArray(causedIds), expiryDays },
  );
  await takeBack(trx, orgId, causedIds); // as in `resumeLocked`
  await checkDeadlines(trx, orgId, causedIds);
}

/** Lets the sweeper look at targets when they no longer wait. */
const checkDeadlines = (trx: Knex, orgId: string, ids: readonly string[]) =>
  trx.raw(
    `update deployment_counts c set next_deadline_at = least(c.next_deadline_at, d.waiting_until) from deployments d
      where d.org_id = :orgId and d.id = any(:ids::uuid[]) and d.waiting_until is not null and c.org_id = d.org_id and c.deployment_id = d.id`,
    { orgId, ids: plainArray(ids) },
  );
