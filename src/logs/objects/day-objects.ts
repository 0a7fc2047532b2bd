import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { blockBuilder, type Block } from './block-builder.ts';
import { rowsOfDay, type RowPlace } from './day-rows.ts';
import { chunkJoiner } from './joined-chunks.ts';

export interface ObjectSizes {
  objectBytes: number; // of an object; the last one of an org and a day is what is left
  blockChunks: number; // of a block; a search reads the entries of whole blocks
  rowsAtATime: number; // that one statement reads: at most about 20 MB
}
const usualSizes: ObjectSizes = { objectBytes: 32 * 1_048_576, blockChunks: 1_000, rowsAtATime: 500 };

interface DayToMove {
  orgId: string;
  dayStartMs: number;
  after: RowPlace | undefined;
  signal: AbortSignal;
  sizes?: Partial<ObjectSizes> | undefined;
}

/** An object that is not stored yet. */
export interface NewObject {
  blocks: readonly Block[];
  parts: readonly Buffer[];
  bytes: number;
  records: number;
  last: RowPlace; // the last row in it
}

/** The objects of an org and a day after a place, one at a time. Takes half of the time at most. */
export async function* objectsOfDay(db: Knex, { signal, sizes, ...day }: DayToMove): AsyncGenerator<NewObject> {
  const { objectBytes, blockChunks, rowsAtATime } = { ...usualSizes, ...sizes };
  let blocks: Block[] = [];
  let bytes = 0;
  let builder: ReturnType<typeof blockBuilder> | undefined;
  let joiner = chunkJoiner();
  let fleet: string | undefined;
  let last: RowPlace | undefined;

  async function build(fleetId: string): Promise<void> {
    for await (const chunk of joiner.take()) {
      builder ??= blockBuilder(fleetId, blockChunks);
      builder.add(chunk);
      if (builder.isFull) endBlock();
    }
  }

  function endBlock(): void {
    const block = builder?.end();
    builder = undefined;
    if (!block) return;
    blocks.push(block);
    bytes += block.length;
  }

  async function endFleet(): Promise<void> {
    if (fleet === undefined) return;
    joiner.closeAll();
    await build(fleet);
    endBlock();
  }

  function end(place: RowPlace): NewObject {
    const ended = { blocks, bytes, last: place };
    [blocks, bytes] = [[], 0];
    return {
      ...ended,
      parts: ended.blocks.flatMap(({ parts }) => parts),
      records: ended.blocks.reduce((total, { records }) => total + records, 0),
    };
  }

  let startedAt = performance.now();
  for await (const { fleetId, rows } of rowsOfDay(db, { ...day, rowsAtATime })) {
    if (fleetId !== fleet) {
      await endFleet();
      joiner = chunkJoiner();
      fleet = fleetId;
    }
    for (const row of rows) {
      joiner.add(row);
      last = { fleetId, receivedAtMs: row.received_at.getTime(), robotId: row.robot_id, seq: row.first_seq };
    }
    await build(fleetId);
    await sleep(performance.now() - startedAt, undefined, { signal });
    if (last && bytes + (builder?.length ?? 0) >= objectBytes) {
      await endFleet();
      yield end(last);
    }
    startedAt = performance.now();
  }
  await endFleet();
  if (last && blocks.length > 0) yield end(last);
}
