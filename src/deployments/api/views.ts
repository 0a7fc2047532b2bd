import type { JsonRows } from '../../platform/db/json-rows.ts';
import type { Rollout, RolloutWave } from '../../rollout-policies/service.ts';
import { isDynamic } from '../engine/dynamic/newcomers.ts';
import { isCauseHolding } from '../engine/holds.ts';
import { earlierOrders, targetStatuses, type Counts } from '../engine/model.ts';
import type { RetryTerms } from '../engine/retries/create-retry.ts';
import {
  approverName,
  heldBy,
  pausedAt,
  someBusy,
  someRobotHeldBy,
  waitingRobots,
  waits,
  waitsForWindow,
  wire,
} from './views-sql.ts';

/*
 * Read views of deployments, directly from Postgres to JSON, so fields have their wire names. `waiting_on` is computed
 * here from the tables as they are at that instant.
 */

/** What a deployment brings: a release or a config entry. One engine handles both. */
export type DeploymentKind = 'release' | 'config';

interface Common {
  id: string;
  target_kind: string;
  target_id: string;
  target_selector?: string;
  dynamic?: boolean;
  dynamic_until?: string;
  status: string;
  reason?: string;
  scheduled_at?: string;
  active_minutes: number;
  counts: Counts & { total: number };
  paused?: { since: string; code: string; reason?: string };
  rollout?: RolloutView;
  rollback?: { since: string; code: string; reason?: string };
  approval?: ApprovalRequestView;
  blocked_by?: string[];
  plan_id?: string;
  urgent?: true;
  rollback_of?: string;
  retry_of?: string;
  retry?: RetryTerms & { attempt: number };
  ignore_gates?: true;
  ignore_windows?: true;
  allow_ungated?: true;
  waiting_on?: { code: string; since?: string; detail?: string };
  caused_by?: { kind: string; deployment_id: string };
  signature?: string;
  key_id?: string;
  created_at: string;
  started_at?: string;
  ended_at?: string;
}

/** The approval that a deployment waits for. */
export interface ApprovalRequestView {
  wave: number;
  plan_hash: string;
  people: number;
  role: string;
  approved_by: string[];
  expires_at?: string;
}

type RolloutParts = 'advance' | 'abort' | 'pace' | 'approval' | 'supersede' | 'gates' | 'windows' | 'ignored_windows';
interface RolloutView extends Pick<Rollout, RolloutParts> {
  policy_id?: string;
  policy_name?: string;
  wave: number;
  waves: WaveView[];
}

interface WaveView extends RolloutWave {
  number: number;
  counts?: Counts & { total: number };
  started_at?: string;
  soak_started_at?: string;
  ended_at?: string;
  skipped_at?: string;
}

export interface DeploymentViews {
  release: Common & { release_id: string; allow_downgrade?: boolean };
  config: Common & { config_id: string; revision: number; namespace: string; key: string };
}

const countNames = ['total', ...targetStatuses] as const;

const own: { [Each in DeploymentKind]: readonly (keyof DeploymentViews[Each] & string)[] } = {
  release: ['release_id', 'allow_downgrade'],
  config: ['config_id', 'revision', 'namespace', 'key'],
};
const plain = [
  'id',
  'target_kind',
  'target_id',
  'status',
  'reason',
  'scheduled_at',
  'active_minutes',
  'signature',
  'key_id',
  'plan_id',
  'rollback_of',
  'retry_of',
  'dynamic_until',
  'created_at',
  'started_at',
  'ended_at',
] as const;

const countsObject = `json_build_object(${countNames.map((name) => `'${name}', ${name}`).join(', ')})`;

const countsOf = `(select ${countsObject}
  from deployment_counts where org_id = deployments.org_id and deployment_id = deployments.id)`;

/** Instant of the last event: nothing has happened since. */
const lastEvent = `(select e.at from deployment_events e
  where e.org_id = c.org_id and e.deployment_id = c.deployment_id and e.seq = c.event_seq)`;

/** `waits` of the instant of a wave, with its condition as the select has it. */
const ofWaves = (select: string, such: string) => `(select ${select} from waves w
  where w.org_id = deployments.org_id and w.deployment_id = deployments.id and ${such})`;

/**
 * What is waited for, one after the other: the first that applies is shown. Each subquery is written once, as Postgres plans
 * each with every statement, which takes longer than executing them all.
 */
const startReasons = [
  `case when deployments.status = 'paused' and deployments.approval_wave is not null then ${waits('approval', 'deployments.paused_at')} end`,
  // It is paused, or its robot waits because the deployment that caused it is.
  `case when deployments.status = 'paused' or c.waiting > 0 then (
     select ${waits('paused', 'p.at')} from (select ${pausedAt('deployments')} as at) p where p.at is not null) end`,
  `case when deployments.status = 'scheduled' then case
     when deployments.blocked_by is not null then ${waits('deployment', 'coalesce(deployments.scheduled_at, deployments.created_at)')}
     when deployments.due_at > now() then ${waits('schedule', 'deployments.created_at')}
     else ${waits('claim', 'deployments.due_at')} end end`,
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

const waitingOn = (reasons: readonly string[]) => `(select coalesce(${reasons.join(',\n  ')})
  from deployment_counts c where deployments.ended_at is null and c.org_id = deployments.org_id and c.deployment_id = deployments.id)`;

const targetSelector = `case when target_kind = 'selector' then
  (select s.text from selectors s where s.org_id = deployments.org_id and s.id = deployments.target_id) end`;

const causedBy = `case when cause_id is not null
  then json_build_object('kind', cause_kind, 'deployment_id', cause_id) end`;

const paused = `case when deployments.status = 'paused'
  then json_strip_nulls(json_build_object('since', ${wire('deployments.paused_at')},
    'code', coalesce(deployments.pause_code, 'requested'), 'reason', deployments.pause_reason)) end`;

const urgent = 'case when deployments.is_urgent then true end';
const ignoreWindows = 'case when deployments.ignores_windows then true end';
const approval = `case when deployments.status = 'paused' and deployments.approval_wave is not null then json_strip_nulls(json_build_object(
    'wave', deployments.approval_wave, 'plan_hash', deployments.approval_hash,
    'people', deployments.rollout -> 'approval' -> 'people', 'role', deployments.rollout -> 'approval' -> 'role',
    'approved_by', (select coalesce(json_agg(${approverName('a.org_id', 'a.by_id')} order by a.seq), '[]') from deployment_approvals a
       where a.org_id = deployments.org_id and a.deployment_id = deployments.id and a.wave = deployments.approval_wave
         and a.decision = 'approve' and a.lapsed_at is null),
    'expires_at', ${wire('deployments.approval_expires_at')})) end`;

const blockedBy = `case when deployments.status = 'scheduled' then to_json(deployments.blocked_by) end`;

const rollback = `case when deployments.rollback_at is not null
  then json_strip_nulls(json_build_object('since', ${wire('deployments.rollback_at')},
    'code', deployments.rollback_code, 'reason', deployments.rollback_reason)) end`;

/** The waves as the policy has them, with what is known of each: nothing before the robots are fixed. */
const waves = `(select json_agg(jsonb_strip_nulls(coalesce(p.wave, '{}') || jsonb_build_object('number', n.number, 'counts', n.counts,
      'started_at', n.started_at, 'soak_started_at', n.soak_started_at, 'ended_at', n.ended_at, 'skipped_at', n.skipped_at)) order by n.number)
  from (
    select wave as number, ${countsObject}::jsonb as counts, ${wire('started_at')} as started_at,
           ${wire('soak_started_at')} as soak_started_at, ${wire('ended_at')} as ended_at, ${wire('skipped_at')} as skipped_at
      from waves where org_id = deployments.org_id and deployment_id = deployments.id
     union all
    select i, null, null, null, null, null from generate_series(1, jsonb_array_length(deployments.rollout -> 'waves')) as i where deployments.open_wave is null
  ) n left join jsonb_array_elements(deployments.rollout -> 'waves') with ordinality as p (wave, number) on p.number = n.number)`;

const rollout = `case when deployments.rollout is not null then jsonb_strip_nulls(jsonb_build_object(
    'policy_id', deployments.rollout_policy_id, 'policy_name', deployments.rollout_policy_name, 'wave', coalesce(deployments.open_wave, 0),
    'waves', ${waves}, 'advance', deployments.rollout -> 'advance', 'abort', deployments.rollout -> 'abort', 'pace', deployments.rollout -> 'pace',
    'approval', deployments.rollout -> 'approval', 'supersede', deployments.rollout -> 'supersede',
    'gates', deployments.rollout -> 'gates', 'windows', deployments.rollout -> 'windows', 'ignored_windows', deployments.rollout -> 'ignored_windows')) end`;

/** The rollout has windows or requires gates, and robots without them receive it anyway. */
const allowUngated = `case when required_capabilities = '{}' and (
    rollout -> 'windows' -> 'activate' is not null or rollout -> 'gates' ->> 'required' = 'true') then true end`;

const dynamic = `case when dynamic_until is not null then ${isDynamic('deployments')} end`;

/** How deployments of a kind are listed. */
export const deploymentListing = <Each extends DeploymentKind>(deploymentKind: Each) => ({
  table: 'deployments',
  columns: [...own[deploymentKind], ...plain] as (keyof DeploymentViews[Each] & string)[],
  computed: {
    target_selector: targetSelector,
    dynamic,
    counts: countsOf,
    paused,
    rollout,
    rollback,
    retry: `(retry || jsonb_build_object('attempt', retry_attempt))`,
    urgent,
    approval,
    blocked_by: blockedBy,
    waiting_on: waitingOn([...startReasons, ...robotReasons]),
    caused_by: causedBy,
    ignore_gates: `(order_terms -> 'ignore_gates')`,
    ignore_windows: ignoreWindows,
    allow_ungated: allowUngated,
  },
  only: `${deploymentKind}_id is not null`,
});

/** The same for one that was just created: it waits for nothing that concerns robots, and looking for that takes most of the time. */
export const newDeploymentListing = <Each extends DeploymentKind>(deploymentKind: Each) => {
  const listing = deploymentListing(deploymentKind);
  return { ...listing, computed: { ...listing.computed, waiting_on: waitingOn(startReasons) } };
};

export type DeploymentRows<Each extends DeploymentKind> = JsonRows<keyof DeploymentViews[Each] & string>;
