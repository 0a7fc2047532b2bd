import { encodeEntries, type BlockChunk } from './entries.ts';
import type { JoinedChunk } from './joined-chunks.ts';

/** A block as it is stored: its bytes in the object, and its row in the index. */
export interface Block {
  fleetId: string;
  parts: readonly Buffer[];
  length: number; // of the parts
  startsAtMs: number;
  endsAtMs: number;
  maxLevel: number;
  chunks: number;
  records: number;
  robotIds: readonly string[];
  entries: Buffer;
}

/** Collects the chunks of a fleet for one block, of so many. */
export function blockBuilder(fleetId: string, maxChunks: number) {
  const chunks: JoinedChunk[] = [];
  let length = 0;

  return {
    get isFull(): boolean {
      return chunks.length >= maxChunks;
    },

    get length(): number {
      return length;
    },

    add(chunk: JoinedChunk): void {
      chunks.push(chunk);
      length += chunk.body.length + chunk.filter.length;
    },

    /** Undefined without chunks. */
    end(): Block | undefined {
      const [first] = chunks;
      if (!first) return undefined;
      let [place, filterPlace] = [0, 0];
      const placed = chunks.map(({ body, filter, ...chunk }): BlockChunk => {
        const entry = { place, length: body.length, filterPlace, filterLength: filter.length, ...chunk };
        place += body.length;
        filterPlace += filter.length;
        return entry;
      });
      const startsAtMs = placed.reduce((least, { firstAtMs }) => Math.min(least, firstAtMs), first.firstAtMs);
      return {
        fleetId,
        length,
        startsAtMs,
        parts: [...chunks.map(({ body }) => body), ...chunks.map(({ filter }) => filter)],
        endsAtMs: placed.reduce((most, { receivedAtMs }) => Math.max(most, receivedAtMs), 0) + 1,
        maxLevel: placed.reduce((most, { maxLevel }) => Math.max(most, maxLevel), 0),
        chunks: placed.length,
        records: placed.reduce((total, { firstSeq, lastSeq }) => total + lastSeq - firstSeq + 1, 0),
        ...encodeEntries({ bodiesLength: place, filtersLength: filterPlace, chunks: byRobot(placed) }, startsAtMs),
      };
    },
  };
}

/** Robot by robot, each in the order it was in. */
const byRobot = (chunks: readonly BlockChunk[]): BlockChunk[] =>
  chunks.toSorted((a, b) => (a.robotId === b.robotId ? 0 : a.robotId < b.robotId ? -1 : 1));
