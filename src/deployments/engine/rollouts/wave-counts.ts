import type { Knex } from 'knex';
import { nullableArray, plainArray } from '../../../platform/db/arrays.ts';
import { isTerminal, targetStatuses, tooManyOrders, type TargetStatus } from '../model.ts';
import type { TargetChange } from '../transition-batch.ts';

/*
 * What a rollout keeps per wave, besides the counts of its deployment: the robots of each status, and the failures. All
 * of it is written under the lock of the deployment.
 */

interface WaveChange {
  orgId: string;
  deploymentId: string;
  wave: number;
  added: Map<TargetStatus, number>; // some less than 0
}

/** A wave of which robots have applied, and others have not ended: its next decision is due so much later. */
const gatherMs = 250;
/** SQL: robots of the wave `w` that have not ended. Those of a gradual deployment that wait may be admitted by the decision. */
const openOnes = targetStatuses
  .filter((status) => !isTerminal(status))
  .map((status) => `w.${status}`)
  .join(' + ');

/**
 * Adds transitions of targets of rollouts to the counts of their waves. If any ended, a decision is due: at once if one
 * failed, or the wave has no other left.
 */
export async function countInWaves(trx: Knex, changes: readonly TargetChange[]): Promise<void> {
  const waves = changesByWave(changes);
  const failures = changes.filter(({ target: { status } }) => status === 'failed' || status === 'rolled_back');
  const ended = changes.filter(({ target: { status } }) => isTerminal(status));
  await Promise.all([
    updateWaves(trx, waves),
    failures.length > 0 && insertFailures(trx, failures),
    ended.length > 0 && requestDecisions(trx, ended),
  ]);
}

function changesByWave(changes: readonly TargetChange[]): WaveChange[] {
  const waves = new Map<string, WaveChange>();
  for (const { target, before } of changes) {
    const { wave, deployment, status } = target;
    const name = `${deployment.id} ${wave}`;
    const { orgId, id: deploymentId } = deployment;
    const change = waves.get(name) ?? { orgId, deploymentId, wave, added: new Map<TargetStatus, number>() };
    waves.set(name, change);
    change.added.set(before, (change.added.get(before) ?? 0) - 1);
    change.added.set(status, (change.added.get(status) ?? 0) + 1);
  }
  return [...waves.values()];
}

const updateWaves = (trx: Knex, waves: readonly WaveChange[]) =>
  trx.raw(
    `update waves w set ${targetStatuses.map((status) => `${status} = w.${status} + m.${status}`).join(', ')}
       from unnest(?::uuid[], ?::uuid[], ?::smallint[]${', ?::int[]'.repeat(targetStatuses.length)})
            as m (org_id, deployment_id, wave, ${targetStatuses.join(', ')})
      where w.org_id = m.org_id and w.deployment_id = m.deployment_id and w.wave = m.wave`,
    [
      plainArray(waves.map(({ orgId }) => orgId)),
      plainArray(waves.map(({ deploymentId }) => deploymentId)),
      plainArray(waves.map(({ wave }) => wave)),
      ...targetStatuses.map((status) => plainArray(waves.map(({ added }) => added.get(status) ?? 0))),
    ],
  );

const insertFailures = (trx: Knex, changes: readonly TargetChange[]) =>
  trx.raw(
    `insert into rollout_failures (org_id, deployment_id, robot_id, wave, cause)
     select org_id, deployment_id, robot_id, wave, case when is_rejected and ${failureCause} = 'failed' then 'rejected' else ${failureCause} end
       from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::smallint[], ?::text[], ?::text[], ?::boolean[])
            as t (org_id, deployment_id, robot_id, wave, status, reason, is_rejected) on conflict do nothing`,
    [
      plainArray(changes.map(({ target }) => target.deployment.orgId)),
      plainArray(changes.map(({ target }) => target.deployment.id)),
      plainArray(changes.map(({ target }) => target.robotId)),
      plainArray(changes.map(({ target }) => target.wave)),
      nullableArray(changes.map(({ target }) => target.status)),
      nullableArray(changes.map(({ reason }) => reason)),
      plainArray(changes.map((change) => String(isRejected(change)))),
    ],
  );

/** SQL: why a target failed, by its `status` and `reason`. */
export const failureCause = `case when status = 'rolled_back' then 'rolled_back' when reason = 'robot_removed' then 'removed'
  when reason in ('expired', '${tooManyOrders}') then 'unreached' when reason = 'timed_out' then 'timed_out' else 'failed' end`;

/** The robot reported no step before it failed, and the failure is its own judgement. */
const isRejected = ({ from, reason = '' }: TargetChange): boolean =>
  from === 'dispatched' && !['digest_mismatch', 'agent_cancelled'].includes(reason);

/**
 * Also of rollouts that are paused, but not by a person: robots that had their orders may let a rule cancel or roll back.
 * Each decision locks the deployment, as each batch of reports does: one for each of them would cost as much as they do.
 */
const requestDecisions = (trx: Knex, changes: readonly TargetChange[]) => {
  const deployments = new Map(changes.map(({ target: { deployment } }) => [deployment.id, deployment]));
  const failing = new Set(
    changes.filter(({ target: { status } }) => status !== 'applied').map(({ target: { deployment } }) => deployment.id),
  );
  return trx.raw(
    `with due as (
       select k.org_id, k.id, now() + case when k.is_failing or not exists (
                select from waves w where w.org_id = k.org_id and w.deployment_id = k.id and w.wave = d.open_wave
                   and ${openOnes} - case when d.is_gradual then w.waiting else 0 end > 0)
              then interval '0' else interval '${gatherMs} ms' end as at
         from unnest(?::uuid[], ?::uuid[], ?::boolean[]) as k (org_id, id, is_failing) join deployments d using (org_id, id)
     )
     update deployments d set decide_at = due.at from due
      where d.org_id = due.org_id and d.id = due.id and (d.status <> 'paused' or d.pause_code <> 'requested') and d.rollback_at is null and (d.decide_at > due.at or d.decide_at is null)`,
    [
      plainArray([...deployments.values()].map(({ orgId }) => orgId)),
      plainArray([...deployments.keys()]),
      plainArray([...deployments.keys()].map((id) => String(failing.has(id)))),
    ],
  );
};

/**
 * Counts the targets of a rollout again if the counts of its waves differ from those of its deployment: a replica of
 * the previous release moves targets without them. The deployment is locked.
 */
export async function repairWaves(trx: Knex, key: { orgId: string; deploymentId: string }): Promise<void> {
  const { rows } = await trx.raw<{ rows: [{ differs: boolean }] }>(
    `select (${targetStatuses.map((status) => `c.${status}`).join(', ')})
            is distinct from (${targetStatuses.map((status) => `sum(w.${status})`).join(', ')}) as differs
       from deployment_counts c join waves w using (org_id, deployment_id)
      where c.org_id = :orgId and c.deployment_id = :deploymentId group by c.org_id, c.deployment_id`,
    key,
  );
  if (!rows[0].differs) return;
  await Promise.all([
    trx.raw(
      `update waves w set ${targetStatuses.map((status) => `${status} = coalesce(n.${status}, 0)`).join(', ')}
         from waves o left join (
           select wave, ${targetStatuses.map((status) => `count(*) filter (where status = '${status}') as ${status}`).join(', ')}
             from targets where org_id = :orgId and deployment_id = :deploymentId group by wave) n using (wave)
        where o.org_id = :orgId and o.deployment_id = :deploymentId
          and w.org_id = o.org_id and w.deployment_id = o.deployment_id and w.wave = o.wave`,
      key,
    ),
    trx.raw(
      `insert into rollout_failures (org_id, deployment_id, robot_id, wave, at, cause)
       select org_id, deployment_id, robot_id, wave, updated_at, ${failureCause}
         from targets where org_id = :orgId and deployment_id = :deploymentId and status in ('failed', 'rolled_back')
       on conflict do nothing`,
      key,
    ),
  ]);
}
