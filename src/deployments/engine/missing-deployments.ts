import type { Knex } from 'knex';
import { newId } from '../../kernel/ids.ts';
import type { Hint } from '../../platform/bus/bus.ts';
import { plainArray } from '../../platform/db/arrays.ts';
import { timelineService } from '../../timeline/service.ts';
import { hasBudgets, oneWave } from './admission/gradual.ts';
import { keptTag } from './downgrades.ts';
import { expiryDays, waveSkipped } from './model.ts';

/** A robot that joined a fleet, by enrollment or from another fleet. */
export interface FleetJoin {
  robotId: string;
  fleetId: string;
  leftFleetId?: string | undefined;
}

/**
 * Creates the deployments that a robot should have and lacks. Runs in the transaction that enrolls or moves the robot,
 * after its row was written. For each lane and key, that is the newest deployment for the robot itself, unless a later
 * one for a fleet replaced it for good. Otherwise it is the newest for its fleet. Deployments from before the deletion of their
 * config entry do not count, nor do rollbacks, what they roll back, and retries. A deployment that failed on the robot, was rolled back, or whose wave with the robot
 * was skipped, is not sent again, also if a retry of it was cancelled or expired. A newer release that the robot runs stays, unless the
 * deployment may be a downgrade; the timeline says so. Returns the hints to announce.
 *
 * A fleet deployment starts under a lock on the fleet's row that excludes this transaction (`target-expansion.ts`).
 * Either it finds the robot in the fleet, or it is found here. As these deployments start at once, any that starts
 * later has a higher rank.
 */
export async function createMissingDeployments(trx: Knex, orgId: string, arrival: FleetJoin): Promise<Hint[]> {
  const { robotId, fleetId, leftFleetId = fleetId } = arrival;
  const place = { orgId, robotId, fleetId, leftFleetId };
  await trx.raw(
    'select from fleets where org_id = :orgId and id in (:fleetId, :leftFleetId) order by id for key share',
    place,
  );
  const lacked = await lacking(trx, place);
  const left = lacked.flatMap(({ id, release, running }) =>
    running === null ? [] : [{ deployment_id: id, release, running }],
  );
  if (left.length > 0)
    await timelineService(trx).recordMany(
      left.map((details) => ({ orgId, robotId, kind: 'downgrade_left_out', details })),
    );
  const causes = lacked.flatMap(({ id, running }) => (running === null ? [id] : []));
  const ids = causes.map(() => newId());
  const [first] = ids;
  if (first === undefined) return [];
  await begin(trx, { ...place, ids, causes, kind: arrival.leftFleetId === undefined ? 'enrolled' : 'moved' });
  // One hint is enough: a dispatch sends the robot all its open orders.
  return [{ topic: 'orders_changed', orgId, deploymentId: first }];
}

interface Lacking {
  id: string;
  release: string | null; // tag
  running: string | null; // tag of the newer release that the robot runs and keeps
}

/** The deployments that the robot should have and never got, or that ended before it could apply them. */
async function lacking(trx: Knex, place: { orgId: string; robotId: string; fleetId: string }): Promise<Lacking[]> {
  const { rows } = await trx.raw<{ rows: Lacking[] }>(
    `with meant as (
       select distinct on (d.lane, d.payload_key) d.id, d.lane, d.payload_key, newest.payload_digest is distinct from d.payload_digest as is_other,
              newest.status, newest.reason, newest.deployment_id = d.id and newest.reason = '${waveSkipped}' as is_skipped
         from deployments d left join configs c on c.org_id = d.org_id and c.id = d.config_id left join lateral (
           select o.payload_digest, t.deployment_id, t.rank, t.status, t.reason
             from targets t join deployments o on o.org_id = t.org_id and o.id = t.deployment_id
            where t.org_id = d.org_id and t.robot_id = :robotId and t.lane = d.lane and t.payload_key = d.payload_key
              and (o.retry_of is null or t.status <> 'cancelled' and t.reason is distinct from 'expired')
            order by t.rank desc limit 1
         ) newest on true left join lateral (
           select max(t.rank) as rank
             from targets t join deployments o on o.org_id = t.org_id and o.id = t.deployment_id
             left join deployments cause on cause.org_id = o.org_id and cause.id = o.cause_id
            where t.org_id = d.org_id and t.robot_id = :robotId and t.lane = d.lane and t.payload_key = d.payload_key
              and o.rollback_of is null and o.retry_of is null and o.rollback_at is null and cause.rollback_at is null
         ) lasting on d.target_kind = 'robot'
        where d.org_id = :orgId and d.rank is not null and d.cancelled_at is null and d.cause_id is null
          and d.rollback_of is null and d.rollback_at is null and d.retry_of is null
          and (c.deleted_rank is null or c.deleted_rank < d.rank)
          and (d.target_kind = 'robot' and d.target_id = :robotId and d.rank >= lasting.rank
               or d.target_kind = 'fleet' and d.target_id = :fleetId)
        order by d.lane, d.payload_key, d.target_kind = 'robot' desc, d.rank desc
     )
     select d.id, release.tag as release, ${keptTag('d', ':robotId')} as running
       from meant join deployments d on d.org_id = :orgId and d.id = meant.id
       left join releases release on release.org_id = d.org_id and release.id = d.release_id
      where meant.is_skipped is not true and (meant.is_other or meant.status = 'cancelled' or meant.reason = 'expired')
      order by meant.lane, meant.payload_key`,
    place,
  );
  return rows;
}

/** Writes started deployments for one robot: each a copy of its cause, with the robot as its only target. */
async function begin(
  trx: Knex,
  order: { orgId: string; robotId: string; ids: string[]; causes: string[]; kind: string },
): Promise<void> {
  await trx.raw(
    `with wanted as (
       select *, ${hasBudgets('org')} as is_gradual from unnest(:ids::uuid[], :causes::uuid[]) as pair (id, cause_id), (select :orgId::uuid as org_id) org
     ), made as (
       insert into deployments (org_id, id, lane, payload_key, release_id, config_id, revision, namespace, key, payload_digest, proof,
                                target_kind, target_id, status, active_minutes, signature, key_id, cause_kind, cause_id,
                                started_at, rank, is_superseding, is_gradual, waits_for_maintenance, allow_downgrade, traceparent, rollout, open_wave, last_wave, decide_at, waiting_until)
       select d.org_id, wanted.id, lane, payload_key, release_id, config_id, revision, namespace, key, payload_digest, proof,
              'robot', :robotId::uuid, 'pending', active_minutes, signature, key_id, :kind::text, wanted.cause_id,
              now(), nextval('deployment_rank'), -- one that enrolled has something older only if it did so before several plans began
              :kind::text <> 'enrolled' or exists (
                select from targets t where t.org_id = d.org_id and t.robot_id = :robotId and t.lane = d.lane and t.payload_key = d.payload_key and t.deadline_at is not null),
              wanted.is_gradual, d.waits_for_maintenance, d.allow_downgrade, d.traceparent, case when wanted.is_gradual then :oneWave::jsonb || jsonb_strip_nulls(jsonb_build_object('windows', d.rollout -> 'windows', 'ignored_windows', d.rollout -> 'ignored_windows', 'gates', d.rollout -> 'gates')) end, case when wanted.is_gradual then 1 end,
              case when wanted.is_gradual then 1 end, case when wanted.is_gradual then now() end,
              case when wanted.is_gradual then now() + make_interval(days => :expiryDays) end
         from wanted join deployments d on d.org_id = :orgId and d.id = wanted.cause_id
       returning *
     ), targeted as (
       insert into targets (org_id, deployment_id, robot_id, lane, payload_key, rank, deadline_at)
       select org_id, id, :robotId::uuid, lane, payload_key, rank,
              case when is_gradual then 'infinity' else started_at + make_interval(days => :expiryDays) end from made
     ), counted as (
       insert into deployment_counts (org_id, deployment_id, total, waiting, event_seq) select org_id, id, 1, 1, 2 from made
     ), waved as (
       insert into waves (org_id, deployment_id, wave, total, waiting, started_at)
       select org_id, id, 1, 1, case when is_gradual then 1 else 0 end, started_at from made
     )
     insert into deployment_events (org_id, deployment_id, seq, status)
     select org_id, id, first.seq, first.status from made, (values (1, 'scheduled'), (2, 'pending')) as first (seq, status)`,
    {
      ...order,
      expiryDays,
      oneWave: JSON.stringify(oneWave),
      ids: plainArray(order.ids),
      causes: plainArray(order.causes),
    },
  );
}
