import type { Knex } from 'knex';
import type { Rollout } from '../../../rollout-policies/service.ts';
import { moveApproval } from '../approvals/request-approval.ts';
import { insertDeploymentEvent } from '../events.ts';
import { hasEnded, waveSkipped, type DeploymentStatus } from '../model.ts';

type SkipOutcome =
  | { kind: 'changed' }
  | { kind: 'unchanged' } // it was skipped before
  | { kind: 'refused'; status: DeploymentStatus } // being cancelled, or ended
  | { kind: 'no_rollout' | 'not_begun' | 'last_wave' | 'wave_ended' }
  | { kind: 'no_wave'; lastWave: number };

interface WaveKey {
  orgId: string;
  deploymentId: string;
  wave: number;
}

interface Row {
  status: DeploymentStatus;
  rollout: Rollout | null;
  open_wave: number | null;
  last_wave: number | null;
  approval_wave: number | null;
  has_ended: boolean | null; // the wave
  is_skipped: boolean | null;
}

/**
 * Skips a wave of a rollout that has not ended: the sweeper ends its robots that wait, and if it is the current one the next
 * one begins within a second. What was dispatched continues. Undefined if the org has no such deployment.
 */
export async function requestSkip(
  trx: Knex,
  { reason, ...key }: WaveKey & { reason: string | undefined },
): Promise<SkipOutcome | undefined> {
  const row = await lock(trx, key);
  if (!row) return undefined;
  const { status, rollout, open_wave: openWave, last_wave: lastWave } = row;
  if (!rollout) return { kind: 'no_rollout' };
  if (hasEnded(status) || status === 'cancelling') return { kind: 'refused', status };
  if (openWave === null || lastWave === null) return { kind: 'not_begun' };
  if (key.wave > lastWave) return { kind: 'no_wave', lastWave };
  if (row.is_skipped) return { kind: 'unchanged' };
  if (key.wave === lastWave) return { kind: 'last_wave' };
  if (key.wave < openWave || row.has_ended) return { kind: 'wave_ended' };
  await trx.raw(
    `update waves set skipped_at = clock_timestamp(), ended_at = case when started_at is not null then clock_timestamp() end
      where org_id = :orgId and deployment_id = :deploymentId and wave = :wave`,
    key,
  );
  const robots = await withhold(trx, key);
  if (row.approval_wave === key.wave && status === 'paused')
    await moveApproval(trx, { ...key, rollout, wave: await nextWave(trx, key) });
  if (key.wave === openWave && status !== 'paused')
    await trx.raw(
      'update deployments set decide_at = clock_timestamp() where org_id = :orgId and id = :deploymentId',
      key,
    );
  const text = `wave ${key.wave} of ${lastWave}: ${robots} ${robots === 1 ? 'robot' : 'robots'}`;
  await insertDeploymentEvent(trx, {
    orgId: key.orgId,
    deploymentId: key.deploymentId,
    status,
    reason: waveSkipped,
    message: reason === undefined ? text : `${text}: ${reason}`,
  });
  return { kind: 'changed' };
}

/** The wave is read after the lock, so as the transaction that was waited for left it. */
async function lock(trx: Knex, key: WaveKey): Promise<Row | undefined> {
  await trx.raw('select from deployments where org_id = :orgId and id = :deploymentId for no key update', {
    orgId: key.orgId,
    deploymentId: key.deploymentId,
  });
  const { rows } = await trx.raw<{ rows: Row[] }>(
    `select d.status, d.rollout, d.open_wave, d.last_wave, d.approval_wave, w.ended_at is not null as has_ended, w.skipped_at is not null as is_skipped
       from deployments d left join waves w on w.org_id = d.org_id and w.deployment_id = d.id and w.wave = :wave
      where d.org_id = :orgId and d.id = :deploymentId`,
    { ...key },
  );
  return rows[0];
}

/** From now on, no replica dispatches what waits in the wave. Returns the number of robots. */
async function withhold(trx: Knex, key: WaveKey): Promise<number> {
  const { rows } = await trx.raw<{ rows: [{ robots: number }] }>(
    `with skipped as (
       update targets set reason = '${waveSkipped}', deadline_at = 'infinity'
        where org_id = :orgId and deployment_id = :deploymentId and wave = :wave and status = 'waiting'
       returning org_id, robot_id, deployment_id
     ), withheld as (
       delete from open_targets o using skipped
        where o.org_id = skipped.org_id and o.robot_id = skipped.robot_id and o.deployment_id = skipped.deployment_id
     )
     select count(*) as robots from skipped`,
    { ...key },
  );
  return rows[0].robots;
}

/** The last wave is never skipped, so there is one. */
async function nextWave(trx: Knex, key: WaveKey): Promise<number> {
  const { rows } = await trx.raw<{ rows: [{ wave: number }] }>(
    `select min(wave) as wave from waves
      where org_id = :orgId and deployment_id = :deploymentId and wave > :wave and skipped_at is null`,
    { ...key },
  );
  return rows[0].wave;
}
