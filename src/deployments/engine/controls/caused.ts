import type { Knex } from 'knex';
import type { Hint } from '../../../platform/bus/bus.ts';
import { isHolding } from '../holds.ts';
import { expiryDays, type DeploymentStatus, type PauseCode } from '../model.ts';

/** A deployment under the lock of its row. */
interface LockedRow {
  id: string;
  status: DeploymentStatus;
  hasBegun: boolean; // its robots are fixed
  isHolding: boolean; // what it caused waits
  isRollout: boolean;
  isDynamic: boolean; // robots that match later receive it
  isRolledBack: boolean; // that was requested
  needsApproval: boolean; // it waits for it
  pauseCode: PauseCode | undefined; // of one that is paused
}

/** Locks a deployment with the open ones that it caused: all in order of their ids. */
export async function lockWithCaused(
  trx: Knex,
  key: { orgId: string; deploymentId: string },
): Promise<{ own: LockedRow | undefined; caused: LockedRow[] }> {
  const { rows } = await trx.raw<{
    rows: (Pick<LockedRow, 'id' | 'status'> &
      Record<
        'has_begun' | 'is_holding' | 'is_rollout' | 'is_dynamic' | 'is_rolled_back' | 'needs_approval',
        boolean
      > & {
        pause_code: PauseCode | null;
      })[];
  }>(
    `select id, status, started_at is not null as has_begun, coalesce(${isHolding('d')}, false) as is_holding, rollout is not null as is_rollout, match_at is not null as is_dynamic,
            rollback_at is not null as is_rolled_back, approval_wave is not null as needs_approval,
            case when status = 'paused' then pause_code end as pause_code
       from deployments d
      where org_id = :orgId and (id = :deploymentId or cause_id = :deploymentId and ended_at is null)
      order by org_id, id for no key update`,
    { orgId: key.orgId, deploymentId: key.deploymentId },
  );
  const locked = rows.map((row): LockedRow => ({
    id: row.id,
    status: row.status,
    hasBegun: row.has_begun,
    isHolding: row.is_holding,
    isRollout: row.is_rollout,
    isDynamic: row.is_dynamic,
    isRolledBack: row.is_rolled_back,
    needsApproval: row.needs_approval,
    pauseCode: row.pause_code ?? undefined,
  }));
  return {
    own: locked.find(({ id }) => id === key.deploymentId),
    caused: locked.filter(({ id }) => id !== key.deploymentId),
  };
}

/** Deployments caused by one whose robots receive them at once; the others within a minute. */
const maxAnnounced = 100;

/** The hints by which robots receive a deployment, and those that it caused. */
export const hintsOf = (orgId: string, deploymentId: string, causedIds: readonly string[]): Hint[] =>
  [deploymentId, ...causedIds.slice(0, maxAnnounced)].map((id) => ({
    topic: 'orders_changed',
    orgId,
    deploymentId: id,
  }));

/** Gives robots that joined during a rollout their full time, as it holds them no longer. Returns what it caused. */
export async function freeCaused(trx: Knex, key: { orgId: string; deploymentId: string }): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `with held as (
       select id from deployments where org_id = :orgId and cause_id = :deploymentId and ended_at is null order by id for no key update
     )
     update deployments d set waiting_until = clock_timestamp() + make_interval(days => :expiryDays)
       from held where d.org_id = :orgId and d.id = held.id returning d.id`,
    { orgId: key.orgId, deploymentId: key.deploymentId, expiryDays },
  );
  return rows.map(({ id }) => id);
}
