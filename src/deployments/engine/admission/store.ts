import type { Knex } from 'knex';
import { mayDispatchTo } from '../holds.ts';
import { isInFlight, sqlList, targetStatuses, type earlierOrders } from '../model.ts';
import { isOnline } from '../links.ts';
import type { PaceTokens } from './pace.ts';

interface DeploymentKey {
  orgId: string;
  deploymentId: string;
}

/** What keeps online robots from being admitted. */
export interface Hold {
  by: 'pace' | 'budget' | 'window' | typeof earlierOrders;
  detail: string | undefined; // for people
}

/** Of a 64-bit key of advisory locks: this half says that an org's robots are admitted. */
const ledgerLock = 24_035;

/**
 * Locks the robots of the org that deployments disturb, until the transaction ends: what one deployment admits, the next
 * one counts. False if another transaction has the lock.
 */
export async function tryLockLedger(trx: Knex, orgId: string): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: [{ is_locked: boolean }] }>(
    'select pg_try_advisory_xact_lock(:ledgerLock::int, hashtext(:orgId)) as is_locked',
    { ledgerLock, orgId },
  );
  return rows[0].is_locked;
}

const inFlight = sqlList(targetStatuses.filter(isInFlight));

/** How many robots have applied a deployment, and how many work on it, but for those that went offline before. */
export async function readProgress(
  trx: Knex,
  { orgId, deploymentId }: DeploymentKey,
): Promise<{ applied: number; inFlight: number }> {
  const { rows } = await trx.raw<{ rows: [{ applied: number; in_flight: number }] }>(
    `select c.applied, (
       select count(*) from open_targets o join targets t using (org_id, robot_id, deployment_id)
        where o.org_id = :orgId and o.deployment_id = :deploymentId and t.status in (${inFlight})
          and (t.status <> 'dispatched' or ${isOnline('t')})) as in_flight
       from deployment_counts c where c.org_id = :orgId and c.deployment_id = :deploymentId`,
    { orgId, deploymentId },
  );
  return { applied: rows[0].applied, inFlight: rows[0].in_flight };
}

/** How many robots of each site download a release, or may begin to at any moment. */
export async function readDownloads(trx: Knex, orgId: string): Promise<Map<string, number>> {
  const { rows } = await trx.raw<{ rows: { site_id: string; count: number }[] }>(
    `select r.site_id, count(distinct r.id) as count
       from open_targets o join targets t using (org_id, robot_id, deployment_id)
       join deployments d on d.org_id = o.org_id and d.id = o.deployment_id and d.release_id is not null
       join robots r on r.org_id = o.org_id and r.id = o.robot_id
      where o.org_id = :orgId and ${isOnline('o')}
        and (t.status in ('dispatched', 'downloading') or t.status = 'waiting' and ${mayDispatchTo('d', 't')})
      group by r.site_id`,
    { orgId },
  );
  return new Map(rows.map((row) => [row.site_id, row.count]));
}

/** Whether robots of waves that have begun were not dispatched to. */
export async function isAnyLeft(trx: Knex, key: DeploymentKey & { openWave: number }): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: [{ is_left: boolean }] }>(
    `select exists (select from targets t
      where t.org_id = :orgId and t.deployment_id = :deploymentId and t.wave <= :openWave and t.status = 'waiting') as is_left`,
    { orgId: key.orgId, deploymentId: key.deploymentId, openWave: key.openWave },
  );
  return rows[0].is_left;
}

/** Writes what the next admission needs, and what views show. */
export const writeAdmission = (
  trx: Knex,
  { orgId, deploymentId }: DeploymentKey,
  tokens: PaceTokens | undefined,
  hold: Hold | undefined,
  restMs: number, // for which it is not looked at again
) =>
  trx.raw(
    `update deployments
        set pace_tokens = :count, paced_at = :pacedAt, held_detail = :detail, held_by = :by, admit_at = clock_timestamp() + make_interval(secs => :rest),
            held_since = case when :by::text is null then null when held_by = :by then held_since else clock_timestamp() end
      where org_id = :orgId and id = :deploymentId`,
    {
      orgId,
      deploymentId,
      detail: hold?.detail ?? null,
      by: hold?.by ?? null,
      count: tokens?.count ?? null,
      rest: restMs / 1_000,
      pacedAt: tokens ? new Date(tokens.atMs) : null,
    },
  );
