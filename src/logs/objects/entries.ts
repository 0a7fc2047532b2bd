import { VarintReader, VarintWriter } from '../segments/varints.ts';

/** A chunk of a block. Places are relative: of the body to the block, of the filter to its filters. */
export interface BlockChunk {
  robotId: string;
  firstAtMs: number; // received_at of the first record
  receivedAtMs: number; // of the last one
  firstSeq: number;
  lastSeq: number;
  bytes: number; // of the text
  maxLevel: number;
  place: number;
  length: number;
  filterPlace: number;
  filterLength: number;
}

/** A block: the bodies of its chunks, then their text filters. */
interface BlockIndex {
  bodiesLength: number;
  filtersLength: number;
  chunks: readonly BlockChunk[]; // robot by robot, each in order
}

/*
 * The entries of a block, in varints: the two lengths; for each robot the length of its entries; then these. An entry
 * has what a chunk adds to the one before of its robot, so that most numbers take one or two bytes.
 */

/** Chunks of one robot must be next to each other. */
export function encodeEntries({ bodiesLength, filtersLength, chunks }: BlockIndex, startsAtMs: number) {
  const head = new VarintWriter();
  const sections: Buffer[] = [];
  const robotIds: string[] = [];
  head.number(bodiesLength);
  head.number(filtersLength);
  for (let from = 0; from < chunks.length;) {
    const robotId = chunks[from]?.robotId ?? '';
    let to = from;
    while (chunks[to]?.robotId === robotId) to += 1;
    const section = encodeSection(chunks.slice(from, to), startsAtMs);
    head.number(section.length);
    sections.push(section);
    robotIds.push(robotId);
    from = to;
  }
  return { robotIds, entries: Buffer.concat([head.end(), ...sections]) };
}

function encodeSection(chunks: readonly BlockChunk[], startsAtMs: number): Buffer {
  const writer = new VarintWriter();
  let before = origin(startsAtMs);
  for (const chunk of chunks) {
    writer.number(chunk.receivedAtMs - before.receivedAtMs);
    writer.number(chunk.receivedAtMs - chunk.firstAtMs);
    writer.number(unsigned(chunk.firstSeq - before.lastSeq - 1));
    writer.number(chunk.lastSeq - chunk.firstSeq);
    writer.number(chunk.bytes);
    writer.number(chunk.maxLevel);
    writer.number(chunk.place - before.place - before.length);
    writer.number(chunk.length);
    writer.number(chunk.filterPlace - before.filterPlace - before.filterLength);
    writer.number(chunk.filterLength);
    before = chunk;
  }
  return writer.end();
}

/** Of all robots, or of one. */
export function decodeEntries(
  entries: Buffer,
  { startsAtMs, robotIds, only }: { startsAtMs: number; robotIds: readonly string[]; only?: string | undefined },
): BlockIndex {
  const head = new VarintReader(entries);
  const [bodiesLength, filtersLength] = [head.number(), head.number()];
  const lengths = robotIds.map(() => head.number());
  const chunks: BlockChunk[] = [];
  let start = head.place;
  for (const [index, robotId] of robotIds.entries()) {
    const end = start + (lengths[index] ?? 0);
    if (only === undefined || robotId === only) readSection(entries.subarray(start, end), robotId, startsAtMs, chunks);
    start = end;
  }
  return { bodiesLength, filtersLength, chunks };
}

function readSection(section: Buffer, robotId: string, startsAtMs: number, chunks: BlockChunk[]): void {
  const reader = new VarintReader(section);
  for (let before = origin(startsAtMs); !reader.isAtEnd;) {
    const receivedAtMs = before.receivedAtMs + reader.number();
    const firstAtMs = receivedAtMs - reader.number();
    const firstSeq = before.lastSeq + 1 + signed(reader.number());
    const lastSeq = firstSeq + reader.number();
    const [bytes, maxLevel] = [reader.number(), reader.number()];
    const place = before.place + before.length + reader.number();
    const length = reader.number();
    const filterPlace = before.filterPlace + before.filterLength + reader.number();
    const filterLength = reader.number();
    // Member by member: V8 is slow to add members behind a spread, and a call reads thousands.
    before = {
      robotId,
      firstAtMs,
      receivedAtMs,
      firstSeq,
      lastSeq,
      bytes,
      maxLevel,
      place,
      length,
      filterPlace,
      filterLength,
    };
    chunks.push(before);
  }
}

/** What the first entry of a robot adds to. */
const origin = (startsAtMs: number): BlockChunk => ({
  robotId: '',
  firstAtMs: startsAtMs,
  receivedAtMs: startsAtMs,
  firstSeq: 0,
  lastSeq: 0,
  bytes: 0,
  maxLevel: 0,
  place: 0,
  length: 0,
  filterPlace: 0,
  filterLength: 0,
});

/** Numbers go back if the clock of the database did. Small ones stay small. */
const unsigned = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const signed = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
