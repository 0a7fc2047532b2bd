import type { Knex } from 'knex';
import { badRequest } from '../../../kernel/errors.ts';
import { plainArray } from '../../../platform/db/arrays.ts';
import { namedBindings } from '../../../platform/db/named-bindings.ts';
import { readRollout, type Rollout, type RolloutWave } from '../../../rollout-policies/service.ts';
import { insertDeploymentEvent } from '../events.ts';
import { hasEnded, targetStatuses, type DeploymentStatus } from '../model.ts';
import { orderOf, readWaves, type RobotWave } from '../rollouts/read-waves.ts';

type WavesOutcome =
  | { kind: 'changed' }
  | { kind: 'refused'; status: DeploymentStatus } // being cancelled, or ended
  | { kind: 'no_rollout' | 'not_begun' | 'approved' | 'last_wave' }
  | { kind: 'no_wave'; lastWave: number }
  | { kind: 'wave_begun'; next: number } // the first that has not
  | { kind: 'wave_skipped'; wave: number }; // the last of them

interface WavesChange {
  orgId: string;
  deploymentId: string;
  from: number;
  waves: readonly RolloutWave[];
  reason: string | undefined; // for people
}

interface Row {
  status: DeploymentStatus;
  rollout: Rollout | null;
  open_wave: number | null;
  last_wave: number | null;
  is_rollback: boolean;
}

/** Most waves of a rollout, as the contract says. */
const maxWaves = 20;

/**
 * Replaces the waves of a rollout from one on that has not begun: their robots that wait are assigned again. Undefined if the
 * org has no such deployment.
 * @throws bad_request if the waves do not fit to those that stay
 */
export async function changeWaves(trx: Knex, change: WavesChange): Promise<WavesOutcome | undefined> {
  const { orgId, deploymentId, from, reason } = change;
  const key = { orgId, deploymentId };
  const { rows } = await trx.raw<{ rows: Row[] }>(
    `select status, rollout, open_wave, last_wave, rollback_of is not null as is_rollback from deployments
      where org_id = :orgId and id = :deploymentId for no key update`,
    key,
  );
  const [row] = rows;
  if (!row) return undefined;
  const { status, rollout, open_wave: openWave, last_wave: lastWave } = row;
  if (!rollout) return { kind: 'no_rollout' };
  if (hasEnded(status) || status === 'cancelling') return { kind: 'refused', status };
  if (openWave === null || lastWave === null) return { kind: 'not_begun' };
  if (rollout.approval) return { kind: 'approved' };
  if (from > lastWave) return { kind: 'no_wave', lastWave };
  if (openWave >= lastWave) return { kind: 'last_wave' };
  if (from <= openWave) return { kind: 'wave_begun', next: openWave + 1 };
  const skipped = await lastSkipped(trx, change);
  if (skipped !== null) return { kind: 'wave_skipped', wave: skipped };
  const waves = joined(rollout, change);
  const assigned = await assignAgain(trx, change, row);
  // Also if no robot is left: the current wave stays one that another follows.
  const newLast = Math.max(from, waves.length, ...new Set(assigned.map(({ wave }) => wave)));
  const sizes = await writeWaves(trx, change, assigned, newLast);
  await trx.raw(
    `update deployments set rollout = jsonb_set(rollout, '{waves}', :waves::jsonb), last_wave = :newLast,
            decide_at = case when status in ('pending', 'in_progress') then clock_timestamp() else decide_at end
      where org_id = :orgId and id = :deploymentId`,
    { ...key, newLast, waves: JSON.stringify(waves) },
  );
  const text = sizes.map(({ wave, total }) => `wave ${wave}: ${total} ${total === 1 ? 'robot' : 'robots'}`).join(', ');
  await insertDeploymentEvent(trx, {
    ...key,
    status,
    reason: 'waves_changed',
    message: reason === undefined ? text : `${text}: ${reason}`,
  });
  return { kind: 'changed' };
}

/** The latest skipped wave that would be replaced: its robots ended by it. */
async function lastSkipped(trx: Knex, { orgId, deploymentId, from }: WavesChange): Promise<number | null> {
  const { rows } = await trx.raw<{ rows: [{ wave: number | null }] }>(
    `select max(wave) as wave from waves
      where org_id = :orgId and deployment_id = :deploymentId and wave >= :from and skipped_at is not null`,
    { orgId, deploymentId, from },
  );
  return rows[0].wave;
}

/** The waves that stay, and the new ones. @throws bad_request */
function joined(rollout: Rollout, { from, waves }: WavesChange): RolloutWave[] {
  const all = [...rollout.waves.slice(0, from - 1), ...waves];
  if (all.length > maxWaves)
    throw badRequest(`body.waves: the rollout would have ${all.length} waves, and can have ${maxWaves}`);
  readRollout('body', { waves: all });
  return all;
}

/** The robots of these waves that wait, each with its new wave. Percentages are of all robots of the deployment. */
async function assignAgain(
  trx: Knex,
  { orgId, deploymentId, from, waves }: WavesChange,
  { is_rollback: isRollback }: Row,
): Promise<RobotWave[]> {
  const { rows } = await trx.raw<{ rows: [{ total: number }] }>(
    'select total from deployment_counts where org_id = :orgId and deployment_id = :deploymentId',
    { orgId, deploymentId },
  );
  const bindings = namedBindings({ orgId, deploymentId });
  const isTarget = `r.id in (select t.robot_id from targets t
    where t.org_id = :orgId and t.deployment_id = :deploymentId and t.wave >= ${bindings.bind(String(from))}::smallint and t.status = 'waiting')`;
  const robots = { orgId, isTarget, bindings };
  const found = await readWaves(trx, robots, orderOf({ isRollback }), { waves: [...waves] }, rows[0].total);
  return found.map(({ id, wave }) => ({ id, wave: wave + from - 1 }));
}

/** Robots that ended before their wave, as they were removed, stay in theirs, or are in the last one. */
async function writeWaves(
  trx: Knex,
  { orgId, deploymentId, from }: WavesChange,
  robots: readonly RobotWave[],
  lastWave: number,
): Promise<{ wave: number; total: number }[]> {
  const key = { orgId, deploymentId, from, lastWave };
  await trx.raw(
    `update targets t set wave = least(coalesce(k.wave, t.wave), :lastWave)
       from targets o left join unnest(:ids::uuid[], :waves::smallint[]) as k (id, wave) on k.id = o.robot_id
      where o.org_id = :orgId and o.deployment_id = :deploymentId and o.wave >= :from and least(coalesce(k.wave, o.wave), :lastWave) <> o.wave
        and t.org_id = o.org_id and t.deployment_id = o.deployment_id and t.robot_id = o.robot_id`,
    { ...key, ids: plainArray(robots.map(({ id }) => id)), waves: plainArray(robots.map(({ wave }) => wave)) },
  );
  await trx.raw('delete from waves where org_id = :orgId and deployment_id = :deploymentId and wave >= :from', key);
  const { rows } = await trx.raw<{ rows: { wave: number; total: number }[] }>(
    `insert into waves (org_id, deployment_id, wave, total, ${targetStatuses.join(', ')})
     select :orgId, :deploymentId, n, count(t.wave), ${targetStatuses.map((each) => `count(*) filter (where t.status = '${each}')`).join(', ')}
       from generate_series(:from::int, :lastWave::int) as n
       left join targets t on t.org_id = :orgId and t.deployment_id = :deploymentId and t.wave = n group by n
     returning wave, total`,
    key,
  );
  return rows.sort((one, other) => one.wave - other.wave);
}
