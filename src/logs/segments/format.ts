import { crc32 } from 'node:zlib';
import { deflated, inflated } from '../body.ts';
import { VarintReader, VarintWriter } from './varints.ts';

/*
 * Format 1 of a segment; docs/reference/log-segments.md describes it for readers of the database. A segment has 1, 2, 4,
 * … groups. The records of a stream are in the group `stream % groups`. A group has a head and a body: the head tells
 * whose records they are, the body is their text.
 */

export const segmentFormat = 1;

/** Records that one robot sent of one spool, in the order of their numbers. */
export interface Entry {
  stream: number;
  spool: string;
  fromSeq: number; // in the spool's numbers
  toSeq: number;
  firstSeq: number; // in the robot's numbers, which have no gaps
  records: number;
  maxLevel: number;
  length: number; // of the text, in UTF-16 units
}

export interface TextEntry extends Entry {
  text: string; // lines of JSON, each ended by a line feed
}

/** Not what was written: its records cannot be read. */
export class DamagedError extends Error {}

const checksumBytes = 4;

/** The checksum of what follows, then: the number of spools and their names; then the entries by ascending stream. */
export function encodeHead(entries: readonly Entry[]): Buffer {
  const spools = [...new Set(entries.map(({ spool }) => spool))];
  const writer = new VarintWriter();
  writer.number(spools.length);
  for (const spool of spools) writer.text(spool);
  let stream = 0;
  for (const entry of entries) {
    writer.number(entry.stream - stream);
    writer.number(spools.indexOf(entry.spool));
    writer.number(entry.fromSeq);
    writer.number(entry.toSeq - entry.fromSeq);
    writer.number(entry.firstSeq);
    writer.number(entry.records);
    writer.number(entry.maxLevel);
    writer.number(entry.length);
    stream = entry.stream;
  }
  return checked(writer.end());
}

/** @throws DamagedError */
export function decodeHead(bytes: Buffer): Entry[] {
  const reader = new VarintReader(unchecked(bytes));
  const spools = Array.from({ length: reader.number() }, () => reader.text());
  const entries: Entry[] = [];
  for (let stream = 0; !reader.isAtEnd;) {
    stream += reader.number();
    const spool = spools[reader.number()] ?? '';
    const fromSeq = reader.number();
    // Member by member, as in all that runs for each record: V8 takes 2 us to add members behind a spread.
    entries.push({
      stream,
      spool,
      fromSeq,
      toSeq: fromSeq + reader.number(),
      firstSeq: reader.number(),
      records: reader.number(),
      maxLevel: reader.number(),
      length: reader.number(),
    });
  }
  return entries;
}

/** The entries of a group; none if it is damaged, which the merger counts and reports. */
export function entriesOf(head: Buffer): Entry[] {
  try {
    return decodeHead(head);
  } catch (error) {
    if (error instanceof DamagedError) return [];
    throw error;
  }
}

/** The checksum of what follows, then: the texts of the entries, one after the other, in UTF-8, deflated by zlib. */
export async function encodeBody(text: string): Promise<Buffer> {
  return checked(await deflated(Buffer.from(text)));
}

/** The texts of the entries of a group, one after the other. @throws DamagedError */
export function decodeText(entries: readonly Entry[], bytes: Buffer): string {
  const length = entries.reduce((total, entry) => total + entry.length, 0);
  return inflated(unchecked(bytes), length).toString();
}

/** The entries of a group with their texts. @throws DamagedError */
export const decodeBody = (entries: readonly Entry[], bytes: Buffer): TextEntry[] =>
  splitText(entries, decodeText(entries, bytes));

/** The entries of a group, each with its part of the text of all. */
export function splitText(entries: readonly Entry[], text: string): TextEntry[] {
  let start = 0;
  return entries.map(({ stream, spool, fromSeq, toSeq, firstSeq, records, maxLevel, length }) => {
    const ownText = text.slice(start, (start += length));
    return { stream, spool, fromSeq, toSeq, firstSeq, records, maxLevel, length, text: ownText };
  });
}

function checked(bytes: Buffer): Buffer {
  const checksum = Buffer.allocUnsafe(checksumBytes);
  checksum.writeUInt32LE(crc32(bytes));
  return Buffer.concat([checksum, bytes]);
}

function unchecked(bytes: Buffer): Buffer {
  const rest = bytes.subarray(checksumBytes);
  if (bytes.length < checksumBytes || bytes.readUInt32LE() !== crc32(rest))
    throw new DamagedError('the checksum is wrong');
  return rest;
}
