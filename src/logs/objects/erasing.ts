import type { Knex } from 'knex';
import { Unavailable } from '../../kernel/errors.ts';
import { slices } from '../../kernel/slices.ts';
import type { ObjectStore } from '../../platform/s3/object-store.ts';
import { blockBuilder, type Block } from './block-builder.ts';
import { decodeEntries, type BlockChunk } from './entries.ts';
import { objectIndex, type ObjectRef } from './index-store.ts';
import { keyOf } from './keys.ts';

/** An object is at most a little longer than 32 MiB. */
const longestPutMs = 240_000;

interface BlockRow {
  place: number;
  fleet_id: string;
  starts_at: Date;
  robot_ids: string[];
  entries: Buffer;
}

interface Found extends ObjectRef {
  dayStartMs: number;
}

/** Removes log records from the object store. Objects are replaced, never changed. */
export function objectErasing(db: Knex, store: ObjectStore | undefined) {
  const index = objectIndex(db);

  async function findOne(orgId: string, robotId: string): Promise<Found | undefined> {
    const { rows } = await db.raw<{ rows: { id: string; day: Date }[] }>(
      `select o.id, o.day from log_object_blocks b join log_objects o on o.id = b.object_id
        where b.robot_ids @> array[:robotId::uuid] and b.org_id = :orgId and o.state = 'stored' limit 1`,
      { orgId, robotId },
    );
    const [row] = rows;
    return row && { orgId, id: row.id, dayStartMs: row.day.getTime() };
  }

  /** The object without the records of the robot. The bytes of the others are copied. @throws Unavailable */
  async function withoutRobot(object: Found, robotId: string, from: ObjectStore) {
    const rows = await db<BlockRow & { object_id: string }>('log_object_blocks')
      .where({ object_id: object.id })
      .orderBy('place')
      .select('place', 'fleet_id', 'starts_at', 'robot_ids', 'entries');
    const blocks: Block[] = [];
    const slice = slices();
    for (const row of rows) {
      const { bodiesLength, filtersLength, chunks } = decodeEntries(row.entries, {
        startsAtMs: row.starts_at.getTime(),
        robotIds: row.robot_ids,
      });
      const length = bodiesLength + filtersLength;
      const bytes = await from.read(keyOf(object), row.place, row.place + length - 1);
      if (bytes?.length !== length)
        throw new Unavailable(`log object ${keyOf(object)} is missing or too short`, { retryAfterSeconds: 60 });
      const block = copyOf({ fleetId: row.fleet_id, bytes, bodiesLength, chunks }, robotId);
      if (block) blocks.push(block);
      await slice();
    }
    return blocks;
  }

  /** Writes the new object beside the old one, then swaps them in one transaction. */
  async function replace(object: Found, blocks: readonly Block[], to: ObjectStore): Promise<void> {
    const ref = blocks.length > 0 ? await index.begin(object.orgId, object.dayStartMs) : undefined;
    if (ref) await put(ref, blocks, to);
    const isReplaced = await index.replace(object, ref && { ref, blocks });
    if (ref && !isReplaced) await to.remove(keyOf(ref));
  }

  async function put(ref: ObjectRef, blocks: readonly Block[], to: ObjectStore): Promise<void> {
    try {
      const parts = blocks.flatMap((block) => block.parts);
      await to.put(keyOf(ref), parts, AbortSignal.timeout(longestPutMs));
    } catch (error) {
      await index.abandon(ref);
      throw error;
    }
  }

  /** `isDone`: no object has rows that were deleted before. Looks twice: one may be written in the moment after `discard`. */
  async function settled<T>(orgId: string, discard: () => Promise<T>): Promise<{ isDone: boolean; result: T }> {
    const wasChanging = await index.isChanging(orgId);
    const result = await discard();
    return { isDone: !wasChanging && !(await index.isChanging(orgId)), result };
  }

  return {
    /**
     * Removes the records of a robot whose rows are deleted. Returns false while objects with them may still be in the store:
     * others remove these within three minutes after they are written, or an hour after their upload failed.
     * @throws Unavailable
     */
    async eraseRobot(orgId: string, robotId: string): Promise<{ isDone: boolean; replaced: number }> {
      let replaced = 0;
      for (let object = await findOne(orgId, robotId); object; object = await findOne(orgId, robotId)) {
        if (!store)
          throw new Unavailable('log records are in an object store, and S3_BUCKET is not set', {
            retryAfterSeconds: 60,
          });
        await replace(object, await withoutRobot(object, robotId, store), store);
        replaced += 1;
      }
      const { isDone } = await settled(orgId, () => index.discardOf(orgId, robotId));
      return { isDone, replaced };
    },

    /** Removes all objects of an org, as `eraseRobot`. */
    async eraseOrg(orgId: string): Promise<{ isDone: boolean; replaced: number }> {
      const { isDone, result } = await settled(orgId, () => index.discardAll(orgId));
      return { isDone, replaced: result };
    },
  };
}

interface Source {
  fleetId: string;
  bytes: Buffer;
  bodiesLength: number;
  chunks: readonly BlockChunk[];
}

/** Undefined if no chunk is left. */
function copyOf({ fleetId, bytes, bodiesLength, chunks }: Source, robotId: string): Block | undefined {
  const others = chunks.filter((chunk) => chunk.robotId !== robotId).sort((a, b) => a.place - b.place);
  const builder = blockBuilder(fleetId, others.length + 1);
  for (const { place, length, filterPlace, filterLength, ...chunk } of others)
    builder.add({
      ...chunk,
      body: bytes.subarray(place, place + length),
      filter: bytes.subarray(bodiesLength + filterPlace, bodiesLength + filterPlace + filterLength),
    });
  return builder.end();
}
