import type { Knex } from 'knex';
import { isHolding } from '../holds.ts';
import type { DeploymentStatus } from '../model.ts';

/** A deployment under the lock of its row. */
interface LockedRow {
  id: string;
  status: DeploymentStatus;
  hasBegun: boolean; // its robots are fixed
  isHolding: boolean; // what it caused waits
}

/** Locks a deployment with the open ones that it caused: all in order of their ids. */
export async function lockWithCaused(
  trx: Knex,
  key: { orgId: string; deploymentId: string },
): Promise<{ own: LockedRow | undefined; caused: LockedRow[] }> {
  const { rows } = await trx.raw<{
    rows: { id: string; status: DeploymentStatus; has_begun: boolean; is_holding: boolean }[];
  }>(
    `select id, status, started_at is not null as has_begun, coalesce(${isHolding('d')}, false) as is_holding from deployments d
      where org_id = :orgId and (id = :deploymentId or cause_id = :deploymentId and ended_at is null)
      order by org_id, id for no key update`,
    { orgId: key.orgId, deploymentId: key.deploymentId },
  );
  const locked = rows.map(({ id, status, has_begun: hasBegun, is_holding: holds }): LockedRow => ({
    id,
    status,
    hasBegun,
    isHolding: holds,
  }));
  return {
    own: locked.find(({ id }) => id === key.deploymentId),
    caused: locked.filter(({ id }) => id !== key.deploymentId),
  };
}
