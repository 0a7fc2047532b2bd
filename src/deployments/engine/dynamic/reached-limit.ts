import type { Knex } from 'knex';
import type { Rollout } from '../../../rollout-policies/service.ts';
import { decideRollout, type FailureCause } from '../rollouts/decide.ts';

/**
 * What the abort rules of a dynamic deployment count among all robots that matched later, if that reaches a limit.
 * Failures that a person accepted with a resume do not count.
 */
export async function findReachedLimit(
  trx: Knex,
  key: { orgId: string; deploymentId: string },
  rollout: Rollout,
): Promise<string | undefined> {
  if (rollout.abort.length === 0) return undefined;
  const matched = `d.org_id = :orgId and d.cause_id = :deploymentId and d.cause_kind = 'matched'`;
  const [{ rows: counts }, { rows: failures }] = await Promise.all([
    trx.raw<{ rows: [{ now: Date; total: number; applied: number }] }>(
      `select clock_timestamp() as now, coalesce(sum(c.total), 0)::int as total, coalesce(sum(c.applied), 0)::int as applied
         from deployments d join deployment_counts c on c.org_id = d.org_id and c.deployment_id = d.id where ${matched}`,
      key,
    ),
    trx.raw<{ rows: { robot_id: string; at: Date; cause: FailureCause }[] }>(
      `select f.robot_id, f.at, f.cause from deployments d join rollout_failures f on f.org_id = d.org_id and f.deployment_id = d.id
        where ${matched} and f.at > coalesce(d.accepted_at, '-infinity')`,
      key,
    ),
  ]);
  const [{ now, total, applied }] = counts;
  const decision = decideRollout(rollout, {
    nowMs: now.getTime(),
    waves: [
      {
        wave: 1,
        total,
        applied,
        failed: failures.length,
        offline: 0,
        held: 0,
        soakStartedAtMs: undefined,
        isSkipped: false,
        hasEnded: false,
      },
    ],
    lastWave: 1,
    nextWave: 1,
    approvedWave: 1,
    acceptedAtMs: -Infinity,
    failures: failures.map(({ robot_id: robotId, at, cause }) => ({ robotId, wave: 1, atMs: at.getTime(), cause })),
  });
  return decision.kind === 'wait' || decision.kind === 'advance' ? undefined : decision.message;
}
