import type { Knex } from 'knex';
import { newId } from '../../kernel/ids.ts';
import { plainArray } from '../../platform/db/arrays.ts';
import type { Block } from './block-builder.ts';
import type { RowPlace } from './day-rows.ts';
import type { NewObject } from './day-objects.ts';

/** How long an object may be in writing: an upload ends or fails long before. */
const writingFor = '1 hour';
/** Readers that found an object read it for so long after it was replaced. */
const readFor = '1 minute';
/** What changed later did so before the clock of the database was set back. */
const latest = "now() + interval '1 hour'";

export interface ObjectRef {
  orgId: string;
  id: string;
}

interface Row {
  id: string;
  org_id: string;
  day: Date;
  records: number;
  changed_at: Date;
  state: 'writing' | 'written' | 'stored' | 'removing';
  last_fleet_id: string;
  last_received_at: Date;
  last_robot_id: string;
  last_seq: number;
}

/** The rows of objects, as the replica writes them that moves days. */
export function objectIndex(db: Knex) {
  return {
    /** Notes an object before it is in the store, so that it is found if the replica ends meanwhile. */
    async begin(orgId: string, dayStartMs: number): Promise<ObjectRef> {
      const id = newId();
      await db('log_objects').insert({ id, org_id: orgId, day: new Date(dayStartMs), state: 'writing' });
      return { orgId, id };
    },

    /** The object is in the store. Returns false if it is no longer wanted. */
    async written({ orgId, id }: ObjectRef, { blocks, bytes, records, last }: NewObject): Promise<boolean> {
      return db.transaction(async (trx) => {
        const changed = await trx('log_objects')
          .where({ id, state: 'writing' })
          .update({
            state: 'written',
            bytes,
            records,
            last_fleet_id: last.fleetId,
            last_received_at: new Date(last.receivedAtMs),
            last_robot_id: last.robotId,
            last_seq: last.seq,
            changed_at: trx.fn.now(),
          });
        if (changed === 0) return false;
        await insertBlocks(trx, { orgId, id }, blocks);
        return true;
      });
    },

    /** The last row of the org and day that is in a written object. */
    async lastOf(orgId: string, dayStartMs: number): Promise<RowPlace | undefined> {
      const row = await db<Row>('log_objects')
        .where({ org_id: orgId, day: new Date(dayStartMs), state: 'written' })
        .orderBy([
          { column: 'last_fleet_id', order: 'desc' },
          { column: 'last_received_at', order: 'desc' },
          { column: 'last_robot_id', order: 'desc' },
          { column: 'last_seq', order: 'desc' },
        ])
        .first('last_fleet_id', 'last_received_at', 'last_robot_id', 'last_seq');
      return (
        row && {
          fleetId: row.last_fleet_id,
          receivedAtMs: row.last_received_at.getTime(),
          robotId: row.last_robot_id,
          seq: row.last_seq,
        }
      );
    },

    /** From now on the written objects of this day are read. Returns their records, by org. */
    async store(dayStartMs: number): Promise<Map<string, number>> {
      const rows = await db<Row>('log_objects')
        .where({ day: new Date(dayStartMs), state: 'written' })
        .update({ state: 'stored', changed_at: db.fn.now() })
        .returning(['org_id', 'records']);
      const sums = new Map<string, number>();
      for (const { org_id: orgId, records } of rows) sums.set(orgId, (sums.get(orgId) ?? 0) + records);
      return sums;
    },

    /** What is written of these orgs and this day will be removed. */
    async discard(orgIds: readonly string[], dayStartMs: number): Promise<void> {
      await db('log_objects')
        .where({ day: new Date(dayStartMs), state: 'written' })
        .whereRaw('org_id = any(?::uuid[])', [plainArray(orgIds)])
        .update({ state: 'removing', changed_at: db.fn.now() });
    },

    /** Objects that are to be removed from the store, or are left of a replica that ended. */
    async findLeft(): Promise<ObjectRef[]> {
      const rows = await db<Row>('log_objects')
        .whereRaw(`state = 'removing' and changed_at not between now() - interval '${readFor}' and ${latest}`)
        .orWhereRaw(`state = 'writing' and changed_at not between now() - interval '${writingFor}' and ${latest}`)
        .select('id', 'org_id');
      return rows.map(({ id, org_id: orgId }) => ({ id, orgId }));
    },

    /** Its upload failed: it may be in the store nevertheless. */
    async abandon(object: ObjectRef): Promise<void> {
      await change(db, object, ['writing', 'removing']);
    },

    /**
     * In one transaction, the object is removed and another one takes its place. Undefined: nothing is left of it. Returns
     * false, and changes nothing, if the other one is no longer wanted.
     */
    async replace(object: ObjectRef, by: { ref: ObjectRef; blocks: readonly Block[] } | undefined): Promise<boolean> {
      return db.transaction(async (trx) => {
        if (by && !(await change(trx, by.ref, ['writing', 'stored']))) return false;
        const isReplaced = await change(trx, object, ['stored', 'removing']);
        if (!by) return true;
        if (!isReplaced) return change(trx, by.ref, ['stored', 'removing']); // by another replica, meanwhile
        const bytes = await insertBlocks(trx, by.ref, by.blocks);
        const records = by.blocks.reduce((sum, block) => sum + block.records, 0);
        await trx('log_objects').where({ id: by.ref.id }).update({ bytes, records });
        return true;
      });
    },

    /** Written objects with records of the robot will be removed. Their day is written again from the database. */
    async discardOf(orgId: string, robotId: string): Promise<void> {
      await db.raw(
        `update log_objects set state = 'removing', changed_at = now() where org_id = :orgId and state = 'written' and day in (
           select o.day from log_object_blocks b join log_objects o on o.id = b.object_id
            where b.robot_ids @> array[:robotId::uuid] and b.org_id = :orgId and o.state = 'written')`,
        { orgId, robotId },
      );
    },

    /** All objects of the org will be removed, except those that are being written. Returns how many were not yet. */
    async discardAll(orgId: string): Promise<number> {
      return db('log_objects')
        .where({ org_id: orgId })
        .whereIn('state', ['written', 'stored'])
        .update({ state: 'removing', changed_at: db.fn.now() });
    },

    /** Whether objects of the org are being written or removed. */
    async isChanging(orgId: string): Promise<boolean> {
      const found = await db<Row>('log_objects')
        .where({ org_id: orgId })
        .whereIn('state', ['writing', 'removing'])
        .first('id');
      return found !== undefined;
    },

    async forget({ id }: ObjectRef): Promise<void> {
      await db.transaction(async (trx) => {
        await trx('log_object_blocks').where({ object_id: id }).delete();
        await trx('log_objects').where({ id }).delete();
      });
    },

    /** From now on the objects of days that ended more than so many days ago are not read, and will be removed. */
    async expire(days: number): Promise<void> {
      await db('log_objects')
        .whereRaw(`day < date_trunc('day', now(), 'UTC') - make_interval(days => ?)`, [days])
        .whereNot({ state: 'removing' })
        .update({ state: 'removing', changed_at: db.fn.now() });
    },
  };
}

/** Returns whether it was in the first state. */
async function change(db: Knex, { id }: ObjectRef, [from, to]: [Row['state'], Row['state']]): Promise<boolean> {
  const changed = await db('log_objects').where({ id, state: from }).update({ state: to, changed_at: db.fn.now() });
  return changed > 0;
}

/** Returns the bytes of all blocks. */
async function insertBlocks(trx: Knex, { orgId, id }: ObjectRef, blocks: readonly Block[]): Promise<number> {
  let place = 0;
  for (const block of blocks) {
    await trx('log_object_blocks').insert({ object_id: id, org_id: orgId, place, ...rowOf(block) });
    place += block.length;
  }
  return place;
}

const rowOf = ({ fleetId, startsAtMs, endsAtMs, maxLevel, chunks, robotIds, entries }: Block) => ({
  fleet_id: fleetId,
  starts_at: new Date(startsAtMs),
  ends_at: new Date(endsAtMs),
  max_level: maxLevel,
  chunks,
  robot_ids: plainArray(robotIds),
  entries,
});
