import { sortInSlices } from '../../kernel/sliced-sort.ts';
import { eachInSlices, slices } from '../../kernel/slices.ts';
import { encodeBody, encodeHead, type TextEntry } from './format.ts';

/** Text of a group, approximately, in UTF-16 units: small enough that one robot's records are read fast. */
const groupLength = 8_192;
export const maxGroups = 1_024;

/** A segment as it is stored. */
interface PackedSegment {
  records: number;
  bytes: number; // of the text
  maxLevel: number;
  firstStream: number; // that of the first bit of `streams`, a multiple of 8
  streams: Buffer; // a bit for each stream that has records
  levels: Buffer; // the highest of each group, 0 for an empty one
  /** Where the heads of the groups begin, then their bodies; each list with its end. */
  places: number[];
  head: Buffer;
  body: Buffer;
}

/** Packs at least one entry. Does not block the event loop for long. */
export async function packSegment(entries: readonly TextEntry[]): Promise<PackedSegment> {
  const sorted = await sortInSlices(entries, (a, b) => a.stream - b.stream); // stable: a stream's own order stays
  const length = entries.reduce((total, entry) => total + entry.length, 0);
  const groups: TextEntry[][] = Array.from({ length: countGroups(length) }, () => []);
  await eachInSlices(sorted, (entry) => groups[entry.stream & (groups.length - 1)]?.push(entry));

  const slice = slices();
  const heads: Buffer[] = [];
  const bodies: Buffer[] = [];
  for (const group of groups) {
    heads.push(group.length > 0 ? encodeHead(group) : Buffer.alloc(0));
    bodies.push(group.length > 0 ? await encodeBody(group.map(({ text }) => text).join('')) : Buffer.alloc(0));
    await slice();
  }
  return {
    ...bitmapOf(sorted),
    records: entries.reduce((total, { records }) => total + records, 0),
    bytes: length,
    maxLevel: Math.max(...entries.map(({ maxLevel }) => maxLevel)),
    levels: Buffer.from(groups.map((group) => Math.max(0, ...group.map(({ maxLevel }) => maxLevel)))),
    places: [...placesOf(heads), ...placesOf(bodies)],
    head: Buffer.concat(heads),
    body: Buffer.concat(bodies),
  };
}

/** A power of two. */
function countGroups(length: number): number {
  const wanted = Math.ceil(length / groupLength);
  return Math.min(maxGroups, 2 ** Math.ceil(Math.log2(Math.max(1, wanted))));
}

/** Bits as Postgres counts them: the first is the lowest of its byte. */
function bitmapOf(sorted: readonly TextEntry[]): Pick<PackedSegment, 'firstStream' | 'streams'> {
  const firstStream = (sorted[0]?.stream ?? 0) & ~7;
  const streams = Buffer.alloc((((sorted.at(-1)?.stream ?? 0) - firstStream) >> 3) + 1);
  for (const { stream } of sorted) {
    const bit = stream - firstStream;
    streams[bit >> 3] = (streams[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
  return { firstStream, streams };
}

function placesOf(parts: readonly Buffer[]): number[] {
  let end = 0;
  return [0, ...parts.map(({ length }) => (end += length))];
}
