import type { Knex } from 'knex';
import { parseDuration } from '../../../kernel/duration.ts';
import type { Rollout } from '../../../rollout-policies/service.ts';
import { requestPause } from '../controls/pause.ts';

/** The deployment itself, as what waits for approval; waves count from 1. */
export const beginning = 0;

/**
 * Lets a deployment, which is locked or new, wait until people approve that it begins, or that its next wave does.
 * `reason`: what the rollout counted, for people.
 */
export async function requestApproval(
  trx: Knex,
  wanted: { orgId: string; deploymentId: string; rollout: Rollout; wave: number; reason: string | undefined },
): Promise<void> {
  const { orgId, deploymentId, rollout, wave, reason } = wanted;
  const outcome = await requestPause(trx, { orgId, deploymentId, reason }, 'approval');
  if (outcome?.kind !== 'changed') return;
  await trx.raw(
    // A wave that was rejected before is decided on anew.
    `update deployment_approvals set lapsed_at = clock_timestamp()
      where org_id = :orgId and deployment_id = :deploymentId and wave = :wave and lapsed_at is null`,
    { orgId, deploymentId, wave },
  );
  await awaitApproval(trx, { orgId, deploymentId, rollout, wave });
}

/** Lets a deployment that waits for approval of a skipped wave wait for that of the next one: nobody has approved that yet. */
export async function moveApproval(
  trx: Knex,
  { orgId, deploymentId, rollout, wave }: { orgId: string; deploymentId: string; rollout: Rollout; wave: number },
): Promise<void> {
  await lapseApprovals(trx, { orgId, deploymentId });
  await awaitApproval(trx, { orgId, deploymentId, rollout, wave });
}

const awaitApproval = (
  trx: Knex,
  { orgId, deploymentId, rollout, wave }: { orgId: string; deploymentId: string; rollout: Rollout; wave: number },
) =>
  trx.raw(
    `update deployments set approval_wave = :wave, approval_expires_at = clock_timestamp() + make_interval(secs => :seconds)
      where org_id = :orgId and id = :deploymentId`,
    { orgId, deploymentId, wave, seconds: secondsOf(rollout) },
  );

/** For how long a rollout waits for approval. */
export const secondsOf = ({ approval }: Rollout): number => parseDuration(approval?.expires ?? '') ?? 0; // checked when it was created

/** Approvals of the wave that a deployment waits for count no longer. Returns how many did. */
export async function lapseApprovals(trx: Knex, key: { orgId: string; deploymentId: string }): Promise<number> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `update deployment_approvals a set lapsed_at = clock_timestamp() from deployments d
      where d.org_id = :orgId and d.id = :deploymentId and a.org_id = d.org_id and a.deployment_id = d.id
        and a.wave = d.approval_wave and a.decision = 'approve' and a.lapsed_at is null`,
    { orgId: key.orgId, deploymentId: key.deploymentId },
  );
  return rowCount;
}
