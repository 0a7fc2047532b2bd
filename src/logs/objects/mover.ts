import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { ObjectStore } from '../../platform/s3/object-store.ts';
import { logPartitions } from '../partitions.ts';
import { findUnmerged } from '../segments/unmerged.ts';
import { objectsOfDay } from './day-objects.ts';
import { objectIndex, type ObjectRef } from './index-store.ts';
import { keyOf } from './keys.ts';

const dayMs = 86_400_000;
/** How long a replica moves days before another may, unless it renews this. */
const leaseFor = '5 minutes';
/** A day stays in the database for so long after its end: what an operator looks for at night is of the last day. */
const keepMs = dayMs;

interface MoverSettings {
  db: Knex;
  store: ObjectStore;
  log: Logger;
  replicaId: string;
  signal: AbortSignal;
}

/**
 * Moves the records of past days from the database into the object store. The objects of a day replace its partition in one
 * transaction, once all its records are in them: a reader finds each record once. A replica that is killed loses at most
 * the object that it was writing, and the next one goes on after the last that is written.
 */
export function logMover({ db, store, log, replicaId, signal }: MoverSettings) {
  const index = objectIndex(db);
  const partitions = logPartitions(db);

  /** Whether this replica moves days, for the time of the lease. */
  async function renew(): Promise<boolean> {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      `insert into log_mover as m (replica_id, lease_until) values (:replicaId, now() + interval '${leaseFor}')
       on conflict (id) do update set replica_id = excluded.replica_id, lease_until = excluded.lease_until
        where m.replica_id = excluded.replica_id or m.lease_until < now()
       returning id`,
      { replicaId },
    );
    return rows.length > 0;
  }

  async function removeLeft(): Promise<void> {
    for (const left of await index.findLeft()) {
      signal.throwIfAborted();
      await remove(left);
    }
  }

  async function remove(object: ObjectRef): Promise<void> {
    await store.remove(keyOf(object));
    await index.forget(object);
  }

  /** Days that are over, oldest first, if every replica reads objects and nothing of the day will be merged. */
  async function dueDays(): Promise<number[]> {
    const behind = await db('replicas').whereRaw('lease_until > now() and not reads_log_objects').first('id');
    if (behind) return [];
    const { nowMs, oldestMs } = await findUnmerged(db);
    const before = Math.min(nowMs - keepMs, oldestMs);
    return (await partitions.list()).filter((start) => start + dayMs <= before);
  }

  async function orgsOf(dayStartMs: number): Promise<string[]> {
    const bounds = { since: new Date(dayStartMs), until: new Date(dayStartMs + dayMs) };
    const { rows } = await db.raw<{ rows: { org_id: string }[] }>(
      `with recursive known as (
         (select org_id from log_chunks where received_at >= :since and received_at < :until order by org_id limit 1)
         union all
         select (select org_id from log_chunks c where c.org_id > known.org_id
                    and received_at >= :since and received_at < :until order by org_id limit 1)
           from known where org_id is not null
       )
       select org_id from known where org_id is not null`,
      bounds,
    );
    return rows.map(({ org_id: id }) => id);
  }

  /** Writes what is missing of the objects of an org and a day. */
  async function writeObjects(orgId: string, dayStartMs: number): Promise<void> {
    const after = await index.lastOf(orgId, dayStartMs);
    for await (const object of objectsOfDay(db, { orgId, dayStartMs, after })) {
      signal.throwIfAborted();
      if (!(await renew())) throw new Error('another replica moves log records');
      const ref = await index.begin(orgId, dayStartMs);
      await store.put(keyOf(ref), object.parts);
      if (!(await index.written(ref, object))) await remove(ref);
    }
  }

  /** Returns false if its objects have other records than its partition; they are discarded. */
  async function replacePartition(dayStartMs: number): Promise<boolean> {
    const wrong = await db.transaction(async (trx) => {
      const name = partitions.nameOf(dayStartMs);
      await trx.raw('lock table ?? in share mode', [name]);
      const { rows } = await trx.raw<{ rows: { org_id: string }[] }>(
        `select org_id from (select org_id, sum(records) as records from ?? group by org_id) p
           full join (
             select org_id, sum(records) as records from log_objects where day = ? and state = 'written' group by org_id
           ) o using (org_id)
          where p.records is distinct from o.records`,
        [name, new Date(dayStartMs)],
      );
      if (rows.length > 0) return rows.map(({ org_id: id }) => id);
      await trx('log_objects')
        .where({ day: new Date(dayStartMs), state: 'written' })
        .update({ state: 'stored', changed_at: trx.fn.now() });
      await partitions.dropIn(trx, dayStartMs);
      return [];
    });
    if (wrong.length > 0) await index.discard(wrong, dayStartMs);
    return wrong.length === 0;
  }

  return {
    /** Removes what is to be removed, and moves the days that are due, unless another replica does. */
    async run(): Promise<void> {
      if (!(await renew())) return;
      await removeLeft();
      for (const dayStartMs of await dueDays()) {
        for (const orgId of await orgsOf(dayStartMs)) await writeObjects(orgId, dayStartMs);
        const day = new Date(dayStartMs).toISOString().slice(0, 10);
        if (!(await replacePartition(dayStartMs))) {
          log.warn({ day }, 'log records of a day changed while they were moved into the object store; retrying');
          return;
        }
        log.info({ day }, 'log records of a day are in the object store');
      }
    },
  };
}
