import { foreignCursor } from '../kernel/page.ts';
import type { Chunk, LogOrder } from './history.ts';
import { spanMs, type Position } from './model.ts';

/** A chunk with records that a page could not return yet. */
type ChunkRef = Pick<Chunk, 'robotId' | 'firstSeq'>;

/** Where a search continues. */
export interface SearchStart {
  /** After the record at this position, in the order of the search. */
  after: Position;
  /** Within a span that is too large for a call: chunks up to this place are read, except those in `chunks`. */
  part?:
    | {
        place: Position;
        chunks: readonly ChunkRef[];
        /** Matches beyond this position were left out: the part ends there. */
        floor?: Position | undefined;
      }
    | undefined;
}

/*
 * Bytes: the order, the number of positions (1 to 3), these positions, and the chunks. A position is a time in ms (8), a
 * robot (16) and a number (8); a chunk is a robot and a number.
 */
const headBytes = 2;
const numberBytes = 8;
const idBytes = 16;
const positionBytes = 2 * numberBytes + idBytes;
const chunkBytes = idBytes + numberBytes;
const marks: Record<LogOrder, number> = { newest: 0x6e, oldest: 0x6f };
/** The latest time of a Date, less the span that it is in; numbers of records are smaller too. */
const maxNumber = 8_640_000_000_000_000n - BigInt(spanMs);

export function encodeSearch(order: LogOrder, { after, part }: SearchStart): string {
  const positions = [after, ...(part ? [part.place, ...(part.floor ? [part.floor] : [])] : [])];
  const chunks = part?.chunks ?? [];
  return Buffer.concat([
    Buffer.from([marks[order], positions.length]),
    ...positions.flatMap(({ receivedAtMs, robotId, seq }) => [numberTo(receivedAtMs), idTo(robotId), numberTo(seq)]),
    ...chunks.flatMap(({ robotId, firstSeq }) => [idTo(robotId), numberTo(firstSeq)]),
  ]).toString('base64url');
}

/** @throws bad_request for a cursor of another list or order, or an invalid one */
export function decodeSearch(order: LogOrder, cursor: string): SearchStart {
  const bytes = Buffer.from(cursor, 'base64url');
  const [mark, count = 0] = bytes;
  const chunksAt = headBytes + count * positionBytes;
  const chunkCount = (bytes.length - chunksAt) / chunkBytes;
  if (mark !== marks[order] || count < 1 || count > 3 || chunkCount < 0 || !Number.isInteger(chunkCount))
    throw foreignCursor();
  const position = (index: number): Position => {
    const at = headBytes + index * positionBytes;
    return {
      receivedAtMs: numberAt(bytes, at),
      robotId: idAt(bytes, at + numberBytes),
      seq: numberAt(bytes, at + numberBytes + idBytes),
    };
  };
  if (count === 1) {
    if (chunkCount > 0) throw foreignCursor();
    return { after: position(0) };
  }
  const chunks = Array.from({ length: chunkCount }, (_each, index) => {
    const at = chunksAt + index * chunkBytes;
    return { robotId: idAt(bytes, at), firstSeq: numberAt(bytes, at + idBytes) };
  });
  return { after: position(0), part: { place: position(1), chunks, floor: count === 3 ? position(2) : undefined } };
}

const idTo = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
const idAt = (bytes: Buffer, at: number): string =>
  bytes.toString('hex', at, at + idBytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

function numberTo(value: number): Buffer {
  const bytes = Buffer.alloc(numberBytes);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function numberAt(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64BE(at);
  if (value > maxNumber) throw foreignCursor();
  return Number(value);
}
