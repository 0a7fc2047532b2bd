import type { Knex } from 'knex';
import { textArray } from '../../../platform/db/arrays.ts';
import type { Decider } from '../approvals/decide-approval.ts';
import { hasEnded, type DeploymentStatus } from '../model.ts';
import { createRetry, type RetryTerms } from '../retries/create-retry.ts';
import { isRolledBack, nextRetry, reasonsOf } from '../retries/retry-robots.ts';

type RetryOutcome =
  | { kind: 'created'; id: string }
  | { kind: 'open'; status: DeploymentStatus }
  | { kind: 'is_rollback' }
  | { kind: 'rolled_back' }
  | { kind: 'scheduled'; id: string; at: Date | null } // another retry has robots that failed so
  | { kind: 'nothing' }; // no robot failed so, or all of those are excluded

interface OriginalRow {
  status: DeploymentStatus;
  is_rollback: boolean;
  is_rolled_back: boolean;
  root_id: string; // the original of a retry, otherwise itself
}

/**
 * Creates a deployment for the robots on which an ended deployment failed. The locks of its row and of the original let
 * two requests at the same time not retry the same robots twice. Undefined if the org has no such deployment.
 */
export async function requestRetry(
  trx: Knex,
  request: { orgId: string; deploymentId: string; terms: RetryTerms; author: Decider },
): Promise<RetryOutcome | undefined> {
  const { orgId, deploymentId, terms, author } = request;
  const key = { orgId, deploymentId };
  // Two statements: the first one may wait, and would read what was rolled back before.
  await trx.raw(
    `select from deployments where org_id = :orgId
        and id in (:deploymentId, (select retry_of from deployments where org_id = :orgId and id = :deploymentId)) order by id for no key update`,
    key,
  );
  const { rows } = await trx.raw<{ rows: OriginalRow[] }>(
    `select status, rollback_of is not null as is_rollback, ${isRolledBack('d')} as is_rolled_back, coalesce(retry_of, id) as root_id
       from deployments d where org_id = :orgId and id = :deploymentId`,
    key,
  );
  const [original] = rows;
  if (!original) return undefined;
  const { status } = original;
  if (original.is_rollback) return { kind: 'is_rollback' };
  if (original.is_rolled_back) return { kind: 'rolled_back' };
  if (!hasEnded(status)) return { kind: 'open', status };
  const attempt = { orgId, sourceId: deploymentId, sourceStatus: status, retryOf: original.root_id, attempt: 1 };
  const id = await createRetry(trx, { ...attempt, terms, author });
  if (id !== undefined) return { kind: 'created', id };
  const next = await trx.raw<{ rows: { id: string; scheduled_at: Date | null }[] }>(nextRetry, {
    ...key,
    reasons: textArray(reasonsOf(terms.reasons)),
  });
  const [other] = next.rows;
  return other ? { kind: 'scheduled', id: other.id, at: other.scheduled_at } : { kind: 'nothing' };
}
