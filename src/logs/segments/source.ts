import type { Knex } from 'knex';
import { slices } from '../../kernel/slices.ts';
import {
  inOrder,
  isBeyond,
  type Chunk,
  type ChunkFilter,
  type ChunkOrder,
  type ChunksRead,
  type ReadSize,
} from '../chunks.ts';
import { DamagedError, decodeHead, decodeText, splitText, type Entry } from './format.ts';
import { readGroups, type SegmentGroup, type SegmentFilter } from './rows.ts';
import type { StreamCache } from './stream-cache.ts';
import { findStreams, streamsIn, type LogScope, type StreamOwner } from './streams.ts';

/**
 * The records of a scope that are not merged, as chunks: what a robot sent of a spool within one segment is a chunk, whose
 * records have one time. `db` must be a transaction with one snapshot.
 */
export function segmentSource(db: Knex, { orgId, robotId, fleetIds }: LogScope, cache: StreamCache) {
  let owners: Promise<ReadonlyMap<number, StreamOwner> | undefined> | undefined;
  /** Undefined: of an org with too many streams. */
  const findOwners = () =>
    (owners ??=
      robotId !== undefined
        ? findStreams(db, { orgId, fleetIds, robotIds: [robotId] })
        : fleetIds
          ? cache.find(db, orgId, fleetIds)
          : cache.findAll(db, orgId));

  /** The chunks of groups, but all of the last time, until `size` is reached; and whether it was. */
  async function open(groups: readonly SegmentGroup[], size: ReadSize, chunksOf: (group: SegmentGroup) => Chunk[]) {
    const slice = slices();
    const chunks: Chunk[] = [];
    let left = size;
    let lastMs: number | undefined;
    for (const group of groups) {
      if (group.receivedAtMs !== lastMs && (left.bytes <= 0 || left.records <= 0)) return { chunks, isCut: true };
      lastMs = group.receivedAtMs;
      for (const chunk of chunksOf(group)) {
        chunks.push(chunk);
        left = { bytes: left.bytes - chunk.bytes, records: left.records - (chunk.lastSeq - chunk.firstSeq + 1) };
      }
      await slice();
    }
    return { chunks, isCut: false };
  }

  return {
    /** As many chunks, in order, as `size` allows, but all of the last time; and whether these are all. */
    async take(filter: ChunkFilter, order: ChunkOrder, size: ReadSize): Promise<ChunksRead> {
      const known = await findOwners();
      const streams = known && [...known.keys()];
      if (streams?.length === 0) return { chunks: [], isAll: true };
      for (const bounds = boundsOf(filter); ;) {
        const read = await readGroups(db, orgId, { filter: bounds, order, streams, bodies: true, ...size });
        const found = known ?? (await findStreams(db, { orgId, numbers: await streamsIn(read.groups) }));
        const { chunks, isCut } = await open(read.groups, size, (group) => chunksOfGroup(group, filter, order, found));
        if (chunks.length > 0 || read.isAll)
          return { chunks: chunks.sort(inOrder(order)), isAll: read.isAll && !isCut };
        // Nothing of the scope was in them.
        if (order === 'asc') bounds.sinceMs = (read.lastMs ?? 0) + 1;
        else bounds.untilMs = read.lastMs;
      }
    },
  };
}

function chunksOfGroup(
  { receivedAtMs, head, body }: SegmentGroup,
  { minRank = 1, endsAfterSeq = 0, beyond, text: searched }: ChunkFilter,
  order: ChunkOrder,
  owners: ReadonlyMap<number, StreamOwner>,
): Chunk[] {
  const idOf = ({ stream }: Entry) => owners.get(stream)?.robotId;
  const isWanted = (entry: Entry) => {
    const robotId = idOf(entry);
    if (robotId === undefined || entry.maxLevel < minRank) return false;
    if (entry.firstSeq + entry.records - 1 <= endsAfterSeq) return false;
    return !beyond || isBeyond({ receivedAtMs, robotId, firstSeq: entry.firstSeq }, beyond);
  };
  try {
    const entries = decodeHead(head);
    const wanted = entries.filter(isWanted);
    if (wanted.length === 0) return [];
    const text = decodeText(entries, body);
    const toChunk = (entry: Entry & { text?: string }): Chunk => ({
      robotId: idOf(entry) ?? '',
      receivedAtMs,
      firstSeq: entry.firstSeq,
      lastSeq: entry.firstSeq + entry.records - 1,
      bytes: entry.length,
      text: entry.text ?? '',
    });
    if (searched === undefined || mayHold(text, searched))
      return splitText(entries, text).filter(isWanted).map(toChunk);
    // Where reading is: the last of them, without its text.
    const [last] = wanted.map(toChunk).sort(inOrder(order)).slice(-1);
    return last ? [{ ...last, bytes: text.length }] : [];
  } catch (error) {
    if (error instanceof DamagedError) return []; // the merger counts and reports what is lost
    throw error;
  }
}

/** Whether lines of this text, as JSON.stringify wrote them, may have a message with the searched text, ignoring case. */
function mayHold(lines: string, searched: string): boolean {
  // Half of a character may be within a whole one. The lower case of a sigma depends on what is beside it.
  if (/[\p{Surrogate}Σσς]/u.test(searched)) return true;
  return lines.toLowerCase().includes(JSON.stringify(searched.toLowerCase()).slice(1, -1));
}

/** The times of segments that can hold chunks within the filter. */
function boundsOf({ sinceMs, untilMs, startsByMs, minRank, beyond }: ChunkFilter): SegmentFilter {
  const placeMs = beyond?.place.receivedAtMs;
  const lastMs = beyond?.order === 'desc' ? placeMs : undefined;
  const ends = [untilMs, ...[startsByMs, lastMs].map((ms) => ms && ms + 1)];
  return {
    sinceMs: most(Math.max, [sinceMs, beyond?.order === 'asc' ? placeMs : undefined]),
    untilMs: most(Math.min, ends),
    minRank,
  };
}

function most(choose: (...values: number[]) => number, values: readonly (number | undefined)[]): number | undefined {
  const set = values.filter((value) => value !== undefined);
  return set.length > 0 ? choose(...set) : undefined;
}
