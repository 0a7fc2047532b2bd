import type { Knex } from 'knex';
import type { Hint } from '../../../platform/bus/bus.ts';
import { releaseTargets } from '../admission/release-targets.ts';
import { freeCaused, hintsOf } from '../controls/caused.ts';
import { insertDeploymentEvent } from '../events.ts';
import { expiryDays, type DeploymentStatus } from '../model.ts';

/** A rollout in progress is decided on at least this often: robots become unhealthy, time passes. */
export const againSeconds = 5;

interface StartingWave {
  orgId: string;
  deploymentId: string;
  status: DeploymentStatus;
  wave: number;
  lastWave: number;
  isGradual: boolean; // its robots are admitted from the next decision on, at once
}

/**
 * Begins a wave of a rollout whose deployment is locked: its waiting targets may be dispatched, for at least 7 days. With the
 * last wave, robots that joined the fleet meanwhile may receive the deployment too. The next decision is due when one
 * of its robots has ended, in 5 s at the latest, and at once if none waits. Returns the hints to announce.
 */
export async function startWave(trx: Knex, wave: StartingWave): Promise<Hint[]> {
  const key = { orgId: wave.orgId, deploymentId: wave.deploymentId, wave: wave.wave, expiryDays };
  const [started] = await Promise.all([
    trx.raw<{ rows: [{ total: number; waiting: number }] }>(
      `update waves set started_at = clock_timestamp() where org_id = :orgId and deployment_id = :deploymentId and wave = :wave
       returning total, waiting`,
      key,
    ),
    wave.isGradual || releaseTargets(trx, key, 'o.wave = :wave', key),
  ]);
  const { total, waiting } = started.rows[0];
  await trx.raw(
    `update deployments set open_wave = :wave, approved_wave = greatest(approved_wave, :wave), decide_at = clock_timestamp() + make_interval(secs => :seconds),
            waiting_until = greatest(waiting_until, clock_timestamp() + make_interval(days => :expiryDays))
      where org_id = :orgId and id = :deploymentId`,
    { ...key, seconds: waiting === 0 || wave.isGradual ? 0 : againSeconds },
  );
  await insertDeploymentEvent(trx, {
    orgId: wave.orgId,
    deploymentId: wave.deploymentId,
    status: wave.status,
    reason: 'wave_started',
    message: waveText(wave.wave, wave.lastWave, total),
  });
  const freed = wave.wave < wave.lastWave ? [] : await freeCaused(trx, key);
  return hintsOf(wave.orgId, wave.deploymentId, freed);
}

/** As in `wave 2 of 4: 25 robots`. */
const waveText = (wave: number, lastWave: number, robots: number): string =>
  `wave ${wave} of ${lastWave}: ${robots} ${robots === 1 ? 'robot' : 'robots'}`;
