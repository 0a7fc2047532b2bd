import { isPinnedBack } from '../robot-holds.ts';
import { failureCause } from '../rollouts/wave-counts.ts';

/** Why a deployment failed on a robot. */
const failureReasons = ['failed', 'timed_out', 'rejected', 'rolled_back', 'unreached'] as const;
type RetryReason = (typeof failureReasons)[number] | 'any';

/** As a list for SQL. */
export const reasonsOf = (reasons: readonly RetryReason[]): readonly string[] =>
  reasons.includes('any') ? failureReasons : reasons;

export type { RetryReason };

/**
 * Whether the robot received, or is to receive, something newer than a failed target: `robot` is SQL of its ID, `rank` of
 * that target's rank, `own` a row of the deployment. A newer deployment of the same content that failed as well is a retry.
 */
const hasNewer = ({ robot, rank, own }: { robot: string; rank: string; own: string }): string => `exists (
  select from targets n join deployments m on m.org_id = n.org_id and m.id = n.deployment_id
   where n.org_id = ${own}.org_id and n.robot_id = ${robot} and n.lane = ${own}.lane and n.payload_key = ${own}.payload_key and n.rank > ${rank}
     and n.status <> 'cancelled' and not ${isPinnedBack('n', `${own}.release_id`)} and (m.payload_digest <> ${own}.payload_digest or n.status not in ('failed', 'rolled_back')))`;

/** The retry that has not begun and has the robot, as rows of `id, scheduled_at`. */
const scheduledRetry = ({ robot, own }: { robot: string; own: string }): string => `(
  select x.id, x.scheduled_at from retry_robots q join deployments x on x.org_id = q.org_id and x.id = q.retry_id
   where q.org_id = ${own}.org_id and q.robot_id = ${robot} and x.lane = ${own}.lane and x.payload_key = ${own}.payload_key
     and x.started_at is null and x.ended_at is null)`;

/**
 * Whether the deployment `of`, or the one that it retries, was rolled back, or a retry of that, or what caused it. `of`:
 * name of its row.
 */
export const isRolledBack = (of: string): string => `exists (
  select from deployments original join deployments b on b.org_id = original.org_id
     and (b.id = original.id or b.id = original.cause_id or b.retry_of = original.id)
   where original.org_id = ${of}.org_id and original.id = coalesce(${of}.retry_of, ${of}.id) and b.rollback_at is not null)`;

/**
 * SQL of the robots on which a deployment failed for one of `reasons`: `robot_id, rank, reason, code`, with the bindings
 * `orgId`, `deploymentId` and `reasons`. `code`: why the robot is not retried.
 */
export const failedRobots = `
  select t.robot_id, t.rank, t.cause as reason,
         case when r.id is null then 'robot_removed'
              when ${hasNewer({ robot: 't.robot_id', rank: 't.rank', own: 'own' })} then 'superseded'
              when exists ${scheduledRetry({ robot: 't.robot_id', own: 'own' })} then 'retry_scheduled'
              when l.signed_only and own.signature is null then 'signature_required' end as code
    from deployments own
    cross join lateral (
      with steps as materialized (
        select robot_id, max(seq) filter (where target_status = 'dispatched') as dispatched,
               max(seq) filter (where target_status not in ('waiting', 'dispatched', 'failed')) as stepped
          from deployment_events where org_id = own.org_id and deployment_id = own.id and robot_id is not null group by robot_id
      )
      select f.robot_id, f.rank,
             case when f.cause = 'removed' then 'failed'
                  when f.cause = 'failed' and coalesce(f.reason, '') not in ('digest_mismatch', 'agent_cancelled') and s.dispatched > coalesce(s.stepped, 0)
                    then 'rejected' else f.cause end as cause
        from (select robot_id, rank, reason, ${failureCause} as cause from targets
               where org_id = own.org_id and deployment_id = own.id and status in ('failed', 'rolled_back')) f
        left join steps s on s.robot_id = f.robot_id
    ) t
    left join robots r on r.org_id = own.org_id and r.id = t.robot_id and r.retired_at is null
    left join robot_links l on l.org_id = own.org_id and l.robot_id = t.robot_id
   where own.org_id = :orgId and own.id = :deploymentId and t.cause = any(:reasons::text[])`;

/**
 * SQL of the robots of a retry that received, or are to receive, something newer before it began; all if it is of what was
 * rolled back. Needs `orgId` and `deploymentId`.
 */
export const overtakenByNewer = `
  select q.robot_id from retry_robots q join deployments own on own.org_id = q.org_id and own.id = q.retry_id
   where q.org_id = :orgId and q.retry_id = :deploymentId
     and (${hasNewer({ robot: 'q.robot_id', rank: 'q.rank', own: 'own' })} or ${isRolledBack('own')})`;

/** SQL of the retry that is to begin next with robots that `failedRobots` finds: `id, scheduled_at`. The bindings are the same. */
export const nextRetry = `
  select x.id, x.scheduled_at from (${failedRobots}) found join deployments own on own.org_id = :orgId and own.id = :deploymentId
    cross join lateral ${scheduledRetry({ robot: 'found.robot_id', own: 'own' })} x
   where found.code = 'retry_scheduled' order by x.scheduled_at nulls first, x.id limit 1`;
