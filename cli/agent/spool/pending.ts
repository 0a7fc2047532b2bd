import { lineOf, type LogRecord, type Position } from './record.ts';

const maxPendingBytes = 1024 * 1024;
/** Beyond that, for what the agent itself says: that the disk is full, and what was lost. */
const reservedBytes = 64 * 1024;
const maxWriteBytes = 256 * 1024;

interface Entry {
  /** Empty for a position alone. */
  line: string;
  bytes: number;
  /** Of the record; of the one before where there is none. */
  seq: number;
  source: string;
  position: Position;
}

/** What was taken from those that wait: it is on disk. */
interface Taken {
  /** The last number; undefined if nothing was taken. */
  lastSeq: number | undefined;
  /** By source: where it has got to. */
  positions: Record<string, Position>;
}

/** Lines that wait for the disk, in their order: 1 MiB of them, and one position more for each source. */
export function pendingLines() {
  const entries: Entry[] = [];
  let nextSeq = 1;
  let bytes = 0;

  return {
    isEmpty: () => entries.length === 0,
    /** Records alone. */
    get count() {
      return entries.filter(({ line }) => line !== '').length;
    },
    get nextSeq() {
      return nextSeq;
    },
    /** The number of the first record that waits, or that the next one will have. */
    get firstSeq() {
      return entries.find(({ line }) => line !== '')?.seq ?? nextSeq;
    },

    /** False if there is no room. */
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

    /** A position without a record. One that waits behind the last record is replaced: a disk may fail for weeks. */
    note(source: string, position: Position): void {
      for (let at = entries.length - 1; entries[at]?.line === ''; at -= 1) {
        const entry = entries[at];
        if (entry?.source !== source) continue;
        entry.position = position;
        return;
      }
      entries.push({ line: '', bytes: 0, seq: nextSeq - 1, source, position });
    },

    /** What waited while the disk could not be read was numbered from 1. */
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

    /** The lines to be written next, 256 KiB or one more. */
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

    /** Takes out what `writtenBytes` of the next lines hold, and the positions right behind them. */
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
