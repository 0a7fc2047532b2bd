import type { Knex } from 'knex';
import type { Hint } from '../../../platform/bus/bus.ts';
import { insertDeploymentEvent } from '../events.ts';
import { hasEnded } from '../model.ts';
import { cancelCaused, requestCancel } from './cancel.ts';
import { lockWithCaused } from './caused.ts';

type RollbackCode = 'requested' | 'aborted';

/** A signature of what robots return to. */
export interface ReturnSignature {
  payloadDigest: string;
  signature: string; // base64
  keyId: string;
}

type RollbackOutcome =
  | { kind: 'changed'; announce: Hint[] }
  | { kind: 'unchanged' } // it was requested before, with these signatures
  | { kind: 'not_begun' };

/**
 * Requests the rollback of a deployment: cancels it unless it has ended, and lets the worker of rollouts return its
 * robots (`rollbacks/roll-back.ts`). Requested again with other signatures, robots that lacked them return too.
 * Undefined if the org has no such deployment.
 */
export async function requestRollback(
  trx: Knex,
  request: { orgId: string; deploymentId: string; reason: string | undefined; signatures?: readonly ReturnSignature[] },
  code: RollbackCode = 'requested',
): Promise<RollbackOutcome | undefined> {
  const { orgId, deploymentId, reason, signatures = [] } = request;
  const key = { orgId, deploymentId };
  const { own, caused } = await lockWithCaused(trx, key);
  if (!own) return undefined;
  if (!own.hasBegun) return { kind: 'not_begun' };
  const signed = await keepSignatures(trx, key, signatures);
  if (own.isRolledBack && signed === 0) return { kind: 'unchanged' };
  const cause = reason === undefined || code === 'requested' ? undefined : { reason: code, message: reason };
  const cancelled = hasEnded(own.status) ? undefined : await requestCancel(trx, orgId, deploymentId, cause);
  const status = cancelled?.kind === 'changed' ? cancelled.status : own.status;
  await Promise.all([
    trx.raw(
      `update deployments set rollback_at = coalesce(rollback_at, clock_timestamp()), decide_at = clock_timestamp(),
              rollback_code = coalesce(rollback_code, :code), rollback_reason = coalesce(rollback_reason, :reason)
        where org_id = :orgId and id = :deploymentId`,
      { ...key, code, reason: reason ?? null },
    ),
    insertDeploymentEvent(trx, { ...key, status, reason: 'rollback', message: reason }),
    caused.length > 0 && cancelCaused(trx, key),
  ]);
  return { kind: 'changed', announce: [{ topic: 'orders_changed', orgId, deploymentId }] };
}

/** Robots that were left out for lack of one of them are looked at again. Returns how many are new. */
async function keepSignatures(
  trx: Knex,
  key: { orgId: string; deploymentId: string },
  signatures: readonly ReturnSignature[],
): Promise<number> {
  let kept = 0;
  for (const each of signatures) {
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `insert into rollback_signatures (org_id, deployment_id, payload_digest, signature, key_id)
       values (:orgId, :deploymentId, :payloadDigest, :signature, :keyId) on conflict (org_id, deployment_id, payload_digest)
       do update set signature = excluded.signature, key_id = excluded.key_id where rollback_signatures.signature <> excluded.signature`,
      { ...key, ...each },
    );
    kept += rowCount;
  }
  if (kept > 0)
    await trx.raw(
      `delete from rollback_robots b using deployments s
        where b.org_id = :orgId and b.deployment_id = :deploymentId and b.code = 'signature_required' and s.org_id = b.org_id and s.id = b.source_id
          and exists (select from rollback_signatures v where v.org_id = b.org_id and v.deployment_id = b.deployment_id and v.payload_digest = s.payload_digest)`,
      key,
    );
  return kept;
}
