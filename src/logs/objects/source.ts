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
import type { LogScope } from '../segments/streams.ts';
import { mayContain, textFilterBits } from '../text-filter.ts';
import { blockIndex, type StoredBlock, type Times } from './blocks.ts';
import type { LogObjects, ObjectPart } from './bodies.ts';
import type { BlockChunk } from './entries.ts';

/** Blocks that the first statement reads. A fleet's blocks follow each other, those of several fleets lie side by side. */
const firstBlocks = { ofFleet: 4, ofMany: 16 } as const;
/** Chunks whose text filters, and whose bodies, one call reads. */
const maxFiltered = 4_000;
const maxRead = 1_000;

/** A chunk that is wanted, and where it is. */
interface Candidate extends Chunk {
  entry: BlockChunk;
  block: StoredBlock;
}

interface Candidates {
  candidates: Candidate[];
  isAll: boolean; // there are no more
  passed: Candidate | undefined;
}

/** The chunks of a scope in the object store. `db` must be a transaction with one snapshot. */
export function objectSource(db: Knex, scope: LogScope, objects: LogObjects) {
  const index = blockIndex(db, scope);
  const isOneFleet = scope.robotId !== undefined || scope.fleetIds?.length === 1;

  /**
   * The chunks within the filter, in order, as far as some blocks tell. Without any, `passed` is the last one that was looked
   * at, if there are more blocks: so a call reads a limited number of them, however rare what it looks for is.
   */
  async function candidatesOf(filter: ChunkFilter, order: ChunkOrder): Promise<Candidates> {
    const times = await timesOf(filter);
    if (!times) return { candidates: [], isAll: true, passed: undefined };
    let blocks: StoredBlock[] = [];
    let edgeMs: number | undefined;
    for (let limit: number = isOneFleet ? firstBlocks.ofFleet : firstBlocks.ofMany; ; limit *= 2) {
      ({ blocks, edgeMs } = await index.first(times, order, limit, { minRank: filter.minRank }, blocks));
      const isKnown = ({ receivedAtMs }: BlockChunk) =>
        edgeMs === undefined || (order === 'asc' ? receivedAtMs < edgeMs : receivedAtMs >= edgeMs);
      // What lies before the place of the caller is no progress.
      const isAhead = isWithin({ ...filter, minRank: undefined, startsByMs: undefined });
      const known = await placed(blocks, (chunk) => isKnown(chunk) && isAhead(chunk), order);
      const candidates = known.filter(({ entry }) => isWithin(filter)(entry));
      const passed = candidates.length === 0 ? known.at(-1) : undefined;
      if (edgeMs === undefined) return { candidates, isAll: true, passed: undefined };
      // With more blocks, if none of these has a chunk that is known to be next.
      if (known.length > 0) return { candidates, isAll: false, passed };
    }
  }

  async function placed(blocks: readonly StoredBlock[], isWanted: (chunk: BlockChunk) => boolean, order: ChunkOrder) {
    const slice = slices();
    const found: Candidate[] = [];
    for (const block of blocks) {
      for (const chunk of block.chunks) if (isWanted(chunk)) found.push(candidateOf(chunk, block));
      await slice();
    }
    return found.sort(inOrder(order));
  }

  /** Undefined if the object store has nothing of these times. */
  async function timesOf({
    sinceMs = 0,
    untilMs = Infinity,
    startsByMs,
    beyond,
  }: ChunkFilter): Promise<Times | undefined> {
    const range = await index.range();
    if (!range || sinceMs >= range.untilMs) return undefined;
    const placeMs = beyond?.place.receivedAtMs ?? 0;
    const since = Math.max(sinceMs, range.sinceMs, beyond?.order === 'asc' ? placeMs : 0);
    const until = Math.min(untilMs, range.untilMs, beyond?.order === 'desc' ? placeMs + 1 : Infinity);
    return since < until ? { sinceMs: since, untilMs: until, startsByMs } : undefined;
  }

  async function mayMatch(candidates: readonly Candidate[], bits: readonly number[]): Promise<boolean[]> {
    if (bits.length === 0) return candidates.map(() => true);
    const parts = candidates.map(({ entry, block }) => ({
      objectId: block.objectId,
      place: block.filtersPlace + entry.filterPlace,
      length: entry.filterLength,
    }));
    const filters = await objects.read(scope.orgId, parts);
    return filters.map((filter) => !filter || mayContain(filter, bits));
  }

  async function withTexts(candidates: readonly Candidate[]): Promise<Chunk[]> {
    const parts: ObjectPart[] = candidates.map(({ entry, block }) => ({
      objectId: block.objectId,
      place: block.place + entry.place,
      length: entry.length,
    }));
    const texts = await objects.texts(await objects.read(scope.orgId, parts), parts);
    return candidates.map((candidate, at) => chunkOf(candidate, texts[at] ?? ''));
  }

  return {
    /** When the oldest of its records were received, approximately and not later, in ms; undefined without records. */
    oldestMs: async (): Promise<number | undefined> => (await index.range())?.sinceMs,

    /** As `take` of chunks in the database. @throws Unavailable */
    async take(filter: ChunkFilter, order: ChunkOrder, size: ReadSize): Promise<ChunksRead> {
      const { candidates, isAll, passed } = await candidatesOf(filter, order);
      if (passed) return { chunks: [chunkOf(passed, '')], isAll: false };
      const bits = textFilterBits(filter.text ?? '');
      const looked = candidates.slice(0, bits.length > 0 ? maxFiltered : maxRead);
      const may = await mayMatch(looked, bits);
      const taken: Candidate[] = [];
      let left = size;
      let at = 0;
      for (; at < looked.length && left.records > 0 && left.bytes > 0 && taken.length < maxRead; at += 1) {
        const candidate = looked[at];
        if (!candidate || may[at] !== true) continue;
        taken.push(candidate);
        const { firstSeq, lastSeq, bytes } = candidate.entry;
        left = { records: left.records - (lastSeq - firstSeq + 1), bytes: left.bytes - bytes };
      }
      const chunks = await withTexts(taken);
      const last = looked[at - 1];
      // The caller continues after the last one that was looked at.
      if (last && last !== taken.at(-1)) chunks.push(chunkOf(last, ''));
      return { chunks, isAll: isAll && at === candidates.length };
    },

    /** When the last chunk of the robot that begins at or before this number was received, in ms. */
    async lastBeginningBy(seq: number, filter: ChunkFilter): Promise<number | undefined> {
      const times = await timesOf(filter);
      return times && (await index.lastBeginningBy(seq, times))?.receivedAtMs;
    },

    /** Chunks by their robots and first numbers. @throws Unavailable */
    async pick(filter: ChunkFilter, chunks: readonly Pick<Chunk, 'robotId' | 'firstSeq'>[]): Promise<Chunk[]> {
      const times = chunks.length > 0 ? await timesOf(filter) : undefined;
      if (!times) return [];
      const wanted = new Set(chunks.map(({ robotId, firstSeq }) => `${robotId}.${firstSeq}`));
      const { blocks } = await index.first(times, 'asc', maxRead, { robotIds: chunks.map(({ robotId }) => robotId) });
      const found = blocks.flatMap((block) =>
        block.chunks
          .filter(({ robotId, firstSeq }) => wanted.has(`${robotId}.${firstSeq}`))
          .map((entry) => candidateOf(entry, block)),
      );
      return withTexts(found);
    },
  };
}

const isWithin =
  ({
    sinceMs = -Infinity,
    untilMs = Infinity,
    startsByMs = Infinity,
    endsAfterSeq = 0,
    minRank = 1,
    beyond,
  }: ChunkFilter) =>
  (chunk: BlockChunk): boolean =>
    chunk.receivedAtMs >= sinceMs &&
    chunk.receivedAtMs < untilMs &&
    chunk.firstAtMs <= startsByMs &&
    chunk.lastSeq > endsAfterSeq &&
    chunk.maxLevel >= minRank &&
    (!beyond || isBeyond(chunk, beyond));

const candidateOf = (entry: BlockChunk, block: StoredBlock): Candidate => ({
  robotId: entry.robotId,
  receivedAtMs: entry.receivedAtMs,
  firstSeq: entry.firstSeq,
  lastSeq: entry.lastSeq,
  bytes: 0,
  text: '',
  entry,
  block,
});

const chunkOf = ({ robotId, receivedAtMs, firstSeq, lastSeq, entry }: Candidate, text: string): Chunk => ({
  robotId,
  receivedAtMs,
  firstSeq,
  lastSeq,
  bytes: text === '' ? 0 : entry.bytes,
  text,
});
