import type { Knex } from 'knex';
import { newId } from '../../../kernel/ids.ts';
import type { Rollout } from '../../../rollout-policies/service.ts';
import { hasBudgets, oneWave } from '../admission/gradual.ts';
import { pacedRollout } from '../due-deployments.ts';
import { expand } from '../target-expansion.ts';

/** The rules of the last wave hold for robots that match later; its waves and approvals do not. */
const rolloutSql = `case when d.rollout is not null then :oneWave::jsonb || jsonb_strip_nulls(jsonb_build_object(
  'abort', d.rollout -> 'abort', 'pace', d.rollout -> 'pace', 'gates', d.rollout -> 'gates', 'windows', d.rollout -> 'windows',
  'ignored_windows', d.rollout -> 'ignored_windows')) end`;

/**
 * Creates and begins a deployment for robots that match a dynamic one, which is locked; all in one transaction, so that no
 * replica of the previous release begins it for others. Returns its ID.
 */
export async function createCaused(
  trx: Knex,
  { orgId, causeId, robotIds }: { orgId: string; causeId: string; robotIds: readonly string[] },
): Promise<string> {
  const id = newId();
  const { rows } = await trx.raw<{ rows: [{ rollout: Rollout | null; is_urgent: boolean; has_budgets: boolean }] }>(
    `with made as (
       insert into deployments (org_id, id, lane, payload_key, release_id, config_id, revision, namespace, key, payload_digest, proof,
                                target_kind, target_id, active_minutes, signature, key_id, is_urgent, rollout, waits_for_maintenance, allow_downgrade, cause_kind, cause_id, due_at, traceparent)
       select org_id, :id::uuid, lane, payload_key, release_id, config_id, revision, namespace, key, payload_digest, proof,
              target_kind, target_id, active_minutes, signature, key_id, is_urgent, ${rolloutSql}, waits_for_maintenance, allow_downgrade, 'matched', id, date_trunc('milliseconds', now()), traceparent
         from deployments d where org_id = :orgId and id = :causeId
       returning org_id, id, rollout, is_urgent
     ), counted as (
       insert into deployment_counts (org_id, deployment_id, event_seq) select org_id, id, 1 from made
     ), noted as (
       insert into deployment_events (org_id, deployment_id, seq, status) select org_id, id, 1, 'scheduled' from made
     )
     select rollout, is_urgent, ${hasBudgets('made')} as has_budgets from made`,
    { orgId, id, causeId, oneWave: JSON.stringify(oneWave) },
  );
  await expand(trx, {
    orgId,
    deploymentId: id,
    target: { kind: 'robots', ids: robotIds },
    ...pacedRollout(rows[0]),
    blockedBy: [],
    lateSeconds: 0,
  });
  return id;
}
