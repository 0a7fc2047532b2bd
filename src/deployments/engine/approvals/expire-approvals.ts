import type { Knex } from 'knex';
import { auditService } from '../../../audit/service.ts';
import type { Bus, Hint } from '../../../platform/bus/bus.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { requestCancel } from '../controls/cancel.ts';
import { insertDeploymentEvent } from '../events.ts';
import { beginning, lapseApprovals } from './request-approval.ts';

interface Row {
  org_id: string;
  id: string;
  approval_wave: number;
  is_config: boolean;
}

const expires = "approval_wave is not null and ended_at is null and status = 'paused'";
const isExpired = `${expires} and approval_expires_at <= statement_timestamp()`;
export const isAnyApprovalExpired = `(
  select approval_expires_at from deployments where ${expires} order by approval_expires_at limit 1) <= now()`;

/** Ends what waited too long for approval, one deployment per transaction, on whichever replica is first. */
export async function expireApprovals(db: Knex, bus: Bus): Promise<void> {
  for (let hasMore = true; hasMore;)
    hasMore = await inTransaction(db, async (trx) => {
      const { rows } = await trx.raw<{ rows: Row[] }>(
        `select org_id, id, approval_wave, config_id is not null as is_config from deployments
          where ${isExpired}
          order by approval_expires_at limit 1 for no key update skip locked`,
      );
      const [due] = rows;
      if (!due) return { result: false, closing: [] };
      const announce = await (due.approval_wave === beginning ? cancelExpired : lapseExpired)(trx, due);
      return { result: true, ...bus.announcing(trx, announce) };
    });
}

async function cancelExpired(trx: Knex, { org_id: orgId, id, is_config: isConfig }: Row): Promise<Hint[]> {
  const cause = { reason: 'approval_expired', message: 'too few people approved it in time' };
  await lapseApprovals(trx, { orgId, deploymentId: id });
  const outcome = await requestCancel(trx, orgId, id, cause);
  await auditService(trx).record(orgId, {
    actor: { kind: 'system' },
    operation: isConfig ? 'cancelConfigDeployment' : 'cancelDeployment',
    objectKind: isConfig ? 'config_deployment' : 'deployment',
    objectId: id,
    before: { status: 'paused' },
    after: { status: 'cancelled', reason: cause.reason },
  });
  return outcome?.kind === 'changed' ? outcome.announce : [];
}

/** Its robots keep what they have; the next approval is the first of new ones. */
async function lapseExpired(trx: Knex, { org_id: orgId, id }: Row): Promise<Hint[]> {
  const key = { orgId, deploymentId: id };
  const lapsed = await lapseApprovals(trx, key);
  await trx.raw('update deployments set approval_expires_at = null where org_id = :orgId and id = :deploymentId', key);
  const message = `${lapsed} ${lapsed === 1 ? 'approval' : 'approvals'} lapsed`;
  await insertDeploymentEvent(trx, { ...key, status: 'paused', reason: 'approval_expired', message });
  return [];
}
