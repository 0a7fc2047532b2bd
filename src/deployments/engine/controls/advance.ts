import type { Knex } from 'knex';
import { insertDeploymentEvent } from '../events.ts';
import type { DeploymentStatus } from '../model.ts';

type AdvanceOutcome =
  | { kind: 'changed' }
  | { kind: 'unchanged' } // it was requested before
  | { kind: 'refused'; status: DeploymentStatus } // paused, being cancelled, ended, or not begun
  | { kind: 'no_rollout' }
  | { kind: 'needs_approval' }
  | { kind: 'last_wave' };

interface Row {
  status: DeploymentStatus;
  has_rollout: boolean;
  needs_approval: boolean;
  open_wave: number | null;
  last_wave: number | null;
}

/**
 * Ends the current wave of a rollout, whatever it waits for: the next one begins within a second. Undefined if the org
 * has no such deployment.
 */
export async function requestAdvance(
  trx: Knex,
  { orgId, deploymentId, reason }: { orgId: string; deploymentId: string; reason: string | undefined },
): Promise<AdvanceOutcome | undefined> {
  const key = { orgId, deploymentId };
  const { rows } = await trx.raw<{ rows: Row[] }>(
    `select status, rollout is not null as has_rollout, approval_wave is not null and status = 'paused' as needs_approval, open_wave, last_wave from deployments
      where org_id = :orgId and id = :deploymentId for no key update`,
    key,
  );
  const [row] = rows;
  if (!row) return undefined;
  const { status, open_wave: wave, last_wave: lastWave } = row;
  if (!row.has_rollout) return { kind: 'no_rollout' };
  if (row.needs_approval) return { kind: 'needs_approval' };
  if ((status !== 'pending' && status !== 'in_progress') || wave === null || lastWave === null)
    return { kind: 'refused', status };
  if (wave >= lastWave) return { kind: 'last_wave' };
  const ended = await trx.raw<{ rowCount: number }>(
    `update waves set ended_at = clock_timestamp()
      where org_id = :orgId and deployment_id = :deploymentId and wave = :wave and ended_at is null`,
    { ...key, wave },
  );
  if (ended.rowCount === 0) return { kind: 'unchanged' };
  await Promise.all([
    trx.raw('update deployments set decide_at = clock_timestamp() where org_id = :orgId and id = :deploymentId', key),
    insertDeploymentEvent(trx, { ...key, status, reason: 'wave_ended', message: reason }),
  ]);
  return { kind: 'changed' };
}
