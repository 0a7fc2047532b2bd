import type { SpooledRecord } from '../../../generated/frames.js';
import { parseLine } from './record.ts';
import { isMissing, readLines, type Segment } from './segments.ts';

/** Reads the records of a spool's segments in order, each once. It remembers its position in the file. */
interface SegmentCursor {
  /** Moves to the first record with a number above `after`. The array may grow and shrink while it is read. */
  reset(segments: readonly Segment[], after: number): void;
  /** Undefined at the end of the written records. Rejects on a disk error. */
  read(maxRecords: number, maxBytes: number): Promise<SpooledRecord[] | undefined>;
}

/** `onDamaged` is called for each line that is no record. */
export function segmentCursor(onDamaged: () => void): SegmentCursor {
  let all: readonly Segment[] = [];
  let place = { segment: undefined as Segment | undefined, offset: 0, after: 0 };

  /** The segment to read from; the next one if the current one is at its end or was deleted. */
  function current(): Segment | undefined {
    const { segment } = place;
    if (segment && all.includes(segment) && place.offset < segment.bytes) return segment;
    const next = all.find(({ first }) => first > (segment?.first ?? 0));
    if (!next) return undefined;
    place.segment = next;
    place.offset = 0;
    return next.bytes > 0 ? next : undefined;
  }

  return {
    reset(segments, after) {
      all = segments;
      place = { segment: segments.findLast(({ first }) => first <= after + 1), offset: 0, after };
    },
    async read(maxRecords, maxBytes) {
      const own = place;
      const records: SpooledRecord[] = [];
      for (let bytes = 0; records.length < maxRecords && bytes < maxBytes;) {
        const segment = current();
        const lines = segment && (await readLines(segment, own.offset, maxBytes).catch(ignoreMissing));
        // The cursor was reset meanwhile: the lines read are discarded.
        if (own !== place) return undefined;
        if (!segment) break;
        if (!lines) {
          // No complete line where one should be: a power cut truncated the file, or the file was deleted.
          onDamaged();
          own.offset = segment.bytes;
          continue;
        }
        let start = 0;
        for (let end = lines.indexOf(0x0a); end !== -1; end = lines.indexOf(0x0a, start)) {
          if (records.length === maxRecords || (records.length > 0 && bytes + end - start > maxBytes)) break;
          const record = parseLine(lines.toString('utf8', start, end))?.record;
          if (!record) onDamaged();
          else if (record.seq > own.after) {
            records.push(record);
            bytes += end - start;
            own.after = record.seq;
          }
          start = end + 1;
        }
        own.offset += start;
        if (start < lines.length) break;
      }
      return records.length > 0 ? records : undefined;
    },
  };
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
