import type { Knex } from 'knex';
import { newId } from '../../../kernel/ids.ts';
import type { Hint } from '../../../platform/bus/bus.ts';
import type { Rollout, RolloutWave } from '../../../rollout-policies/service.ts';
import { insertDeploymentEvent } from '../events.ts';
import { hasEnded, type DeploymentStatus } from '../model.ts';
import { lookUpByKey } from '../target-locks.ts';
import { returningRanges, returningRobots } from './returning-robots.ts';

/** A deployment that is rolled back, locked. `rollout`: undefined if all robots received it at once. */
interface Original {
  orgId: string;
  deploymentId: string;
  status: DeploymentStatus;
  rollout: Rollout | undefined;
}

/** Robots that return to the same release or value. */
interface Return {
  sourceId: string; // a deployment of it
  payloadDigest: string;
  name: string; // for people
  waves: { wave: number; robots: number }[]; // newest first
}

/**
 * Creates the deployments that return the robots which applied the original, one for each release or value that they
 * return to. It is due again each minute until all robots have ended, and then: robots that apply it meanwhile return
 * together. Robots that are to receive something newer are decided on once that has ended. Returns the hints to announce.
 */
export async function rollBack(trx: Knex, original: Original): Promise<Hint[]> {
  const { orgId, deploymentId } = original;
  const key = { orgId, deploymentId };
  if (!(await holdConfig(trx, key))) {
    await trx.raw(
      `update deployments set decide_at = now() + interval '1 second' where org_id = :orgId and id = :deploymentId`,
      key,
    );
    return [];
  }
  const [, open] = await Promise.all([
    lookUpByKey(trx),
    // Before the robots are read: what ends meanwhile is found next time.
    trx.raw<{ rows: [{ is_open: boolean }] }>(
      `select exists (select from deployments where org_id = :orgId and cause_id = :deploymentId and ended_at is null)
           or exists (select from deployments where org_id = :orgId and rollback_of = :deploymentId and started_at is null and ended_at is null)
           as is_open`,
      key,
    ),
  ]);
  const { isUndecided } = await decide(trx, key);
  for (const each of await readReturns(trx, key)) await startReturn(trx, original, each);
  const isOver = hasEnded(original.status) && !open.rows[0].is_open && !isUndecided;
  await trx.raw(
    `update deployments set decide_at = case when not :isOver::boolean then clock_timestamp() + interval '1 minute' end
      where org_id = :orgId and id = :deploymentId`,
    { ...key, isOver },
  );
  return [{ topic: 'deployment_due', orgId }];
}

/**
 * Lets nobody delete the config entry meanwhile. False if its row is locked: a deletion waits for the deployment, so
 * waiting for the deletion would be a deadlock.
 */
async function holdConfig(trx: Knex, key: { orgId: string; deploymentId: string }): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: [{ is_held: boolean }] }>(
    `select config_id is null or exists (
       select from configs c where c.org_id = d.org_id and c.id = d.config_id for share skip locked) as is_held
       from deployments d where d.org_id = :orgId and d.id = :deploymentId`,
    key,
  );
  return rows[0].is_held;
}

/** Decides on each robot, unless it is to receive something newer. */
async function decide(trx: Knex, key: { orgId: string; deploymentId: string }): Promise<{ isUndecided: boolean }> {
  let isUndecided = false;
  for await (const range of returningRanges(trx, key)) {
    const { rows } = await trx.raw<{ rows: [{ is_undecided: boolean }] }>(
      `with found as materialized (${returningRobots}), decided as (
         insert into rollback_robots (org_id, deployment_id, robot_id, wave, source_id, code)
         select :orgId, :deploymentId, robot_id, wave, source_id, code from found where not may_return)
       select exists (select from found where may_return) as is_undecided`,
      range,
    );
    isUndecided ||= rows[0].is_undecided;
  }
  return { isUndecided };
}

async function readReturns(trx: Knex, key: { orgId: string; deploymentId: string }): Promise<Return[]> {
  const { rows } = await trx.raw<{
    rows: { source_id: string; payload_digest: string; name: string; waves: Return['waves'] }[];
  }>(
    `select (array_agg(source_id order by source_id))[1] as source_id, payload_digest, min(name) as name,
            json_agg(json_build_object('wave', wave, 'robots', robots) order by wave desc) as waves
       from (
         select s.payload_digest, b.wave, (array_agg(s.id order by s.id))[1] as source_id, count(*) as robots,
                min(coalesce((select tag from releases r where r.org_id = s.org_id and r.id = s.release_id), s.namespace || '/' || s.key || ' revision ' || s.revision)) as name
           from rollback_robots b join deployments s on s.org_id = b.org_id and s.id = b.source_id
          where b.org_id = :orgId and b.deployment_id = :deploymentId and b.code is null and b.rollback_id is null
          group by s.payload_digest, b.wave) as found
      group by payload_digest order by payload_digest`,
    key,
  );
  return rows.map((row) => ({
    sourceId: row.source_id,
    payloadDigest: row.payload_digest,
    name: row.name,
    waves: row.waves,
  }));
}

/** Creates one such deployment; the claimer begins it. */
async function startReturn(trx: Knex, original: Original, each: Return): Promise<void> {
  const { orgId, deploymentId, status } = original;
  const rollbackId = newId();
  const key = { orgId, deploymentId, rollbackId };
  await trx.raw(
    `with made as (
       insert into deployments (org_id, id, lane, payload_key, release_id, config_id, revision, namespace, key, payload_digest, proof,
                                target_kind, target_id, active_minutes, signature, key_id, rollout, waits_for_maintenance, rollback_of, due_at, traceparent)
       select s.org_id, :rollbackId::uuid, s.lane, s.payload_key, s.release_id, s.config_id, s.revision, s.namespace, s.key, s.payload_digest, s.proof,
              d.target_kind, d.target_id, d.active_minutes, v.signature, v.key_id, :rollout::jsonb, d.waits_for_maintenance, d.id, date_trunc('milliseconds', now()), d.traceparent
         from deployments d join deployments s on s.org_id = d.org_id and s.id = :sourceId
         left join rollback_signatures v on v.org_id = d.org_id and v.deployment_id = d.id and v.payload_digest = s.payload_digest
        where d.org_id = :orgId and d.id = :deploymentId
       returning org_id, id
     ), counted as (
       insert into deployment_counts (org_id, deployment_id, event_seq) select org_id, id, 1 from made
     )
     insert into deployment_events (org_id, deployment_id, seq, status) select org_id, id, 1, 'scheduled' from made`,
    { ...key, sourceId: each.sourceId, rollout: JSON.stringify(rolloutOf(original, each)) },
  );
  const robots = each.waves.reduce((sum, wave) => sum + wave.robots, 0);
  await Promise.all([
    trx.raw(
      `update rollback_robots b set rollback_id = :rollbackId from deployments s
        where b.org_id = :orgId and b.deployment_id = :deploymentId and b.code is null and b.rollback_id is null
          and s.org_id = b.org_id and s.id = b.source_id and s.payload_digest = :digest`,
      { ...key, digest: each.payloadDigest },
    ),
    insertDeploymentEvent(trx, {
      orgId,
      deploymentId,
      status,
      reason: 'rollback_started',
      message: `${robots} ${robots === 1 ? 'robot returns' : 'robots return'} to ${each.name}`,
    }),
  ]);
}

/** The waves of the original, newest first. Failures and offline robots hold up no other robot. */
function rolloutOf({ rollout }: Original, { waves }: Return): Rollout {
  return {
    waves: waves.map(({ wave, robots }): RolloutWave => {
      const name = rollout?.waves[wave - 1]?.name;
      return { ...(name !== undefined && { name }), count: robots };
    }),
    advance: { applied_percent: 0, min_ended: 0, soak: '0s', offline_after: '1m', then: 'advance' },
    abort: [],
  };
}
