import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { ObjectStore } from '../../platform/s3/object-store.ts';
import { logPartitions } from '../partitions.ts';
import { isUnreadable } from '../segments/damage.ts';
import { findUnmerged } from '../segments/unmerged.ts';
import { objectsOfDay, type NewObject, type ObjectSizes } from './day-objects.ts';
import { countPartition, orgsOfDay } from './day-rows.ts';
import { objectIndex, type ObjectRef } from './index-store.ts';
import { keyOf } from './keys.ts';
import { dayMs } from '../model.ts';

/** How long a replica moves days before another may, unless it renews this. */
const leaseFor = '5 minutes';
/** An upload that takes longer fails, so that none ends after the lease. */
const longestPutMs = 240_000;
/** A day stays in the database for so long after its end: what an operator looks for at night is of the last day. */
const keepMs = dayMs;

interface MoverSettings {
  db: Knex;
  store: ObjectStore;
  log: Logger;
  replicaId: string;
  signal: AbortSignal;
  /** Smaller for tests. */
  sizes?: Partial<ObjectSizes>;
}

/**
 * Moves the records of past days from the database into the object store. The objects of a day replace its partition in one
 * transaction, once all its records are in them: a reader finds each record once. A replica that is killed loses at most
 * the object that it was writing, and the next one goes on after the last that is written.
 */
export function logMover({ db, store, log, replicaId, signal, sizes }: MoverSettings) {
  const index = objectIndex(db);
  const partitions = logPartitions(db);

  /**
   * Whether this replica moves days, for the time of the lease. A lease that ends much later is of a clock that was set back
   * since: its replica may be gone.
   */
  async function renew(): Promise<boolean> {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      `insert into log_mover as m (replica_id, lease_until) values (:replicaId, now() + interval '${leaseFor}')
       on conflict (id) do update set replica_id = excluded.replica_id, lease_until = excluded.lease_until
        where m.replica_id = excluded.replica_id
           or m.lease_until not between now() and now() + 2 * interval '${leaseFor}'
       returning id`,
      { replicaId },
    );
    return rows.length > 0;
  }

  async function remove(object: ObjectRef): Promise<void> {
    await store.remove(keyOf(object));
    await index.forget(object);
  }

  /** Days that are over, oldest first, if every replica reads objects and nothing of the day will be merged. */
  async function dueDays(): Promise<number[]> {
    const others = await db('replicas').whereRaw('lease_until > now() and not reads_log_objects').pluck<string[]>('id');
    if (others.length > 0) return [];
    const { nowMs, oldestMs } = await findUnmerged(db);
    const before = Math.min(nowMs - keepMs, oldestMs);
    return (await partitions.list()).filter((start) => start + dayMs <= before);
  }

  /** Writes what is missing of the objects of an org and a day. */
  async function writeObjects(orgId: string, dayStartMs: number): Promise<void> {
    const after = await index.lastOf(orgId, dayStartMs);
    const objects = objectsOfDay(db, { orgId, dayStartMs, after, signal, sizes });
    while (await writeNext(orgId, dayStartMs, objects));
  }

  /**
   * Returns false without another object. It begins before its rows are read: an erasure that deletes rows afterwards sees
   * that an object may have them.
   */
  async function writeNext(orgId: string, dayStartMs: number, objects: AsyncGenerator<NewObject>): Promise<boolean> {
    const ref = await index.begin(orgId, dayStartMs);
    let isSent = false;
    try {
      const next = await objects.next();
      if (next.done) return false;
      signal.throwIfAborted();
      if (!(await renew())) throw new Error('another replica moves log records');
      isSent = true;
      await store.put(keyOf(ref), next.value.parts, AbortSignal.any([signal, AbortSignal.timeout(longestPutMs)]));
      if (!(await index.written(ref, next.value))) await remove(ref);
      return true;
    } finally {
      if (!isSent) await index.forget(ref);
    }
  }

  /** Returns false if its objects have other records than its partition; they are discarded. */
  async function replacePartition(dayStartMs: number): Promise<boolean> {
    const name = partitions.nameOf(dayStartMs);
    let wrong: string[] = [];
    const replacing = db.transaction(async (trx) => {
      await trx.raw('lock table ?? in share mode', [name]);
      const stored = await objectIndex(trx).store(dayStartMs);
      wrong = differences(stored, await countPartition(trx, name));
      if (wrong.length > 0) throw new Error('the objects have other records than the partition');
      await partitions.dropIn(trx, dayStartMs);
    });
    await replacing.catch((error: unknown) => {
      if (wrong.length === 0) throw error;
    });
    if (wrong.length > 0) await index.discard(wrong, dayStartMs);
    return wrong.length === 0;
  }

  async function moveDay(dayStartMs: number): Promise<void> {
    const day = new Date(dayStartMs).toISOString().slice(0, 10);
    try {
      for (const orgId of await orgsOfDay(db, dayStartMs)) await writeObjects(orgId, dayStartMs);
      if (await replacePartition(dayStartMs)) log.info({ day }, 'log records of a day are in the object store');
      else log.warn({ day }, 'log records of a day changed while they were moved into the object store; retrying');
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      log.error(
        { err: error, day },
        'the database is damaged: it cannot read log records of a day, which therefore stays in the database',
      );
    }
  }

  return {
    /** Moves the days that are due, unless another replica does. */
    async move(): Promise<void> {
      if (!(await renew())) return;
      for (const dayStartMs of await dueDays()) await moveDay(dayStartMs);
    },

    /** Removes objects that are not wanted any longer, unless another replica does. */
    async clean(): Promise<void> {
      if (!(await renew())) return;
      for (const left of await index.findLeft()) {
        signal.throwIfAborted();
        await remove(left);
      }
    },
  };
}

/** The orgs with another number of records in one than in the other. */
function differences(stored: ReadonlyMap<string, number>, counted: ReadonlyMap<string, number>): string[] {
  const orgs = new Set([...stored.keys(), ...counted.keys()]);
  return [...orgs].filter((orgId) => stored.get(orgId) !== counted.get(orgId));
}
