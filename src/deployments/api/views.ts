import type { JsonRows } from '../../platform/db/json-rows.ts';
import type { Rollout, RolloutWave } from '../../rollout-policies/service.ts';
import { isDynamic } from '../engine/dynamic/newcomers.ts';
import { targetStatuses, type Counts } from '../engine/model.ts';
import type { RetryTerms } from '../engine/retries/create-retry.ts';
import { approverName, wire } from './views-sql.ts';
import { waitingOn } from './views-waits.ts';

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

export const countNames = ['total', ...targetStatuses] as const;

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

const targetSelector = `case when target_kind = 'selector' then
  (select s.text from selectors s where s.org_id = deployments.org_id and s.id = deployments.target_id) end`;

const causedBy = `case when cause_id is not null
  then json_build_object('kind', cause_kind, 'deployment_id', cause_id) end`;

const paused = `case when deployments.status = 'paused'
  then json_strip_nulls(json_build_object('since', ${wire('deployments.paused_at')},
    'code', coalesce(deployments.pause_code, 'requested'), 'reason', deployments.pause_reason)) end`;

const urgent = 'case when deployments.is_urgent then true end';
const ignoreWindows = 'case when deployments.ignores_windows then true end';
const approvedBy = `(select coalesce(json_agg(${approverName('a.org_id', 'a.by_id')} order by a.seq), '[]') from deployment_approvals a
  where a.org_id = deployments.org_id and a.deployment_id = deployments.id and a.wave = deployments.approval_wave
    and a.decision = 'approve' and a.lapsed_at is null)`;
/** `approvedBy`: SQL of the names of those who approved, as JSON. */
export const approvalWith = (
  approvedBy: string,
) => `case when deployments.status = 'paused' and deployments.approval_wave is not null then json_strip_nulls(json_build_object(
    'wave', deployments.approval_wave, 'plan_hash', deployments.approval_hash,
    'people', deployments.rollout -> 'approval' -> 'people', 'role', deployments.rollout -> 'approval' -> 'role',
    'approved_by', ${approvedBy},
    'expires_at', ${wire('deployments.approval_expires_at')})) end`;

const blockedBy = `case when deployments.status = 'scheduled' then to_json(deployments.blocked_by) end`;

const rollback = `case when deployments.rollback_at is not null
  then json_strip_nulls(json_build_object('since', ${wire('deployments.rollback_at')},
    'code', deployments.rollback_code, 'reason', deployments.rollback_reason)) end`;

const begunWaves = `select wave as number, ${countsObject}::jsonb as counts, ${wire('started_at')} as started_at,
       ${wire('soak_started_at')} as soak_started_at, ${wire('ended_at')} as ended_at, ${wire('skipped_at')} as skipped_at
  from waves where org_id = deployments.org_id and deployment_id = deployments.id`;
/** Before the robots are fixed, nothing is known of them. */
export const plannedWaves = `select i as number, null::jsonb as counts, null as started_at, null as soak_started_at, null as ended_at, null as skipped_at
  from generate_series(1, jsonb_array_length(deployments.rollout -> 'waves')) as i where deployments.open_wave is null`;

/** The waves as the policy has them, with what is known of each. `known`: a select of it. */
export const rolloutWith = (
  known: string,
) => `case when deployments.rollout is not null then jsonb_strip_nulls(jsonb_build_object(
    'policy_id', deployments.rollout_policy_id, 'policy_name', deployments.rollout_policy_name, 'wave', coalesce(deployments.open_wave, 0),
    'waves', (select json_agg(jsonb_strip_nulls(coalesce(p.wave, '{}') || jsonb_build_object('number', n.number, 'counts', n.counts,
        'started_at', n.started_at, 'soak_started_at', n.soak_started_at, 'ended_at', n.ended_at, 'skipped_at', n.skipped_at)) order by n.number)
      from (${known}) n left join jsonb_array_elements(deployments.rollout -> 'waves') with ordinality as p (wave, number) on p.number = n.number),
    'advance', deployments.rollout -> 'advance', 'abort', deployments.rollout -> 'abort', 'pace', deployments.rollout -> 'pace',
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
    rollout: rolloutWith(`${begunWaves} union all ${plannedWaves}`),
    rollback,
    retry: `(retry || jsonb_build_object('attempt', retry_attempt))`,
    urgent,
    approval: approvalWith(approvedBy),
    blocked_by: blockedBy,
    waiting_on: waitingOn,
    caused_by: causedBy,
    ignore_gates: `(order_terms -> 'ignore_gates')`,
    ignore_windows: ignoreWindows,
    allow_ungated: allowUngated,
  },
  only: `${deploymentKind}_id is not null`,
});

export type DeploymentRows<Each extends DeploymentKind> = JsonRows<keyof DeploymentViews[Each] & string>;
