import type { Knex } from 'knex';
import type { Bus } from '../../platform/bus/bus.ts';
import { plainArray } from '../../platform/db/arrays.ts';
import { isPinnedBack, isReplaced, releaseOf } from './robot-holds.ts';
import { applySweeps, isAbandoned, sweepBatch, toSweep, type Sweep, type SweepRow } from './sweep-queries.ts';

/*
 * Targets that a deployment made obsolete when it started, or that were obsolete then. Until they are ended, it has the
 * flag `is_superseding`.
 */

interface Started {
  orgId: string;
  deploymentId: string;
}

/** Most targets of a deployment that is looked at with others. */
const maxSmall = 100;
/** Deployments looked at together. */
const maxTogether = 200;

/** Ends these targets. */
export async function sweepObsolete(db: Knex, bus: Bus, isStopping: () => boolean): Promise<void> {
  const { small, large } = await findSuperseding(db);
  for (let start = 0; start < small.length && !isStopping(); start += maxTogether)
    await sweepSmall(db, bus, small.slice(start, start + maxTogether), isStopping);
  for (const deployment of large) if (!isStopping()) await sweepLarge(db, bus, deployment, isStopping);
}

/** Until nothing is left to do, or others hold the targets. */
async function sweepSmall(db: Knex, bus: Bus, started: readonly Started[], isStopping: () => boolean): Promise<void> {
  for (let left = started; left.length > 0 && !isStopping();) {
    const found = await findObsoleteOf(db, left);
    const isAll = found.length < sweepBatch;
    const busy = new Set(found.map(({ startedId }) => startedId));
    const done = left.filter(({ deploymentId }) => isAll && !busy.has(deploymentId));
    if (done.length > 0) await endSuperseding(db, done);
    if ((await applySweeps(db, bus, found)) === 0) return;
    left = left.filter((each) => !done.includes(each));
  }
}

async function sweepLarge(db: Knex, bus: Bus, deployment: Started, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const found = await findObsolete(db, deployment);
    if (found.length === 0) return endSuperseding(db, [deployment]);
    if ((await applySweeps(db, bus, found)) === 0) return;
  }
}

export const isAnySuperseding =
  '(select is_superseding from deployments where is_superseding order by org_id, id limit 1)';

/** Started deployments that may supersede older ones, or that are superseded by a newer one that started first. */
async function findSuperseding(db: Knex): Promise<{ small: Started[]; large: Started[] }> {
  const { rows } = await db.raw<{ rows: { org_id: string; id: string; is_small: boolean }[] }>(
    `select d.org_id, d.id, c.total <= ${maxSmall} as is_small
       from deployments d join deployment_counts c on c.org_id = d.org_id and c.deployment_id = d.id
      where d.is_superseding order by d.rank limit 1000`,
  );
  const those = (isSmall: boolean): Started[] =>
    rows.flatMap((row) => (row.is_small === isSmall ? [{ orgId: row.org_id, deploymentId: row.id }] : []));
  return { small: those(true), large: those(false) };
}

/**
 * The same as `findObsolete` for several deployments, by look-ups for each of their targets: thousands of small ones for the
 * same lane and key would be compared with one another. Older targets are looked up from the rank of the oldest open
 * deployment on.
 */
async function findObsoleteOf(db: Knex, started: readonly Started[]): Promise<(Sweep & { startedId: string })[]> {
  const { rows } = await db.raw<{ rows: (SweepRow & { started_id: string })[] }>(
    `with own as materialized (
       select t.* from unnest(?::uuid[], ?::uuid[]) as k (org_id, deployment_id)
        cross join lateral (select * from targets where org_id = k.org_id and deployment_id = k.deployment_id offset 0) t
     ), oldest as materialized (
       select of.*, (select min(open.rank) from (
                select rank from deployments d
                 where d.org_id = of.org_id and d.lane = of.lane and d.payload_key = of.payload_key and d.ended_at is null and d.rank is not null offset 0) open) as rank
         from (select distinct org_id, lane, payload_key from own) of
     )
     select older.org_id, older.deployment_id, older.robot_id, older.order_id, 'superseded' as cause, own.deployment_id as started_id
       from own join oldest on oldest.org_id = own.org_id and oldest.lane = own.lane and oldest.payload_key = own.payload_key and oldest.rank < own.rank
      cross join lateral (
        select * from targets o where o.org_id = own.org_id and o.robot_id = own.robot_id and o.lane = own.lane and o.payload_key = own.payload_key
           and o.rank >= oldest.rank and o.rank < own.rank and o.status = 'waiting' offset 0) older
      where not ${isPinnedBack('own', releaseOf('older'))}
     union all
     select t.org_id, t.deployment_id, t.robot_id, t.order_id, case when ${isAbandoned} then 'robot_removed' else 'superseded' end, t.deployment_id
       from own t
      where t.deadline_at is not null and (${isAbandoned} or t.status = 'waiting' and ${isReplaced('t')})
      limit ?`,
    [
      plainArray(started.map(({ orgId }) => orgId)),
      plainArray(started.map(({ deploymentId }) => deploymentId)),
      sweepBatch,
    ],
  );
  return rows.map((row) => ({ ...toSweep(row), startedId: row.started_id }));
}

/**
 * Targets that are obsolete since this deployment started: waiting ones behind a newer target of the same robot, lane
 * and key, either of older deployments or its own. Also its own targets of robots that were removed while it started.
 */
async function findObsolete(db: Knex, { orgId, deploymentId }: Started): Promise<Sweep[]> {
  const { rows } = await db.raw<{ rows: SweepRow[] }>(
    `with this as (select * from deployments where org_id = ? and id = ?), others as materialized (
       select o.id, o.rank, o.release_id from this join deployments o
           on o.org_id = this.org_id and o.lane = this.lane and o.payload_key = this.payload_key and o.rank > this.rank
       union all
       select o.id, o.rank, o.release_id from this join deployments o
           on o.org_id = this.org_id and o.lane = this.lane and o.payload_key = this.payload_key and o.rank < this.rank and o.ended_at is null
     )
     (select t.org_id, t.deployment_id, t.robot_id, t.order_id, 'superseded' as cause
        from this join others on others.rank < this.rank
        join targets t on t.org_id = this.org_id and t.deployment_id = others.id and t.status = 'waiting'
        join targets n on n.org_id = this.org_id and n.deployment_id = this.id and n.robot_id = t.robot_id
       where not ${isPinnedBack('n', 'others.release_id')} limit ?)
     union all
     (select t.org_id, t.deployment_id, t.robot_id, t.order_id, 'superseded'
        from this join others on others.rank > this.rank
        join targets n on n.org_id = this.org_id and n.deployment_id = others.id
        join targets t on t.org_id = this.org_id and t.deployment_id = this.id and t.robot_id = n.robot_id and t.status = 'waiting'
       where not ${isPinnedBack('n', 'this.release_id')} limit ?)
     union all
     (select t.org_id, t.deployment_id, t.robot_id, t.order_id, 'robot_removed'
        from this join targets t on t.org_id = this.org_id and t.deployment_id = this.id and t.deadline_at is not null
       where ${isAbandoned} limit ?)`,
    [orgId, deploymentId, sweepBatch / 2, sweepBatch / 2, sweepBatch / 2],
  );
  return rows.map(toSweep);
}

/** Those that others hold at this moment are looked at again in the next sweep. */
async function endSuperseding(db: Knex, started: readonly Started[]): Promise<void> {
  await db.raw(
    // A join could compare them with all deployments: those that just started are not in the statistics.
    `update deployments set is_superseding = false where ctid = any(array(
       select held.ctid from unnest(?::uuid[], ?::uuid[]) as k (org_id, id) cross join lateral (
         select d.ctid from deployments d where d.org_id = k.org_id and d.id = k.id for no key update skip locked) held))`,
    [plainArray(started.map(({ orgId }) => orgId)), plainArray(started.map(({ deploymentId }) => deploymentId))],
  );
}
