import type { Knex } from 'knex';
import { plainArray } from '../../platform/db/arrays.ts';
import type { Rollout } from '../../rollout-policies/service.ts';
import { hasBudgets, oneWave } from './admission/gradual.ts';
import { isFrozen } from './holds.ts';
import type { Target } from './target-sql.ts';

/** A due deployment, locked. */
export interface DueDeployment {
  orgId: string;
  deploymentId: string;
  target: Target;
  rollout: Rollout | undefined; // undefined: all robots at once
  isGradual: boolean; // its robots are admitted step by step
  blockedBy: readonly string[]; // deployments that were to end first when it was last due
  lateSeconds: number;
  traceContext: string | undefined; // of the request that created it
}

export interface ClaimedDeployment extends DueDeployment {
  mayLeaveOut: boolean; // robots that run a newer release
}

/** One for a robot or a fleet, of which nothing but its robots is left to decide. */
export const isPlain = ({ target, rollout, mayLeaveOut }: ClaimedDeployment): boolean =>
  (target.kind === 'robot' || target.kind === 'fleet') && rollout === undefined && !mayLeaveOut;

interface DueRow {
  org_id: string;
  id: string;
  target_kind: 'robot' | 'fleet' | 'selector';
  target_id: string;
  selector: string | null;
  is_rollback: boolean;
  is_retry: boolean;
  plan_id: string | null;
  rollout: Rollout | null;
  is_urgent: boolean;
  has_budgets: boolean;
  may_leave_out: boolean;
  blocked_by: string[] | null;
  late_seconds: number;
  traceparent: string | null;
}

/** SQL of deployments that start when they are due. */
export const isToStart = `status = 'scheduled' and not ${isFrozen('deployments')}`;

/**
 * Those that are due by the database's clock. It uses the statement's instant, which is never later than the clock: only
 * with it can Postgres read no more of the index than is due.
 */
const selectDue = `
  select org_id, id, traceparent, target_kind, target_id, plan_id, rollout, is_urgent, ${hasBudgets('deployments')} as has_budgets, blocked_by, rollback_of is not null as is_rollback, retry_of is not null as is_retry,
         allow_downgrade is not distinct from false as may_leave_out, extract(epoch from clock_timestamp() - due_at)::float8 as late_seconds,
         case when target_kind = 'selector' then
           (select s.text from selectors s where s.org_id = deployments.org_id and s.id = deployments.target_id) end as selector
    from deployments
   where ${isToStart} and due_at <= statement_timestamp()`;

/**
 * Locks the deployments that have been due longest, at most `most`, except those that others hold, those in `leftAlone`,
 * and those of `otherOrgs`. Of those that are due at the same moment, the one that was created first is the first.
 */
export async function claimDue(
  trx: Knex,
  most: number,
  { leftAlone = [], otherOrgs = [] }: { leftAlone?: readonly string[]; otherOrgs?: readonly string[] } = {},
): Promise<ClaimedDeployment[]> {
  const { rows } = await trx.raw<{ rows: DueRow[] }>(
    `${selectDue} and not (id = any(?::uuid[])) and not (org_id = any(?::uuid[])) order by due_at, id limit ? for update skip locked`,
    [plainArray(leftAlone), plainArray(otherOrgs), most],
  );
  return rows.map(fromRow);
}

/** Locks this one. Undefined if another transaction holds it, or it is not due any more. */
export async function claimOne(
  trx: Knex,
  key: { orgId: string; deploymentId: string },
): Promise<ClaimedDeployment | undefined> {
  const { rows } = await trx.raw<{ rows: DueRow[] }>(
    `${selectDue} and org_id = :orgId and id = :deploymentId for update skip locked`,
    { orgId: key.orgId, deploymentId: key.deploymentId },
  );
  return rows[0] && fromRow(rows[0]);
}

/** With disruption budgets, all robots at once are one wave whose robots are admitted step by step. */
export function pacedRollout({
  rollout,
  is_urgent: isUrgent,
  has_budgets: hasBudgets,
}: Pick<DueRow, 'rollout' | 'is_urgent' | 'has_budgets'>): Pick<DueDeployment, 'rollout' | 'isGradual'> {
  const isPaced = (rollout?.pace !== undefined && !isUrgent) || rollout?.windows?.download !== undefined;
  return { rollout: rollout ?? (hasBudgets ? oneWave : undefined), isGradual: hasBudgets || isPaced };
}

function targetOf({
  target_kind: kind,
  target_id: id,
  selector,
  is_rollback: isRollback,
  is_retry: isRetry,
  plan_id: planId,
}: DueRow): Target {
  if (isRollback) return { kind: 'rollback' };
  if (isRetry) return { kind: 'retry' };
  if (planId !== null) return { kind: 'plan', id: planId, fleetId: kind === 'fleet' ? id : undefined };
  return kind === 'selector' ? { kind, text: selector ?? '' } : { kind, id };
}

const fromRow = (row: DueRow): ClaimedDeployment => ({
  orgId: row.org_id,
  deploymentId: row.id,
  target: targetOf(row),
  ...pacedRollout(row),
  blockedBy: row.blocked_by ?? [],
  lateSeconds: row.late_seconds,
  traceContext: row.traceparent ?? undefined,
  mayLeaveOut: row.may_leave_out,
});
