import type { Knex } from 'knex';
import { parseDuration } from '../../../kernel/duration.ts';
import type { Rollout } from '../../../rollout-policies/service.ts';
import type { PaceTokens } from '../admission/pace.ts';
import type { Failure, FailureCause, RolloutFacts } from './decide.ts';
import type { DeploymentStatus } from '../model.ts';
import { isFrozen, lacksCapability } from '../holds.ts';
import { isRobotHeld, robotsThatMayBeHeld } from '../robot-holds.ts';
import { lookUpByKey } from '../target-locks.ts';

interface LockedDeployment {
  orgId: string;
  deploymentId: string;
  status: DeploymentStatus;
  traceContext: string | undefined; // of the request that created it
}

/** A deployment whose robots return to what they ran before. `rollout`: undefined if all received it at once. */
export interface DueRollback extends LockedDeployment {
  isRolledBack: true;
  rollout: Rollout | undefined;
}

/** A rollout whose deployment is locked. */
export interface DueRollout extends LockedDeployment {
  isRolledBack: false;
  isFrozen: boolean;
  lane: string;
  rollout: Rollout;
  openWave: number;
  lastWave: number;
  approvedWave: number; // 0: none, as the rollout needs no approval
  startedAt: Date;
  acceptedAt: Date | undefined;
  now: Date;
  isGradual: boolean; // robots of waves that have begun are admitted step by step
  isUrgent: boolean;
  tokens: PaceTokens | undefined;
  admitAt: Date | undefined; // robots are admitted not before
  waitingUntil: Date | undefined; // robots that stay offline do not expire before
  needsCapabilities: boolean; // of the agents, as for windows and gates
}

interface DueRow {
  org_id: string;
  id: string;
  status: DeploymentStatus;
  traceparent: string | null;
  is_rolled_back: boolean;
  is_frozen: boolean;
  lane: string;
  rollout: Rollout | null;
  open_wave: number;
  last_wave: number;
  approved_wave: number | null;
  started_at: Date;
  accepted_at: Date | null;
  now: Date;
  is_gradual: boolean;
  is_urgent: boolean;
  pace_tokens: number | null;
  paced_at: Date | null;
  admit_at: Date | null;
  waiting_until: Date | null;
  needs_capabilities: boolean;
}

/** What is decided on: what follows in a rollout, or which robots of a deployment return to what they ran before. */
export type DecisionKind = 'rollout' | 'rollback';

/** SQL: deployments that are decided on, now or later. */
export const awaitsDecision = (kind: DecisionKind): string =>
  `decide_at is not null and ${kind === 'rollback' ? 'rollback_at is not null' : 'rollout is not null and rollback_at is null'}`;

/** Locks the deployment for which such a decision has been due longest, except those that others hold. */
export async function claimDecision(trx: Knex, kind: DecisionKind): Promise<DueRollback | DueRollout | undefined> {
  const { rows } = await trx.raw<{ rows: DueRow[] }>(
    `select org_id, id, status, traceparent, rollback_at is not null as is_rolled_back, ${isFrozen('deployments')} as is_frozen, lane, rollout, open_wave, last_wave, approved_wave, started_at, accepted_at,
            is_gradual, is_urgent, pace_tokens, paced_at, admit_at, waiting_until,
            required_capabilities <> '{}' as needs_capabilities, clock_timestamp() as now from deployments
      where decide_at <= statement_timestamp() and ${awaitsDecision(kind)}
      order by decide_at limit 1 for no key update skip locked`,
  );
  const [row] = rows;
  if (!row) return undefined;
  const { org_id: orgId, id: deploymentId, status, is_rolled_back: isRolledBack, rollout } = row;
  const key = { orgId, deploymentId, status, traceContext: row.traceparent ?? undefined };
  if (isRolledBack) return { ...key, isRolledBack, rollout: rollout ?? undefined };
  return {
    ...key,
    isRolledBack,
    isFrozen: row.is_frozen,
    lane: row.lane,
    rollout: rollout as Rollout, // the query finds none without that is not rolled back
    openWave: row.open_wave,
    lastWave: row.last_wave,
    approvedWave: row.approved_wave ?? 0,
    startedAt: row.started_at,
    acceptedAt: row.accepted_at ?? undefined,
    now: row.now,
    isGradual: row.is_gradual,
    isUrgent: row.is_urgent,
    tokens:
      row.pace_tokens === null || row.paced_at === null
        ? undefined
        : { count: row.pace_tokens, atMs: row.paced_at.getTime() },
    admitAt: row.admit_at ?? undefined,
    waitingUntil: row.waiting_until ?? undefined,
    needsCapabilities: row.needs_capabilities,
  };
}

interface WaveRow {
  wave: number;
  total: number;
  applied: number;
  failed: number;
  rolled_back: number;
  cancelled: number;
  started_at: Date | null;
  soak_started_at: Date | null;
  ended_at: Date | null;
  skipped_at: Date | null;
}

type BegunWave = WaveRow & { started_at: Date };

/** Reads what a decision depends on, under the lock of the deployment. */
export async function readFacts(trx: Knex, due: DueRollout): Promise<RolloutFacts> {
  const key = { orgId: due.orgId, deploymentId: due.deploymentId };
  // Nothing can follow from them in the last wave.
  const isJudged = due.openWave < due.lastWave || due.rollout.abort.length > 0;
  const [, { rows }, failures, unhealthy, drifts] = await Promise.all([
    lookUpByKey(trx),
    trx.raw<{ rows: WaveRow[] }>(
      `select wave, total, applied, failed, rolled_back, cancelled, started_at, soak_started_at, ended_at, skipped_at from waves
        where org_id = :orgId and deployment_id = :deploymentId order by wave`,
      key,
    ),
    isJudged ? findFailures(trx, failedTargets, key) : [],
    isJudged ? findFailures(trx, unhealthySince, key) : [],
    isJudged && due.lane.startsWith(releaseLane)
      ? findFailures(trx, driftSince, { ...key, kind: due.lane.slice(releaseLane.length), startedAt: due.startedAt })
      : [],
  ]);
  const waves = rows.filter(hasBegun);
  const current = waves.at(-1);
  const { offline, held } = current ? await countUnreached(trx, due, current) : nobody;
  return {
    nowMs: due.now.getTime(),
    waves: waves.map((row) => ({
      wave: row.wave,
      total: row.total - row.cancelled,
      applied: row.applied,
      failed: row.failed + row.rolled_back,
      offline: row === current ? offline : 0,
      held: row === current ? held : 0,
      // Not later than now: the clock of the database may have been ahead.
      soakStartedAtMs: row.soak_started_at ? Math.min(row.soak_started_at.getTime(), due.now.getTime()) : undefined,
      hasEnded: row.ended_at !== null || row.skipped_at !== null,
      isSkipped: row.skipped_at !== null,
    })),
    lastWave: due.lastWave,
    nextWave: rows.find((row) => row.wave > due.openWave && row.skipped_at === null)?.wave ?? due.lastWave,
    approvedWave: due.approvedWave,
    failures: [...failures, ...unhealthy, ...drifts],
    acceptedAtMs: due.acceptedAt?.getTime() ?? -Infinity,
  };
}

/** A wave that was skipped before it began has no such time, even once later ones have begun. */
const hasBegun = (row: WaveRow): row is BegunWave => row.started_at !== null;

const releaseLane = 'release:';

/** The target of a robot that applied it. `offset 0`: one look-up per robot, few of many. */
const appliedBy = (robotId: string) => `lateral (
  select t.robot_id, t.wave, t.dispatched_at, t.updated_at from targets t
   where t.org_id = :orgId and t.deployment_id = :deploymentId and t.robot_id = ${robotId} and t.status = 'applied' offset 0) t`;

const failedTargets =
  'select robot_id, wave, at, cause from rollout_failures where org_id = :orgId and deployment_id = :deploymentId';

/** By the condition that began last: the severity also changes with the end of a maintenance window. */
const unhealthySince = `
  with ill as materialized (
    select s.robot_id, max((c ->> 'since')::timestamptz) as since
      from robot_status s cross join jsonb_array_elements(s.conditions) as c
     where s.org_id = :orgId and s.severity = 2 and c ->> 'severity' = 'unhealthy' group by s.robot_id
  )
  select t.robot_id, t.wave, ill.since as at, 'unhealthy' as cause
    from ill cross join ${appliedBy('ill.robot_id')} where ill.since >= t.dispatched_at`;

/** `drifts_since`: of the hour in which a drift began, by \`drift.ts\`. */
const driftSince = `
  with drifts as materialized (
    select robot_id, (releases -> :kind -> 'drift' ->> 'since')::timestamptz as since from robot_reports
     where org_id = :orgId and drifts_since > :startedAt::timestamptz - interval '1 hour' and releases -> :kind -> 'drift' is not null
  )
  select t.robot_id, t.wave, drifts.since as at, 'drift' as cause
    from drifts cross join ${appliedBy('drifts.robot_id')} where drifts.since >= t.updated_at`;

async function findFailures(trx: Knex, query: string, bindings: Knex.ValueDict): Promise<Failure[]> {
  const { rows } = await trx.raw<{ rows: { robot_id: string; wave: number; at: Date; cause: FailureCause }[] }>(
    query,
    bindings,
  );
  return rows.map((row) => ({ robotId: row.robot_id, wave: row.wave, atMs: row.at.getTime(), cause: row.cause }));
}

const nobody = { offline: 0, held: 0 };

/**
 * Robots of a wave that were not reached and do not hold it up. `offline`: they are offline for so long, or have an agent that
 * lacks what the deployment needs.
 */
async function countUnreached(trx: Knex, due: DueRollout, wave: BegunWave): Promise<typeof nobody> {
  if (wave.wave >= due.lastWave) return nobody;
  const after = due.rollout.advance.offline_after;
  const seconds = after === undefined ? undefined : parseDuration(after);
  const mayBeOffline = seconds !== undefined && due.now.getTime() - wave.started_at.getTime() >= seconds * 1_000;
  const key = { orgId: due.orgId, deploymentId: due.deploymentId, wave: wave.wave };
  const [held, offline] = await Promise.all([
    trx.raw<Counted>(countHeld, key),
    mayBeOffline || due.needsCapabilities
      ? trx.raw<Counted>(countOffline(mayBeOffline), { ...key, seconds: seconds ?? 0 })
      : undefined,
  ]);
  return { held: held.rows[0].count, offline: offline?.rows[0].count ?? 0 };
}

interface Counted {
  rows: [{ count: number }];
}

const isInWave =
  "t.org_id = :orgId and t.deployment_id = :deploymentId and t.wave = :wave and t.status in ('waiting', 'dispatched')";

/** Few robots of an org may be held: each looks up its target, in a deployment of many. */
const countHeld = `
  with robots as materialized (
    select distinct r.robot_id from deployments d cross join lateral ${robotsThatMayBeHeld('d')} r where d.org_id = :orgId and d.id = :deploymentId
  )
  select count(*) from robots r
   cross join lateral (select t.* from targets t where ${isInWave} and t.robot_id = r.robot_id offset 0) t
    join deployments d on d.org_id = t.org_id and d.id = t.deployment_id
   where t.status = 'waiting' and ${isRobotHeld('d', 't.robot_id')}`;

/** Also those that are not admitted, which are not in `open_targets`. A held robot is counted as held. */
const countOffline = (mayBeOffline: boolean): string => `
  select count(*) from targets t join deployments d on d.org_id = t.org_id and d.id = t.deployment_id
   where ${isInWave} and not (t.status = 'waiting' and ${isRobotHeld('d', 't.robot_id')})
     and (exists (select from robot_links l
                   where l.org_id = t.org_id and l.robot_id = t.robot_id and t.status = 'waiting' and ${lacksCapability('d', 'l')})
          ${mayBeOffline ? `or ${isOffline}` : ''})`;

const isOffline = `not exists (select from robot_links l
  where l.org_id = t.org_id and l.robot_id = t.robot_id
    and (l.last_seen_at > now() - make_interval(secs => :seconds)
         or l.replica_id in (select id from replicas where lease_until > now())))`;
