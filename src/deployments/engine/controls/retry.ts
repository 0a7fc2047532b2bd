import type { Knex } from 'knex';
import type { Decider } from '../approvals/decide-approval.ts';
import { hasEnded, type DeploymentStatus } from '../model.ts';
import { createRetry, type RetryTerms } from '../retries/create-retry.ts';

type RetryOutcome =
  | { kind: 'created'; id: string }
  | { kind: 'open'; status: DeploymentStatus }
  | { kind: 'is_rollback' }
  | { kind: 'rolled_back' }
  | { kind: 'nothing' }; // no robot failed so, or all of those are excluded

interface OriginalRow {
  status: DeploymentStatus;
  is_rollback: boolean;
  is_rolled_back: boolean;
}

/**
 * Creates a deployment for the robots on which an ended deployment failed. The lock of its row lets two requests at the
 * same time not retry the same robots twice. Undefined if the org has no such deployment.
 */
export async function requestRetry(
  trx: Knex,
  request: { orgId: string; deploymentId: string; terms: RetryTerms; author: Decider },
): Promise<RetryOutcome | undefined> {
  const { orgId, deploymentId, terms, author } = request;
  const { rows } = await trx.raw<{ rows: OriginalRow[] }>(
    `select status, rollback_of is not null as is_rollback, rollback_at is not null as is_rolled_back
       from deployments where org_id = :orgId and id = :deploymentId for no key update`,
    { orgId, deploymentId },
  );
  const [original] = rows;
  if (!original) return undefined;
  const { status } = original;
  if (original.is_rollback) return { kind: 'is_rollback' };
  if (original.is_rolled_back) return { kind: 'rolled_back' };
  if (!hasEnded(status)) return { kind: 'open', status };
  const attempt = { orgId, sourceId: deploymentId, sourceStatus: status, retryOf: deploymentId, attempt: 1 };
  const id = await createRetry(trx, { ...attempt, terms, author });
  return id === undefined ? { kind: 'nothing' } : { kind: 'created', id };
}
