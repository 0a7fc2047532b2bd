import type { Knex } from 'knex';
import type { Hint } from '../../../platform/bus/bus.ts';
import { isFrozen } from '../holds.ts';
import { lockFreezes, lockFreezeToChange } from './freeze-lock.ts';
import { pauseLocked, resumeLocked } from './pause.ts';
import { suspensionChanges } from './suspension.ts';

/*
 * A freeze is a row of its org. From its commit on, dispatch passes over all deployments but rollbacks. Besides, each is
 * paused with the code `frozen`, in batches, and resumed after the thaw: the request does the first batch, and the
 * worker of any replica the others, until the deployments are as the row says.
 */

/** Deployments per transaction. */
const batchSize = 200;

interface FreezeRow {
  frozen_at: Date;
  frozen_by: string;
  reason: string;
  thawed_at: Date | null;
  thaw_reason: string | null;
}

export interface Freeze {
  frozenAt: Date;
  frozenBy: string; // for people
  reason: string;
}

/** SQL: a freeze of its org is to pause the deployment `d`. */
const isToFreeze = `d.ended_at is null and d.rollback_of is null and d.status in ('scheduled', 'pending', 'in_progress')`;
const isToThaw = `d.status = 'paused' and d.pause_code = 'frozen'`;

const read = async (db: Knex, orgId: string): Promise<FreezeRow | undefined> =>
  db<FreezeRow & { org_id: string }>('deployment_freezes').where({ org_id: orgId }).first();

/** Undefined unless the org is frozen. */
export async function findFreeze(db: Knex, orgId: string): Promise<Freeze | undefined> {
  const row = await read(db, orgId);
  if (!row || row.thawed_at) return undefined;
  return { frozenAt: row.frozen_at, frozenBy: row.frozen_by, reason: row.reason };
}

/** The same, and until the transaction ends none begins or ends. Before any lock of a deployment. */
export async function findFreezeLocked(trx: Knex, orgId: string): Promise<Freeze | undefined> {
  await lockFreezes(trx, [orgId]);
  return findFreeze(trx, orgId);
}

/** Deployments of the org that a freeze holds: also those that no batch has paused or resumed yet. */
export async function countHeld(db: Knex, orgId: string): Promise<number> {
  const { rows } = await db.raw<{ rows: [{ count: number }] }>(
    `select count(*) as count from deployments d
      where d.org_id = ? and (${isToThaw} or ${isToFreeze} and ${isFrozen('d')})`,
    [orgId],
  );
  return rows[0].count;
}

/** Robots that have an order already, but for rollbacks: a freeze does not take it back. */
export async function countRobotsWithOrders(db: Knex, orgId: string): Promise<number> {
  const { rows } = await db.raw<{ rows: [{ count: number }] }>(
    `select count(distinct o.robot_id) as count from orders o
      where o.org_id = ? and o.ended_at is null and not o.is_cancelled
        and exists (select from deployments d where d.org_id = o.org_id and d.id = any(o.deployment_ids) and d.rollback_of is null offset 0)`,
    [orgId],
  );
  return rows[0].count;
}

/** Freezes the deployments of the org, or gives the freeze another reason. Returns the hints to announce. */
export async function freeze(
  trx: Knex,
  { orgId, by, reason }: { orgId: string; by: string; reason: string },
): Promise<Hint[]> {
  await trx.raw("set local lock_timeout = '9s'"); // of dispatch, which may wait for locks itself: the default is 2 s
  await lockFreezeToChange(trx, orgId);
  await trx.raw(
    `insert into deployment_freezes as f (org_id, frozen_at, frozen_by, reason) values (:orgId, clock_timestamp(), :by, :reason)
     on conflict (org_id) do update
        set frozen_at = case when f.thawed_at is null then f.frozen_at else excluded.frozen_at end,
            frozen_by = case when f.thawed_at is null and f.thaws_at is null then f.frozen_by else excluded.frozen_by end,
            reason = excluded.reason, thawed_at = null, thaw_reason = null, thaws_at = null`,
    { orgId, by, reason },
  );
  await settleSome(trx, orgId);
  return [{ topic: 'deployment_due', orgId }];
}

/** Returns the hints to announce. */
export async function thaw(
  trx: Knex,
  { orgId, reason }: { orgId: string; reason: string | undefined },
): Promise<Hint[]> {
  await lockFreezeToChange(trx, orgId);
  await trx.raw(
    `update deployment_freezes set thawed_at = clock_timestamp(), thaw_reason = :reason, thaws_at = null where org_id = :orgId and thawed_at is null`,
    { orgId, reason: reason ?? null },
  );
  return (await settleSome(trx, orgId)).announce;
}

/** An org with deployments that a freeze is to pause, or that are still paused after its end. */
interface Unsettled {
  orgId: string;
  isToFollow: boolean; // its freeze does not follow its suspension yet
}

/** SQL of these orgs, with whether the freeze of one is to follow its suspension. */
const unsettled = `
  select org_id, true as is_to_follow from (${suspensionChanges}) changes
  union all
  select f.org_id, false from deployment_freezes f
   where f.thawed_at is null and exists (select from deployments d where d.org_id = f.org_id and ${isToFreeze})
  union all
  select d.org_id, false from deployments d join deployment_freezes f using (org_id) where ${isToThaw} and f.thawed_at is not null`;
export const isAnyUnsettled = `exists (${unsettled})`;

export async function findUnsettled(db: Knex): Promise<Unsettled[]> {
  const { rows } = await db.raw<{ rows: { org_id: string; is_to_follow: boolean }[] }>(
    `select org_id, bool_or(is_to_follow) as is_to_follow from (${unsettled}) unsettled group by org_id`,
  );
  return rows.map((row) => ({ orgId: row.org_id, isToFollow: row.is_to_follow }));
}

/**
 * Pauses or resumes at most `batchSize` deployments, but none that others hold: no freeze waits for one of them. Returns
 * how many, and the hints to announce.
 */
export async function settleSome(trx: Knex, orgId: string): Promise<{ settled: number; announce: Hint[] }> {
  await lockFreezes(trx, [orgId]);
  const row = await read(trx, orgId);
  if (!row) return { settled: 0, announce: [] };
  const isOver = row.thawed_at !== null;
  const { rows } = await trx.raw<{ rows: { id: string; has_begun: boolean }[] }>(
    `select d.id, d.started_at is not null as has_begun from deployments d
      where d.org_id = :orgId and ${isOver ? isToThaw : isToFreeze} order by d.id limit :batchSize for no key update skip locked`,
    { orgId, batchSize },
  );
  if (rows.length === 0) return { settled: 0, announce: [] };
  const ids = rows.map(({ id }) => id);
  if (!isOver) {
    await pauseLocked(trx, { orgId, ids, reason: row.reason }, 'frozen');
    return { settled: ids.length, announce: [] };
  }
  const reason = row.thaw_reason ?? undefined;
  await resumeLocked(trx, { orgId, ids, reason }, { acceptsFailures: false, code: 'thawed' });
  const begun = rows.filter(({ has_begun: hasBegun }) => hasBegun);
  const hints = begun.map(({ id }): Hint => ({ topic: 'orders_changed', orgId, deploymentId: id }));
  return {
    settled: ids.length,
    announce: begun.length < rows.length ? [{ topic: 'deployment_due', orgId }, ...hints] : hints,
  };
}
