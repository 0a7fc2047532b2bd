import type { Knex } from 'knex';
import type { Hint } from '../../../platform/bus/bus.ts';
import { isFrozen } from '../holds.ts';
import { lockFreezes, lockFreezeToChange } from './freeze-lock.ts';
import { pauseLocked, resumeLocked } from './pause.ts';

/*
 * A freeze is a row of its org. From its commit on, dispatch passes over all deployments but rollbacks. Besides, each is
 * paused with the code `frozen`, in batches, and resumed after the thaw: the request does the first batch, and the
 * worker of any replica the others, until the deployments are as the row says.
 *
 * While an org is suspended its robots cannot connect. So that no deadline passes and no rule judges them, a suspension
 * freezes too. That ends by itself some minutes after the org is resumed, when the robots are back. A freeze of people
 * stays as it is.
 */

/** Deployments per transaction. */
const batchSize = 200;
/** From the resume of an org to the thaw, in seconds: its agents wait for 60 to 75 s between two attempts. */
const robotsReturnSeconds = 180;

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
/** SQL: the freeze `f` is of a suspension that ended long enough ago. */
const isToEnd = 'f.thawed_at is null and f.thaws_at <= clock_timestamp()';

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

/** Freezes the deployments of an org that is suspended. Returns the hints to announce. */
export async function freezeSuspended(trx: Knex, orgId: string): Promise<Hint[]> {
  await trx.raw("set local lock_timeout = '9s'"); // as above
  await lockFreezeToChange(trx, orgId);
  await trx.raw(
    `insert into deployment_freezes as f (org_id, frozen_at, frozen_by, reason, thaws_at)
     values (:orgId, clock_timestamp(), 'the service', 'the org is suspended', 'infinity')
     on conflict (org_id) do update
        set frozen_at = case when f.thawed_at is null then f.frozen_at else excluded.frozen_at end,
            frozen_by = excluded.frozen_by, reason = excluded.reason, thawed_at = null, thaw_reason = null, thaws_at = excluded.thaws_at
      where f.thawed_at is not null or f.thaws_at is not null`,
    { orgId },
  );
  await settleSome(trx, orgId);
  return [{ topic: 'deployment_due', orgId }];
}

/** Lets the freeze of a suspension end when the robots of the org are back. */
export async function thawResumedLater(trx: Knex, orgId: string): Promise<void> {
  await lockFreezeToChange(trx, orgId);
  await trx.raw(
    `update deployment_freezes set thaws_at = clock_timestamp() + make_interval(secs => :robotsReturnSeconds)
      where org_id = :orgId and thawed_at is null and thaws_at is not null`,
    { orgId, robotsReturnSeconds },
  );
}

/** Ends the freeze of a suspension whose time has come. Returns the hints to announce. */
export async function thawResumed(trx: Knex, orgId: string): Promise<Hint[]> {
  await lockFreezeToChange(trx, orgId);
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `update deployment_freezes f set thawed_at = clock_timestamp(), thaw_reason = 'the org is resumed', thaws_at = null where org_id = :orgId and ${isToEnd}`,
    { orgId },
  );
  return rowCount === 0 ? [] : (await settleSome(trx, orgId)).announce;
}

/** Orgs whose freeze of a suspension is to end. */
export async function findResumed(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { org_id: string }[] }>(
    `select f.org_id from deployment_freezes f where ${isToEnd}`,
  );
  return rows.map(({ org_id: orgId }) => orgId);
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

/** Orgs with deployments that a freeze is to pause, or that are still paused after its end. */
export async function findUnsettled(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { org_id: string }[] }>(
    `select f.org_id from deployment_freezes f
      where f.thawed_at is null and exists (select from deployments d where d.org_id = f.org_id and ${isToFreeze})
     union
     select d.org_id from deployments d join deployment_freezes f using (org_id) where ${isToThaw} and f.thawed_at is not null`,
  );
  return rows.map(({ org_id: orgId }) => orgId);
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
