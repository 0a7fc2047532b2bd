import { isCauseHolding } from '../engine/holds.ts';
import { earlierOrders } from '../engine/model.ts';
import {
  heldBy,
  pausedAt,
  someBusy,
  someRobotHeldBy,
  waitingRobots,
  waits,
  waitsForWindow,
  wire,
} from './views-sql.ts';

/* What a deployment waits for, as SQL within a select from `deployments`; `c`: its counts. */

/** Instant of the last event: nothing has happened since. */
const lastEvent = `(select e.at from deployment_events e
  where e.org_id = c.org_id and e.deployment_id = c.deployment_id and e.seq = c.event_seq)`;

/** `waits` of the instant of a wave, with its condition as the select has it. */
const ofWaves = (select: string, such: string) => `(select ${select} from waves w
  where w.org_id = deployments.org_id and w.deployment_id = deployments.id and ${such})`;

/** What is waited for before its start. */
export const waitsForApproval = `case when deployments.status = 'paused' and deployments.approval_wave is not null then ${waits('approval', 'deployments.paused_at')} end`;
export const waitsForStart = `case when deployments.status = 'scheduled' then case
     when deployments.blocked_by is not null then ${waits('deployment', 'coalesce(deployments.scheduled_at, deployments.created_at)')}
     when deployments.due_at > now() then ${waits('schedule', 'deployments.created_at')}
     else ${waits('claim', 'deployments.due_at')} end end`;

/**
 * What is waited for, one after the other: the first that applies is shown. Each subquery is written once, as Postgres plans
 * each with every statement, which takes longer than executing them all.
 */
const startReasons = [
  waitsForApproval,
  // It is paused, or its robot waits because the deployment that caused it is.
  `case when deployments.status = 'paused' or c.waiting > 0 then (
     select ${waits('paused', 'p.at')} from (select ${pausedAt('deployments')} as at) p where p.at is not null) end`,
  waitsForStart,
];

/** After its start. */
const robotReasons = [
  `case when c.waiting > 0 and ${isCauseHolding('deployments')} then ${waits('wave', 'deployments.started_at')} end`,
  // Of the current wave of its rollout; nothing once that has ended, and after a cancel.
  ofWaves(
    `case when w.disturbed_since is not null then ${waits('wave_health', 'w.disturbed_since')}
          when w.soak_started_at is not null then ${waits('soak', 'w.soak_started_at')} end`,
    'deployments.cancelled_at is null and w.wave = deployments.open_wave and w.ended_at is null',
  ),
  `case when deployments.held_by <> '${earlierOrders}' and deployments.cancelled_at is null then ${heldBy('deployments')} end`,
  `case when deployments.cancelled_at is not null and c.waiting > 0 or ${someBusy} then case
     when deployments.cancelled_at is not null then ${waits('cancel_confirmation', 'deployments.cancelled_at')}
     else ${waits('robots_working', lastEvent)} end end`,
  `case when deployments.held_by = '${earlierOrders}' then ${heldBy('deployments')} end`,
  // Robots of skipped waves are still to be ended, which takes the sweeper a moment.
  ofWaves(
    waits('cancel_confirmation', 'max(w.skipped_at)'),
    'w.skipped_at is not null and w.waiting > 0 having count(*) > 0',
  ),
  `(select coalesce(
       case when c.waiting > 0 and not r.some_free then ${someRobotHeldBy} end,
       json_strip_nulls(json_build_object('code', case
           when not r.some_wait then 'robots_offline'
           when r.some_behind then '${earlierOrders}'
           when ${waitsForWindow('deployments')} then 'window'
           else 'dispatch' end,
         'since', ${wire(lastEvent)})))
     from (${waitingRobots}) r)`,
];

/** What an open deployment waits for, as JSON. */
export const waitingOn = `(select coalesce(${[...startReasons, ...robotReasons].join(',\n  ')})
  from deployment_counts c where deployments.ended_at is null and c.org_id = deployments.org_id and c.deployment_id = deployments.id)`;
