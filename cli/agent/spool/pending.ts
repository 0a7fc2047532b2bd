import { lineOf, type LogRecord, type Position } from './record.ts';

const maxPendingBytes = 1024 * 1024;
/** Extra space for the agent's own messages: that the disk is full, and what was lost. */
const reservedBytes = 64 * 1024;
const maxWriteBytes = 256 * 1024;

interface Entry {
  /** Empty for a position without a record. */
  line: string;
  bytes: number;
  /** Number of the record; of the previous one for a position without a record. */
  seq: number;
  source: string;
  position: Position;
}

/** Entries removed from the queue: they are on disk. */
interface Taken {
  /** The last number; undefined if nothing was removed. */
  lastSeq: number | undefined;
  /** Current position of each source. */
  positions: Record<string, Position>;
}

/** Queue of lines for the disk, in order: 1 MiB of them, plus one position for each source. */
export function pendingLines() {
  const entries: Entry[] = [];
  let nextSeq = 1;
  let bytes = 0;

  return {
    isEmpty: () => entries.length === 0,
    /** Records only. */
    get count() {
      return entries.filter(({ line }) => line !== '').length;
    },
    get nextSeq() {
      return nextSeq;
    },
    /** Number of the first queued record, or of the next one if none is queued. */
    get firstSeq() {
      return entries.find(({ line }) => line !== '')?.seq ?? nextSeq;
    },

    /** False if the queue is full. */
    append(record: LogRecord, position: Position): boolean {
      const line = lineOf(nextSeq, record, position);
      const length = Buffer.byteLength(line);
      const isOwn = record.source === 'agent' || record.type === 'gap';
      if (bytes + length > maxPendingBytes + (isOwn ? reservedBytes : 0)) return false;
      entries.push({ line, bytes: length, seq: nextSeq, source: record.source, position });
      nextSeq += 1;
      bytes += length;
      return true;
    },

    /** A position without a record. Replaces the one queued after the last record: a disk may fail for weeks. */
    note(source: string, position: Position): void {
      for (let at = entries.length - 1; entries[at]?.line === ''; at -= 1) {
        const entry = entries[at];
        if (entry?.source !== source) continue;
        entry.position = position;
        return;
      }
      entries.push({ line: '', bytes: 0, seq: nextSeq - 1, source, position });
    },

    /** Records queued before the disk could be read are numbered from 1. */
    renumber(base: number): void {
      for (const entry of entries) {
        const { line, seq } = entry;
        if (line !== '') entry.line = line.replace(/^\{"seq":\d+/, `{"seq":${seq + base}`);
        const length = Buffer.byteLength(entry.line);
        bytes += length - entry.bytes;
        entry.bytes = length;
        entry.seq += base;
      }
      nextSeq += base;
    },

    /** The next lines to write: 256 KiB, or up to one line more. */
    next(): Buffer {
      let count = 0;
      for (let length = 0; count < entries.length && length < maxWriteBytes; count += 1)
        length += entries[count]?.bytes ?? 0;
      return Buffer.from(
        entries
          .slice(0, count)
          .map(({ line }) => line)
          .join(''),
      );
    },

    /** Removes the next `writtenBytes` of lines, and the positions right after them. */
    take(writtenBytes: number): Taken {
      const taken: Taken = { lastSeq: undefined, positions: {} };
      for (let left = writtenBytes; entries[0] && entries[0].bytes <= left; entries.shift()) {
        const { bytes: length, source, position, seq } = entries[0];
        left -= length;
        bytes -= length;
        if (position !== undefined) taken.positions[source] = position;
        taken.lastSeq = seq;
      }
      return taken;
    },
  };
}
